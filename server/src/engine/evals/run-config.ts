/** What a run is made of: everything that identifies it and everything it takes to go on with it. */
import type { DataVersion } from '../environments/data-set.ts';
import { runIdentity } from './identity.ts';
import type { InstanceSource, RunAgent, RunInfo, RunPrompt } from './run-data.ts';

/**
 * Some instances of a run, in the order of the plan. A file is known by the hash of its content. `pins` are the hashes that
 * instances of a pinned suite must have, by their number in the part.
 */
export type InstancePart = { readonly pins?: Readonly<Record<string, string>> } & (
  | { readonly split: string; readonly indices: readonly number[] }
  | { readonly file: string; readonly hash: string; readonly ids: readonly string[] }
);

export interface RunConfig {
  /** Eight hexadecimal digits. */
  readonly id: string;
  readonly identity: string;
  /** ISO 8601 in UTC. */
  readonly created: string;
  /** Version of the program that made it. */
  readonly version: string;
  readonly environment: string;
  readonly generatorVersion: number;
  /** Of the environment, where it takes some from outside. */
  readonly data?: DataVersion;
  /** As they were given: the environment checks them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The model that judges, where one was named. */
  readonly judge?: string;
  /** What the instances are called in figures. */
  readonly label: string;
  readonly suite: string | null;
  readonly parts: readonly InstancePart[];
  readonly rollouts: number;
  readonly shuffleSeed: number | null;
  readonly agent: RunAgent;
  readonly prompt: RunPrompt | null;
}

/** What is asked for; the rest of a {@link RunConfig} follows from it. */
export type RunRequest = Omit<RunConfig, 'identity'>;

/** The configuration of a new run. */
export function configureRun(request: RunRequest): RunConfig {
  return { ...request, identity: identityOf(request) };
}

/** An instance of a run, and the hash it must have when the run says so. */
export interface PlannedInstance {
  readonly source: InstanceSource;
  readonly pin: string | null;
}

/** The instances of a run in the order of the plan, without repetitions. */
export function instancesOf(parts: readonly InstancePart[]): PlannedInstance[] {
  return parts.flatMap((part): PlannedInstance[] => {
    const sources: InstanceSource[] =
      'file' in part
        ? part.ids.map((id) => ({ file: part.file, id }))
        : part.indices.map((index) => ({ split: part.split, index }));
    return sources.map((source, at) => ({ source, pin: part.pins?.[at] ?? null }));
  });
}

/** The identity that a configuration should have. */
export function identityOf(request: RunRequest): string {
  const { environment, generatorVersion, data, judge, options, parts, rollouts, agent, prompt } = request;
  const files = parts.flatMap((part) => ('file' in part ? [[part.file, part.hash] as const] : []));
  return runIdentity({
    environment,
    generatorVersion,
    ...(data === undefined ? {} : { data }),
    ...(judge === undefined ? {} : { judge }),
    options,
    sources: instancesOf(parts).map(({ source }) => source),
    files: Object.fromEntries(files),
    rollouts,
    agent,
    prompt: prompt?.text ?? null,
  });
}

/** The run as readers see it. `folder` is where it lies. */
export function describeRun(config: RunConfig, folder: string): RunInfo {
  const { id, identity, created, environment, generatorVersion, options, label, suite } = config;
  const [first, ...others] = new Set(config.parts.map((part) => ('file' in part ? null : part.split)));
  return {
    id,
    folder,
    format: 'hopscope',
    identity,
    created,
    environment,
    generatorVersion,
    options,
    ...(config.judge === undefined ? {} : { judge: config.judge }),
    label,
    split: others.length === 0 ? (first ?? null) : null,
    suite,
    rollouts: config.rollouts,
    shuffleSeed: config.shuffleSeed,
    agent: config.agent,
    prompt: config.prompt,
    requested: instancesOf(config.parts).length * config.rollouts,
  };
}
