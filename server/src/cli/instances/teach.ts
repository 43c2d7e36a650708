/** `hopscope teach`: episodes to learn from, for examples in a prompt or for fine-tuning. */
import { type Command, Option } from 'commander';
import type { Environment } from '../../engine/environments/environment.ts';
import { type Taught, type TeachTally, tallyTaught } from '../../engine/evals/teach.ts';
import { checkStepPrompt } from '../../engine/prompts/check-prompt.ts';
import type { StepPrompt } from '../../engine/prompts/step-prompt.ts';
import { counted, grouped } from '../../engine/text/numbers.ts';
import { Failure } from '../../host/failure.ts';
import type { RawOptions } from '../arguments.ts';
import { keepOption } from '../arguments.ts';
import type { ExitCode, Runner } from '../command.ts';
import { workThrough } from '../evals/work.ts';
import { readPrompt } from '../runs/request.ts';
import type { Shell } from '../shell.ts';
import {
  chooseEnvironment,
  chooseInstances,
  type SplitChoice,
  type WorkersChoice,
  withSplits,
  withWorkers,
} from './selection.ts';

interface TeachChoice extends SplitChoice, WorkersChoice {
  readonly prompt: string;
  readonly instances?: readonly string[];
  readonly option?: RawOptions;
  readonly seed: string;
  readonly out?: string;
  readonly source?: boolean;
}

/** Adds the command to the program. */
export function addTeach(program: Command, run: Runner): void {
  const teach = program
    .command('teach')
    .summary('write episodes to learn from, as chats')
    .description(
      'Plays instances with agents that know the evidence and writes a chat for every step of the episodes that are ' +
        'correct, short, and say nothing that their prompts do not show. One JSON object a line: {"messages": […]}, ' +
        'the reply last.',
    )
    .argument('<prompt>', 'step prompt file that the messages are rendered with')
    .addOption(new Option('--instances <files...>', 'JSONL files of instances').conflicts(['split']))
    .addOption(
      new Option('-o, --option <key=value>', 'an option of the environment; repeatable').argParser(
        keepOption,
      ),
    )
    .option('--seed <text>', 'decides every choice that is left to chance', '0')
    .option('--out <file>', 'where to write (default: standard output)')
    .option('--source', 'say of each chat where it comes from: {"instance_id", "policy", "step", …}')
    .addHelpText(
      'after',
      `
Without --split, instances come from the split that the prompt names. Figures over a split that was
taught from are worth nothing: teach from train.

Examples:
  hopscope teach my.step.md --split train -n 300 --out taught.jsonl
  hopscope teach mine.step.md --split train --indices 0-9 --source`,
    )
    .action((prompt: string, choice) => run(teachCommand)({ ...choice, prompt }));
  withWorkers(withSplits(teach));
}

async function teachCommand(choice: TeachChoice, shell: Shell): Promise<ExitCode> {
  const { run: prompt, parsed } = await readPrompt(choice.prompt, shell.signal);
  const options = { ...parsed.options, ...choice.option };
  const environment = chooseEnvironment({ environment: parsed.environment, option: options });
  const { teacher } = environment;
  if (teacher === undefined) throw new Failure('request', `${environment.id} has no teacher.`);
  refuseTellingPrompt(parsed, environment, choice.prompt);
  const from = withDefaultSplit(choice, parsed);
  const instances = chooseInstances(environment, from, { plays: true, command: 'teach' }, shell);
  warnOfTestSplits(environment, from.split ?? [], shell);
  const sink = await shell.output(choice.out);
  const leaks: string[] = [];
  let tally = tallyTaught([]);
  try {
    const count = await workThrough(
      {
        task: 'teach',
        title: `teach ${instances.label}`,
        instances,
        workers: choice.workers,
        job: (batch) => ({
          environment: environment.id,
          options,
          batch,
          prompt: prompt.text,
          seed: choice.seed,
        }),
        async take(result, kept) {
          const taught = kept(result.taught).flat();
          tally = tallyTaught(taught, tally);
          leaks.push(...taught.flatMap(leakLines));
          for (const episode of taught) {
            for (const [at, row] of episode.rows.entries()) {
              const source = choice.source ? sourceOf(episode, at + 1) : {};
              await sink.write(`${JSON.stringify({ ...row, ...source })}\n`);
            }
          }
        },
      },
      shell,
    );
    if (count === 0) throw new Failure('run', `There was no instance to play in ${instances.label}.`);
    await sink.close();
  } finally {
    await sink.discard();
  }
  tell(tally, leaks, shell);
  return shell.problems === 0 && tally.verdicts.kept > 0 ? 0 : 1;
}

/** A prompt that shows the evidence makes every leak invisible. */
function refuseTellingPrompt(prompt: StepPrompt, environment: Environment, path: string): void {
  const [telling] = checkStepPrompt(prompt, [environment]).filter(
    ({ code }) => code === 'template.privileged',
  );
  if (telling !== undefined)
    throw new Failure('request', `${path}: ${telling.message} Nothing can be taught with it.`);
}

function withDefaultSplit(choice: TeachChoice, { split }: StepPrompt): TeachChoice {
  const isOpen = choice.split === undefined && choice.instances === undefined;
  return isOpen && split !== null ? { ...choice, split: [split] } : choice;
}

function warnOfTestSplits(environment: Environment, names: readonly string[], shell: Shell): void {
  const tests = environment.splits.filter(({ id, test }) => test && names.includes(id)).map(({ id }) => id);
  if (tests.length === 0) return;
  shell.note(`${tests.join(', ')} is for testing: what has learnt from it scores too well on it.`);
}

function sourceOf({ instance, policy }: Taught, step: number): object {
  return { instance_id: instance, policy, step };
}

/** Leaks shown in full; a prompt that hides what is needed gives one for every step. */
const shownLeaks = 5;

function tell({ sampled, verdicts, rows }: TeachTally, leaks: readonly string[], shell: Shell): void {
  const share = ((100 * verdicts.kept) / Math.max(1, sampled)).toFixed(1);
  const refused = [
    `${grouped(verdicts['too-long'])} too long`,
    `${grouped(verdicts.incorrect)} incorrect`,
    `${grouped(verdicts.leak)} leaking`,
    ...(verdicts['cut-off'] > 0 ? [`${grouped(verdicts['cut-off'])} with prompts too large`] : []),
  ];
  const kept = `${grouped(verdicts.kept)} kept (${share} %)`;
  shell.note(
    `${counted(sampled, 'episode')}: ${[kept, ...refused].join(', ')}. ${counted(rows, 'chat')} written.`,
  );
  for (const line of leaks.slice(0, shownLeaks)) shell.note(line);
  if (leaks.length > shownLeaks) shell.note(`  … and ${grouped(leaks.length - shownLeaks)} more leaks`);
}

function leakLines({ instance, policy, leaks }: Taught): string[] {
  return leaks.map(
    (leak) => `  ${instance}, ${policy}, step ${leak.step}: ${leak.kind} ${JSON.stringify(leak.text)}`,
  );
}
