/**
 * Instances from outside: files of the published schema, ours or the original package's.
 *
 * Only the shape is checked here, and what playing relies on; whether the instance is sound is the validator's
 * question. Unknown fields are kept, so that reading and writing a file loses nothing.
 */
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../../problem.ts';
import type { Instance } from './instance.ts';
import { published, stepBudget } from './options.ts';
import { generatorSettings } from './splits.ts';

const whole = v.pipe(v.number(), v.safeInteger());
const count = v.pipe(whole, v.minValue(0));
const texts = v.array(v.string());

const chunk = v.looseObject({
  idx: count,
  section: v.string(),
  header: v.string(),
  kind: v.picklist(['register', 'noise']),
  text: v.string(),
  tokens: count,
  entity_names: v.optional(texts, []),
});

const evidence = v.looseObject({
  hop: count,
  chunk_idx: whole,
  entity_type: v.string(),
  entity: v.string(),
  field: v.string(),
  value: v.string(),
  token_offset: whole,
});

const distractor = v.looseObject({
  kind: v.string(),
  hop: count,
  chunk_idx: whole,
  entity: v.string(),
  value: v.string(),
  wrong_answer: v.nullable(v.string()),
});

/** Settings that a file does not record are the published ones. */
function recorded(key: Exclude<keyof typeof generatorSettings, 'tokenizer'>) {
  return v.optional(v.number(), generatorSettings[key]);
}

const generator = v.looseObject({
  chunk_min_tokens: recorded('chunk_min_tokens'),
  chunk_max_tokens: recorded('chunk_max_tokens'),
  entries_per_chunk_min: recorded('entries_per_chunk_min'),
  entries_per_chunk_max: recorded('entries_per_chunk_max'),
  min_separation: recorded('min_separation'),
  n_distractors: recorded('n_distractors'),
  superseded_prob: recorded('superseded_prob'),
  near_miss_value_spread: recorded('near_miss_value_spread'),
  noise_ratio: recorded('noise_ratio'),
  confound_tolerance: recorded('confound_tolerance'),
  max_regeneration_attempts: recorded('max_regeneration_attempts'),
  tokenizer: v.optional(v.string(), generatorSettings.tokenizer),
  attempts: v.optional(count, 1),
});

const schema = v.looseObject({
  id: v.pipe(v.string(), v.nonEmpty()),
  seed: whole,
  split: v.string(),
  n_hops: v.pipe(whole, v.minValue(1), v.maxValue(1000)),
  doc_tokens_target: count,
  doc_tokens: count,
  question: v.string(),
  answer: v.string(),
  answer_type: v.string(),
  answer_entity_type: v.string(),
  chunks: v.array(chunk),
  evidence: v.array(evidence),
  distractors: v.array(distractor),
  candidate_answers: texts,
  min_reads: count,
  // Rewards divide by it, so an instance that says less than one step cannot be played.
  min_steps: v.pipe(whole, v.minValue(1)),
  compression_required: v.boolean(),
  answer_aliases: v.optional(texts, []),
  substrate: v.optional(v.string(), 'synthetic'),
  generator: v.optional(generator, {}),
  env: v.optional(
    v.looseObject({
      context_ceiling: v.optional(count, published.contextCeiling),
      assumed_summary_tokens: v.optional(count, published.assumedSummaryTokens),
      step_budget: v.optional(count),
    }),
    {},
  ),
});

/** Checks one parsed line of an instance file; the error names the field, e.g. `chunks.3.tokens`. */
export function parseInstance(raw: unknown): Checked<Instance> {
  const result = v.safeParse(schema, raw, { abortEarly: true });
  if (!result.success) return refuse(explainIssue(result.issues[0]));
  const { output } = result;
  const displaced = output.chunks.findIndex((each, position) => each.idx !== position);
  if (displaced >= 0) {
    const { idx } = output.chunks[displaced] as { idx: number };
    return refuse(`chunks.${displaced}.idx is ${idx}, but must be the chunk's position`);
  }
  const step_budget = output.env.step_budget ?? stepBudget(output.n_hops, {});
  return accept({ ...output, env: { ...output.env, step_budget } });
}

/** What is wrong with a field, as half a sentence. */
function explainIssue(issue: v.InferIssue<typeof schema>): string {
  const path = v.getDotPath(issue);
  if (path === null) return `it must be an object, not ${describeValue(issue.input)}`;
  if (issue.input === undefined) return `it has no ${path}`;
  const { type, requirement, input } = issue;
  const range = Array.isArray(requirement) ? requirement.join(' or ') : String(requirement);
  if (type === 'min_value') return `${path} must be ${range} or more, not ${String(input)}`;
  if (type === 'max_value') return `${path} must be ${range} or less, not ${String(input)}`;
  if (type === 'non_empty') return `${path} must not be empty`;
  const wanted =
    type === 'picklist' ? issue.expected?.replace(/[()]/g, '').replace(' | ', ' or ') : wants[type];
  return `${path} must be ${wanted ?? type}, not ${describeValue(input)}`;
}

/** What each kind of check asks for. */
const wants: Readonly<Record<string, string>> = {
  number: 'a number',
  safe_integer: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  loose_object: 'an object',
};

/** A value as it stands in a sentence; larger ones by their kind. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
