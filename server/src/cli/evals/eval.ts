/** `hopscope eval`: episodes played by models that read step prompts, or by scripted policies, and what they score. */
import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { findEnvironment } from '../../host/data/environments.ts';
import { Failure } from '../../host/failure.ts';
import { maxIndex, nameList, wholeNumber } from '../arguments.ts';
import type { ExitCode, Runner } from '../command.ts';
import { withEnvironment, withSplits } from '../instances/selection.ts';
import { estimateRuns } from '../runs/estimates.ts';
import { describeEstimate } from '../runs/events.ts';
import { addSampling, extraBody, type ModelChoice, withModel } from '../runs/options.ts';
import { overuseWarnings } from '../runs/overuse.ts';
import { modelCount, type RunChoice, requestRuns } from '../runs/request.ts';
import type { Shell } from '../shell.ts';
import { type StreamChoice, withStreams } from '../streams/options.ts';
import { defaultOut as streamsOut } from '../streams/play.ts';
import { streamed } from '../streams/requests.ts';
import { evalStreams } from '../streams/streams.ts';
import { type EvalMode, givenOptions, refuseIdle, streamOptions } from './eval-modes.ts';
import { evalPolicies } from './eval-policies.ts';
import { playNewRuns, withStage } from './play.ts';

interface EvalChoice extends RunChoice, ModelChoice, StreamChoice {
  readonly out?: string;
  readonly estimate?: boolean;
  /** Names of the options that were given, not of those that hold by default. */
  readonly given: readonly string[];
}

/** Where run folders are made unless asked otherwise. */
const defaultOut = 'outputs';

/** Adds the command to the program. */
export function addEval(program: Command, run: Runner): void {
  const evaluate = program
    .command('eval')
    .summary('play episodes with a model or with scripted policies and score them')
    .description(
      'Plays episodes and scores them. A model needs a step prompt, --model and --base-url; its run is kept in a folder of ' +
        'its own, every reply before the next is asked for, and can be gone on with by "resume" whatever stopped it. ' +
        'Several prompts or models are played side by side on the same instances. Policies need no model; without a ' +
        'prompt and without --out they only print a table.',
    )
    .argument(
      '[prompts...]',
      `step prompt files; ${streamed.join(' or ')} in their place plays streams with policies`,
    )
    .option(
      '-m, --model <names>',
      'model, or several separated by commas; by default the one the prompt names',
      nameList,
    )
    .option(
      '-p, --policy <names>',
      'scripted policy, or several separated by commas; "hopscope policies" lists them',
      nameList,
    )
    .addOption(
      new Option(
        '-S, --sampling <key=value>',
        'how the model is asked, e.g. temperature=0.2; repeatable',
      ).argParser(addSampling),
    )
    .addOption(new Option('--extra-body <json>', 'further keys of every request').argParser(extraBody))
    .addOption(new Option('--instances <files...>', 'JSONL files of instances').conflicts(['split', 'suite']))
    .addOption(
      new Option('--suite <file>', 'a suite: named instances in a file').conflicts(['split', 'instances']),
    )
    .addOption(
      new Option('--shuffle-seed <n>', 'take instances in the order of this seed').argParser(
        wholeNumber(0, maxIndex),
      ),
    )
    .addOption(
      new Option('-r, --rollouts <n>', 'episodes on each instance')
        .argParser(wholeNumber(1, 10_000))
        .default(1),
    )
    .option('--seed <text>', 'decides every choice that a policy leaves to chance', '0')
    .option(
      '--out <folder>',
      `folder in which the folders of runs are made (default: "${defaultOut}"); of streams, in which their files are kept ` +
        `(default: "${streamsOut}" for models, and none for policies)`,
    )
    .option('--until-decided', 'with two runs: stop both when it is clear which one is better')
    .option('--estimate', 'only say what the run would take at least')
    .addHelpText(
      'after',
      `
A model plays ${modelCount} instances of a split unless -n or --indices says otherwise.

Learning methods play streams, of size mini unless --size or --stream says otherwise;
"hopscope docs ${streamed[0]}" tells how one of your own is written. With --json, streams print {"start": …} for each stream, {"played": …} and {"episode": …} for each
episode, {"done": …} and {"summary": …} for each agent and method, and {"leaderboard": …}.

API keys come from the environment: HOPSCOPE_API_KEY goes to the endpoint of
--base-url, OPENAI_API_KEY to api.openai.com, and to nobody else.

Examples:
  hopscope eval my.step.md --model gpt-5-mini --base-url openai --split id_test -n 50
  hopscope eval a.step.md b.step.md --model qwen3 --base-url ollama -n 30 --shuffle-seed 1
  hopscope eval my.step.md --model m --base-url http://localhost:8000/v1 --limit tokens=5_000_000
  hopscope eval --policy oracle,random-reader,no-read --split id_test,ood_test
  hopscope eval --policy random-reader --split id_test -n 50 --seed 7 -o context_ceiling=900
  hopscope eval ${streamed[0]} --policy oracle --method blind --size mini`,
    )
    .action((prompts: readonly string[], choice, command: Command) =>
      run(evalCommand)({ ...choice, prompts, given: givenOptions(command) }),
    );
  withModel(withStreams(withEnvironment(withSplits(evaluate))));
}

async function evalCommand(choice: EvalChoice, shell: Shell): Promise<ExitCode> {
  const { policy, out } = choice;
  const mode = modeOf(choice);
  refuseIdle(mode, choice.given);
  if (mode === 'policy-streams' || mode === 'model-streams') return evalStreams(choice, shell);
  const environment = choice.prompts.find((name) => findEnvironment(name) !== undefined && !existsSync(name));
  if (environment !== undefined) {
    throw new Failure(
      'request',
      `${environment} is an environment and no step prompt: give it to --environment.`,
    );
  }
  if (mode === 'table' && policy !== undefined) return evalPolicies({ ...choice, policy }, shell);
  const twice = choice.prompts.find((path, at) => choice.prompts.indexOf(path) < at);
  if (twice !== undefined)
    throw new Failure('request', `${twice} is there twice; --rollouts plays more episodes.`);
  return withStage(choice, shell, async (stage) => {
    const runs = await requestRuns(choice, stage.pool, stage.soft);
    const estimates = await estimateRuns(runs, stage);
    const parent = out ?? defaultOut;
    for (const warning of await overuseWarnings(runs, parent)) shell.note(warning);
    if (!choice.estimate) return playNewRuns(runs, estimates, parent, stage);
    for (const [at, run] of runs.entries()) {
      const estimate = estimates[at] ?? null;
      const episodes =
        run.rollouts *
        run.parts.reduce((sum, part) => sum + ('file' in part ? part.ids : part.indices).length, 0);
      if (choice.json) await stage.out.write(`${JSON.stringify({ estimate: { ...estimate, episodes } })}\n`);
      else await stage.out.write(`${describeEstimate(estimate, episodes)}\n`);
    }
    return 0;
  });
}

function modeOf(choice: EvalChoice): EvalMode {
  const isScripted = choice.policy !== undefined;
  const isStreamed = (name: string) => streamed.includes(name) && !existsSync(name);
  if (choice.prompts.some(isStreamed) || streamOptions.some((name) => choice.given.includes(name))) {
    return isScripted ? 'policy-streams' : 'model-streams';
  }
  if (!isScripted) return 'model-run';
  return needsFolder(choice) ? 'policy-run' : 'table';
}

/** Whether what is asked for is a run; otherwise playing policies and printing a table will do. */
function needsFolder({
  prompts,
  model,
  out,
  suite,
  shuffleSeed,
  rollouts,
  untilDecided,
}: EvalChoice): boolean {
  if (prompts.length > 0 || rollouts > 1 || untilDecided === true) return true;
  return [model, out, suite, shuffleSeed].some((it) => it !== undefined);
}
