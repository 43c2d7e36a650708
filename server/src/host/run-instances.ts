/** The instances that the episodes of a finished run were played on, made or read again. */
import type { AnyInstance, Environment } from '../engine/environments/environment.ts';
import { hashInstance } from '../engine/evals/identity.ts';
import { statesOf } from '../engine/evals/play-task.ts';
import type { Run, RunEpisode } from '../engine/evals/run-data.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { findEnvironment } from './data/environments.ts';
import { Failure } from './failure.ts';
import { type InstanceIndex, indexInstances } from './instance-index.ts';
import { readConfig } from './runs/folder.ts';

/** An episode folded again. */
export interface Refolded {
  readonly instance: AnyInstance;
  /** From the start on, one more than there are events. */
  readonly states: readonly unknown[];
}

export interface RunInstances {
  readonly environment: Environment;
  /** The checked options of the run. */
  readonly options: unknown;
  /** The instance of an episode, which must be what it was then; the error is a sentence. */
  get(episode: RunEpisode): Promise<Checked<AnyInstance>>;
  /** The episode through all its states; the error is a sentence. */
  refold(episode: RunEpisode): Promise<Checked<Refolded>>;
}

/** Instances kept ready: rollouts on one instance, and runs that are compared, ask for the same ones again. */
const kept = 64;

/**
 * Opens the instances of a run: its own files of instances, and `paths` before them.
 *
 * @param problem told, in one sentence, of every line of a file that is no instance.
 * @throws Failure when the run's environment or options are not known to this version.
 */
export async function openRunInstances(
  { info }: Run,
  paths: readonly string[],
  problem: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<RunInstances> {
  const environment = findEnvironment(info.environment);
  if (environment === undefined) {
    throw new Failure(
      'request',
      `Run ${info.id} is of ${info.environment}, which this version does not know.`,
    );
  }
  const options = environment.parseOptions(info.options);
  if (!options.ok) throw new Failure('request', `Run ${info.id} has bad options: ${options.error}.`);
  const files = [...paths, ...(await filesOf(info.folder))];
  let index: Promise<InstanceIndex> | undefined;
  const recent = new Map<string, AnyInstance>();

  /** Made again from its place in a split, or from its id when the run does not tell the place. */
  const make = ({ instanceId, split, index: number }: RunEpisode): AnyInstance | null => {
    const located = environment.locate?.(instanceId) ?? null;
    const place = split !== null && number !== null ? { split, index: number } : located;
    if (
      place === null ||
      (info.generatorVersion ?? environment.generatorVersion) !== environment.generatorVersion
    ) {
      return null;
    }
    const generation = environment.parseOptions({ ...info.options, ...located?.options });
    if (!generation.ok) return null;
    const made = environment.generate(place.split, place.index, generation.value);
    return made.ok && made.value.instance.id === instanceId ? made.value.instance : null;
  };

  const find = async (episode: RunEpisode): Promise<Checked<AnyInstance>> => {
    const made = make(episode);
    if (made !== null) return accept(made);
    index ??= indexInstances(environment, files, problem, signal);
    const { instanceId } = episode;
    const read = await (await index).get(instanceId);
    if (read !== undefined) return accept(read);
    return refuse(
      `The instance ${instanceId} of run ${info.id} is not there: name its file with --instances.`,
    );
  };

  const get = async (episode: RunEpisode): Promise<Checked<AnyInstance>> => {
    const { instanceId, instanceHash } = episode;
    const key = `${instanceId} ${instanceHash}`;
    const ready = recent.get(key);
    if (ready !== undefined) return accept(ready);
    const found = await find(episode);
    if (!found.ok) return found;
    if (instanceHash !== null && hashInstance(found.value) !== instanceHash) {
      return refuse(`The instance ${instanceId} is not what it was when run ${info.id} was played.`);
    }
    const [oldest] = recent.keys();
    if (recent.size === kept && oldest !== undefined) recent.delete(oldest);
    recent.set(key, found.value);
    return found;
  };

  return {
    environment,
    options: options.value,
    get,
    async refold(episode) {
      const instance = await get(episode);
      if (!instance.ok) return instance;
      try {
        const states = statesOf(environment, instance.value, options.value, episode.events);
        return accept({ instance: instance.value, states });
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return refuse(`Episode ${episode.task} of run ${info.id} cannot be played again: ${error.message}`);
      }
    },
  };
}

/** Files that a run of ours took its instances from. */
async function filesOf(folder: string): Promise<string[]> {
  const config = await readConfig(folder).catch(() => null);
  return (config?.parts ?? []).flatMap((part) => ('file' in part ? [part.file] : []));
}
