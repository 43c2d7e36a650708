/** `hopscope replay`: recorded replies, played again and scored. */
import type { Command } from 'commander';
import { reply } from '../engine/environments/chat.ts';
import type { Environment } from '../engine/environments/environment.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { Failure } from '../host/failure.ts';
import { type InstanceIndex, indexInstances } from '../host/instance-index.ts';
import { inputName, isRecord, parseObject, readLines } from '../host/jsonl.ts';
import type { ExitCode } from './main.ts';
import type { Runner } from './program.ts';
import { chooseEnvironment, type EnvironmentChoice, withEnvironment } from './selection.ts';
import type { Shell } from './shell.ts';

interface ReplayChoice extends EnvironmentChoice {
  readonly instances: readonly string[];
  readonly episodes: string;
}

/** What counts of a recorded episode; `source` is passed on. */
interface Recorded {
  readonly instance_id: string;
  readonly source?: string;
  readonly env_overrides?: Readonly<Record<string, unknown>>;
  readonly actions: readonly string[];
}

/** Adds the command to the program. */
export function addReplay(program: Command, run: Runner): void {
  const replay = program
    .command('replay')
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
  withEnvironment(replay);
}

async function replayCommand(choice: ReplayChoice, shell: Shell): Promise<ExitCode> {
  const environment = chooseEnvironment(choice);
  if (environment.records === undefined) {
    throw new Failure('request', `${environment.id} has no replay: its episodes have no published rows.`);
  }
  if (choice.episodes === '-' && choice.instances.includes('-')) {
    throw new Failure('request', 'Standard input can give instances or episodes, not both.');
  }
  const index = await indexInstances(environment, choice.instances, shell.problem, shell.signal);
  let lines = 0;
  for await (const line of readLines(choice.episodes, shell.signal)) {
    shell.signal.throwIfAborted();
    lines++;
    const where = `${inputName(choice.episodes)} line ${line.number}`;
    if (!line.ok) {
      shell.problem(`${where} ${line.error}.`);
      continue;
    }
    const recorded = parseEpisode(line.text);
    const played = recorded.ok
      ? await replay(environment, index, recorded.value, choice.option).catch(unscored)
      : recorded;
    if (played.ok) await shell.out.write(`${JSON.stringify(played.value)}\n`);
    else shell.problem(`${where} ${played.error}.`);
  }
  if (lines === 0) throw new Failure('run', `There is no episode in ${inputName(choice.episodes)}.`);
  return shell.problems === 0 ? 0 : 1;
}

/** An instance that no validator has seen may record what no score can be worked out from. */
function unscored(error: unknown): Checked<never> {
  if (error instanceof RangeError) return refuse(`cannot be scored: ${error.message}`);
  throw error;
}

/** The episode on a line; errors continue "line 3 …". */
function parseEpisode(text: string): Checked<Recorded> {
  const raw = parseObject(text);
  if (!raw.ok) return raw;
  const { instance_id, source, env_overrides, actions } = raw.value;
  if (typeof instance_id !== 'string') return refuse('is no episode: "instance_id" must be a text');
  if (!isTexts(actions)) return refuse('is no episode: "actions" must be a list of texts, the raw replies');
  if (env_overrides !== undefined && env_overrides !== null && !isRecord(env_overrides)) {
    return refuse('is no episode: "env_overrides" must be an object of options');
  }
  return accept({
    instance_id,
    ...(typeof source === 'string' ? { source } : {}),
    ...(isRecord(env_overrides) ? { env_overrides } : {}),
    actions,
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Plays one recorded episode; overrides come before the options of the command line. */
async function replay(
  environment: Environment,
  index: InstanceIndex,
  recorded: Recorded,
  given: EnvironmentChoice['option'],
): Promise<Checked<Readonly<Record<string, unknown>>>> {
  const { instance_id, env_overrides, actions } = recorded;
  const instance = await index.get(instance_id);
  if (instance === undefined) return refuse(`is about ${instance_id}, which is not among the instances`);
  const options = environment.parseOptions({ ...given, ...env_overrides });
  if (!options.ok) return refuse(`has a bad "env_overrides": ${options.error}`);
  const { records } = environment;
  let state = environment.start(instance, options.value);
  const steps: unknown[] = [];
  for (const action of actions) {
    if (environment.next(state).kind !== 'reply') {
      const surplus = actions.length - steps.length;
      return refuse(
        `goes on after its end: its episode ends at step ${steps.length}, take away the last ${surplus} actions`,
      );
    }
    state = environment.advance(state, reply(action));
    steps.push(records?.step(state));
  }
  return accept({
    ...recorded,
    steps,
    final: records?.final(state),
    reward: environment.outcome(state).reward,
  });
}
