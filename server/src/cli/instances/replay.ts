/** `hopscope replay`: recorded replies, played again and scored. */
import type { Command } from 'commander';
import type { AnyInstance, Environment } from '../../engine/environments/environment.ts';
import { isRecordedReply, type RecordedReply, toReply } from '../../engine/evals/recorded-reply.ts';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import { grouped } from '../../engine/text/numbers.ts';
import { named } from '../../engine/text/visible.ts';
import { Failure } from '../../host/failure.ts';
import { type InstanceIndex, indexInstances, unsoundness } from '../../host/instance-index.ts';
import { inputName, isRecord, parseObject, readLines } from '../../host/jsonl.ts';
import type { RawOptions } from '../arguments.ts';
import type { ExitCode, Runner } from '../command.ts';
import type { Shell } from '../shell.ts';
import {
  chooseEnvironment,
  type EnvironmentChoice,
  refuseIdleOptions,
  withEnvironment,
} from './selection.ts';

interface ReplayChoice extends EnvironmentChoice {
  readonly instances: readonly string[];
  readonly episodes: string;
}

/** What counts of a recorded episode; `source` is passed on. */
interface Recorded {
  readonly instance_id: string;
  readonly source?: string;
  readonly env_overrides?: Readonly<Record<string, unknown>>;
  readonly actions: readonly RecordedReply[];
}

/** Adds the command to the program. */
export function addReplay(program: Command, run: Runner): void {
  const replay = program
    .command('replay')
    .summary('play recorded replies again and score them')
    .description(
      'Reads episodes, one JSON object a line, of which "instance_id", "actions" (the raw replies) and, if present, ' +
        '"env_overrides" (options) count; plays each on its instance and prints it with "steps", "final" and ' +
        '"reward". Takes what "eval --policy … --json" prints as well. An instance that is not sound is played all the ' +
        'same, but the exit code is 1.',
    )
    .requiredOption('--instances <files...>', 'JSONL files that hold the instances')
    .requiredOption('--episodes <file>', 'JSONL file of episodes; - is standard input')
    .addHelpText(
      'after',
      `
Examples:
  hopscope replay --instances id_test.jsonl --episodes recorded.jsonl
  hopscope eval -p oracle --instances a.jsonl --json | hopscope replay --instances a.jsonl --episodes -
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
  refuseIdleOptions(environment, choice, { makes: false, plays: true, command: 'replay' });
  const index = await indexInstances(environment, choice.instances, shell.problem, shell.signal);
  const judge = judgeOnce(environment, shell.problem);
  let episodes = 0;
  for await (const line of readLines(choice.episodes, shell.signal)) {
    shell.signal.throwIfAborted();
    const recorded = line.ok ? parseEpisode(line.text, choice.option ?? {}) : line;
    if (recorded.ok && recorded.value === null) continue;
    episodes++;
    const played =
      recorded.ok && recorded.value !== null
        ? await replay(environment, index, recorded.value, judge).catch(unscored)
        : refuse(recorded.ok ? '' : recorded.error);
    if (played.ok) await shell.out.write(`${JSON.stringify(played.value)}\n`);
    else shell.problem(`${inputName(choice.episodes)} line ${line.number} ${played.error}.`);
  }
  if (episodes === 0) throw new Failure('run', `There is no episode in ${inputName(choice.episodes)}.`);
  return shell.problems === 0 ? 0 : 1;
}

/** Says of each instance once, when it is first played, that it is not sound. */
function judgeOnce(
  environment: Environment,
  problem: (sentence: string) => void,
): (instance: AnyInstance) => void {
  const judged = new Set<string>();
  return (instance) => {
    if (judged.has(instance.id)) return;
    judged.add(instance.id);
    const reasons = unsoundness(environment, instance);
    if (reasons.length === 0) return;
    problem(`${instance.id} is not sound (${reasons.join(', ')}); its episodes were played all the same.`);
  };
}

/** An instance that no validator has seen may record what no score can be worked out from. */
function unscored(error: unknown): Checked<never> {
  if (error instanceof RangeError) return refuse(`cannot be scored: ${error.message}`);
  throw error;
}

/** Lines beside the episodes in what `hopscope eval --json` prints. */
const otherLines = ['start', 'summary', 'done'];

/**
 * The episode on a line, or null for a line that `eval --json` prints about others; errors continue "line 3 …".
 *
 * @param given options of the command line; those of the episode come before them.
 */
function parseEpisode(text: string, given: RawOptions): Checked<Recorded | null> {
  const raw = parseObject(text);
  if (!raw.ok) return raw;
  const isBare = 'instance_id' in raw.value;
  if (!isBare && otherLines.some((key) => isRecord(raw.value[key]))) return accept(null);
  const { episode } = raw.value;
  const { instance_id, source, env_overrides, actions } = !isBare && isRecord(episode) ? episode : raw.value;
  if (instance_id === undefined) return refuse('is no episode: it has no "instance_id"');
  if (typeof instance_id !== 'string') return refuse('is no episode: "instance_id" must be a text');
  if (actions === undefined) return refuse('is no episode: it has no "actions", a list of the raw replies');
  if (!isReplies(actions)) return refuse('is no episode: "actions" must be a list of texts, the raw replies');
  if (env_overrides !== undefined && env_overrides !== null && !isRecord(env_overrides)) {
    return refuse('is no episode: "env_overrides" must be an object of options');
  }
  const overrides = { ...given, ...env_overrides };
  return accept({
    instance_id,
    ...(typeof source === 'string' ? { source } : {}),
    ...(isRecord(env_overrides) || Object.keys(overrides).length > 0 ? { env_overrides: overrides } : {}),
    actions,
  });
}

function isReplies(value: unknown): value is readonly RecordedReply[] {
  return Array.isArray(value) && value.every(isRecordedReply);
}

/** Plays one recorded episode. */
async function replay(
  environment: Environment,
  index: InstanceIndex,
  recorded: Recorded,
  judge: (instance: AnyInstance) => void,
): Promise<Checked<Readonly<Record<string, unknown>>>> {
  const { instance_id, env_overrides = {}, actions } = recorded;
  const instance = await index.get(instance_id);
  if (instance === undefined)
    return refuse(`is about ${named(instance_id)}, which is not among the instances`);
  const options = environment.parseOptions(env_overrides);
  if (!options.ok) return refuse(`has a bad "env_overrides": ${options.error}`);
  judge(instance);
  const { records } = environment;
  let state = environment.start(instance, options.value);
  const steps: unknown[] = [];
  for (const action of actions) {
    if (environment.next(state).kind !== 'reply') {
      const surplus = actions.length - steps.length;
      const last = surplus === 1 ? 'the last action' : `the last ${grouped(surplus)} actions`;
      return refuse(`goes on after its end: its episode ends at step ${steps.length}, take away ${last}`);
    }
    state = environment.advance(state, toReply(action));
    steps.push(records?.step(state));
  }
  return accept({
    ...recorded,
    steps,
    final: records?.final(state),
    reward: environment.outcome(state).reward,
  });
}
