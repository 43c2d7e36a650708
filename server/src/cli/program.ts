/** The command line: which commands there are, what they take, and what `--help` says about them. */
import { Command, Option } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { maxIndex, nameList, wholeNumber } from './arguments.ts';
import { auditCommand } from './audit.ts';
import { baselinesCommand } from './baselines.ts';
import { evalCommand } from './eval.ts';
import { generateCommand } from './generate.ts';
import { inspectCommand } from './inspect.ts';
import { environmentsCommand, policiesCommand } from './lists.ts';
import type { ExitCode } from './main.ts';
import { replayCommand } from './replay.ts';
import { withEnvironment, withIndices, withSplits, withWorkers } from './selection.ts';
import type { Shell } from './shell.ts';
import { validateCommand } from './validate.ts';

const about = `Instances, episodes and evals for step prompts: prompts for agents that work one step at a time
under a hard context budget.

Machine output goes to standard output, everything else to standard error. Exit codes: 0 all well,
1 a check failed or something broke on the way, 2 the command line cannot be carried out.`;

const examples = `
Examples:
  hopscope eval --policy oracle,random-reader --split id_test
  hopscope generate --split train --out train.jsonl
  hopscope inspect --split id_test --index 0
  hopscope help generate`;

/** A command's own parser of its options, as the argument parser hands them over. */
type Run<C> = (choice: C, shell: Shell) => Promise<ExitCode>;

/** Builds the parser. `done` receives the exit code of the command that ran. */
export function buildProgram(shell: Shell, done: (code: ExitCode) => void): Command {
  const program = new Command('hopscope')
    .description(about)
    .version(manifest.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', examples)
    .exitOverride();
  const run =
    <C>(work: Run<C>) =>
    async (choice: C) =>
      done(await work(choice, shell));

  withWorkers(withEnvironment(withIndices(program.command('generate'))))
    .summary('write instances of a split as JSONL')
    .description(
      'Writes instances of a split, one JSON object a line, in index order: the same bytes on any machine and with ' +
        'any number of workers. Says afterwards how many attempts were rejected and why, and audits the set for ' +
        'surface features that give the answer away. A failed audit makes the exit code 1, except for sets so small ' +
        'that they fail by chance.',
    )
    .requiredOption('-s, --split <name>', 'which split')
    .option('--out <file>', 'write to a file, which appears when it is complete (default: standard output)')
    .option('--no-audit', 'skip the audit')
    .addHelpText(
      'after',
      `
Examples:
  hopscope generate --split train --out train.jsonl
  hopscope generate --split id_test --indices 0-9,42 | head -1
  hopscope generate --split train --start 2000 -n 500 --out fresh.jsonl
  hopscope generate --split train -n 50 -o n_hops=6 -o doc_tokens=64000 > hard.jsonl`,
    )
    .action(run(generateCommand));

  withEnvironment(program.command('validate'))
    .summary('check instances in files')
    .description(
      'Checks every instance of JSONL files, the answer read back from the text included. Exit code 1 when any ' +
        'line is no sound instance.',
    )
    .argument('<files...>', 'JSONL files of instances; - is standard input')
    .option('--json', 'one line per instance: {"id", "reasons"}')
    .addHelpText(
      'after',
      `
Examples:
  hopscope validate train.jsonl id_test.jsonl
  hopscope generate --split train -n 20 | hopscope validate --json -`,
    )
    .action((files: readonly string[], choice) => run(validateCommand)({ ...choice, files }));

  withWorkers(withEnvironment(withSplits(program.command('audit'))))
    .summary('look for surface features that give the answer away')
    .description(
      'Over many instances, measures how well the place, length or wording of a chunk tells that it holds evidence ' +
        'or the answer: area under the ROC curve, 0.5 when it tells nothing. Exit code 1 when a gated figure is ' +
        'further from 0.5 than the tolerance. Sets of fewer than a few hundred instances fail by chance.',
    )
    .argument('[files...]', 'JSONL files of instances, instead of --split; - is standard input')
    .option('--json', 'the report as one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  hopscope audit --split id_test -n 600
  hopscope audit train.jsonl --json`,
    )
    .action((files: readonly string[], choice) => run(auditCommand)({ ...choice, files }));

  withEnvironment(program.command('replay'))
    .summary('play recorded replies again and score them')
    .description(
      'Reads episodes, one JSON object a line, of which "instance_id", "actions" (the raw replies) and, if present, ' +
        '"env_overrides" (options) count; plays each on its instance and prints it with "steps", "final" and ' +
        '"reward".',
    )
    .requiredOption('--instances <files...>', 'JSONL files that hold the instances')
    .requiredOption('--episodes <file>', 'JSONL file of episodes; - is standard input')
    .addHelpText(
      'after',
      `
Examples:
  hopscope replay --instances id_test.jsonl --episodes recorded.jsonl
  cat recorded.jsonl | hopscope replay --instances a.jsonl b.jsonl --episodes - > scored.jsonl`,
    )
    .action(run(replayCommand));

  withEnvironment(program.command('inspect'))
    .summary('show one instance to a person')
    .description(
      'Shows one instance as Markdown: the question, the chain of evidence hop by hop, the distractors with the ' +
        'wrong answer each would give, and the map of the document. It tells the answer.',
    )
    .addOption(new Option('-s, --split <name>', 'a split').conflicts('file'))
    .addOption(
      new Option('--index <i>', 'position in the split or file, from 0 (default: 0)').argParser(
        wholeNumber(0, maxIndex),
      ),
    )
    .option('--file <file>', 'JSONL file of instances; - is standard input')
    .addOption(new Option('--id <id>', 'id of the instance in the file').conflicts('index'))
    .option('--json', 'the instance as one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  hopscope inspect --split id_test --index 0
  hopscope inspect --file train.jsonl --id hs1-train-17`,
    )
    .action(run(inspectCommand));

  withWorkers(withEnvironment(withSplits(program.command('eval'))))
    .summary('play episodes with scripted policies and score them')
    .description(
      'Plays one episode per instance with each policy and prints, per policy and by group, means per episode ' +
        '(± standard error).',
    )
    .requiredOption('-p, --policy <names>', 'policy, or several separated by commas', nameList)
    .addOption(new Option('--instances <files...>', 'JSONL files of instances').conflicts(['split']))
    .option('--seed <text>', 'decides every choice that a policy leaves to chance', '0')
    .option('--json', 'a line per episode and, last, a summary line per policy')
    .addHelpText(
      'after',
      `
Examples:
  hopscope eval --policy oracle,random-reader,no-read --split id_test,ood_test
  hopscope eval --policy random-reader --split id_test -n 50 --seed 7 -o context_ceiling=900
  hopscope eval --policy oracle --instances train.jsonl --json > episodes.jsonl
  hopscope policies`,
    )
    .action(run(evalCommand));

  withWorkers(withEnvironment(withSplits(program.command('baselines'))))
    .summary('score shortcuts that play no episode')
    .description(
      'How far one gets without working through the chain: guessing, reading only the chunk that holds the answer, ' +
        'and so on; and, as the upper bound, reading everything.',
    )
    .addOption(new Option('--instances <files...>', 'JSONL files of instances').conflicts(['split']))
    .option('--seed <text>', 'decides what a sampling baseline draws', '0')
    .option('--json', 'one JSON object per group and, last, one for all')
    .addHelpText(
      'after',
      `
Examples:
  hopscope baselines --split id_test,ood_test
  hopscope baselines --instances train.jsonl --json`,
    )
    .action(run(baselinesCommand));

  program
    .command('environments')
    .description('List the environments with their splits.')
    .action(run(environmentsCommand));
  withEnvironment(program.command('policies'))
    .description('List the scripted policies of an environment.')
    .action(run(policiesCommand));
  return program;
}
