/** What a run is made of: everything that identifies it and everything it takes to go on with it, as one file. */
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../problem.ts';
import { toSampling } from '../prompts/sampling.ts';
import { hashText, runIdentity } from './identity.ts';
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
  /** As they were given: the environment checks them. */
  readonly options: Readonly<Record<string, unknown>>;
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

function identityOf(request: RunRequest): string {
  const { environment, generatorVersion, options, parts, rollouts, agent, prompt } = request;
  const files = parts.flatMap((part) => ('file' in part ? [[part.file, part.hash] as const] : []));
  return runIdentity({
    environment,
    generatorVersion,
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

/** The configuration as it stands in `configs/eval.json`: plain JSON with every key there. */
export function printRunConfig(config: RunConfig): string {
  const { agent, prompt } = config;
  const file = {
    format: 1,
    hopscope: config.version,
    id: config.id,
    identity: config.identity,
    created: config.created,
    environment: config.environment,
    generator_version: config.generatorVersion,
    options: config.options,
    label: config.label,
    suite: config.suite,
    instances: config.parts,
    rollouts: config.rollouts,
    shuffle_seed: config.shuffleSeed,
    agent:
      agent.kind === 'policy'
        ? agent
        : {
            kind: agent.kind,
            model: agent.model,
            base_url: agent.baseUrl,
            sampling: agent.sampling,
            extra_body: agent.extraBody,
          },
    prompt,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const mapping = v.record(v.string(), v.unknown());
const pins = v.exactOptional(v.record(v.string(), v.string()));

const fileSchema = v.object({
  format: v.literal(1, 'is not the format this version reads: 1'),
  hopscope: v.string(),
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/)),
  identity: v.string(),
  created: v.string(),
  environment: v.string(),
  generator_version: whole,
  options: mapping,
  label: v.string(),
  suite: v.nullable(v.string()),
  instances: v.array(
    v.union([
      v.object({ split: v.string(), indices: v.array(whole), pins }),
      v.object({ file: v.string(), hash: v.string(), ids: v.array(v.string()), pins }),
    ]),
  ),
  rollouts: v.pipe(whole, v.minValue(1)),
  shuffle_seed: v.nullable(whole),
  agent: v.union([
    v.object({ kind: v.literal('policy'), policy: v.string(), seed: v.string() }),
    v.object({
      kind: v.literal('model'),
      model: v.string(),
      base_url: v.nullable(v.string()),
      sampling: mapping,
      extra_body: mapping,
    }),
  ]),
  prompt: v.nullable(
    v.object({ name: v.string(), path: v.nullable(v.string()), text: v.string(), hash: v.string() }),
  ),
});

/**
 * Reads `configs/eval.json`. Refuses one whose content does not have the identity it names, because then what was
 * played so far and what would be played from now on need not be the same. The error continues "… eval.json".
 */
export function parseRunConfig(text: string): Checked<RunConfig> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return refuse('is not valid JSON');
  }
  const parsed = v.safeParse(fileSchema, raw);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return refuse(`is no run of this program: ${v.getDotPath(issue) ?? 'the whole'}: ${issue.message}`);
  }
  const { hopscope, generator_version, instances, shuffle_seed, agent, format: _, ...rest } = parsed.output;
  const config: RunConfig = {
    ...rest,
    version: hopscope,
    generatorVersion: generator_version,
    parts: instances,
    shuffleSeed: shuffle_seed,
    agent:
      agent.kind === 'policy'
        ? agent
        : {
            kind: 'model',
            model: agent.model,
            baseUrl: agent.base_url,
            sampling: toSampling(agent.sampling),
            extraBody: agent.extra_body,
          },
  };
  if (config.prompt !== null && config.prompt.hash !== hashText(config.prompt.text)) {
    return refuse('was changed: the prompt in it does not have the hash in it');
  }
  if (identityOf(config) !== config.identity) {
    return refuse('was changed: what it asks for is not what the run was begun with');
  }
  return accept(config);
}
