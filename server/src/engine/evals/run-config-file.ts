/** The configuration of a run as a file, `configs/eval.json`. */
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../problem.ts';
import { toSampling } from '../prompts/sampling.ts';
import { hashText } from './identity.ts';
import { identityOf, type RunConfig } from './run-config.ts';

/** The text of the file: plain JSON with every key there. */
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
    ...(config.data === undefined ? {} : { data: config.data }),
    ...(config.judge === undefined ? {} : { judge: config.judge }),
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
  data: v.exactOptional(v.object({ set: v.string(), commit: v.string(), hash: v.string() })),
  judge: v.exactOptional(v.string()),
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
 * Reads the file. Refuses one whose content does not have the identity it names, because then what was
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
