/**
 * Records from outside: files of the published schema, ours or the original's.
 *
 * Only the shape is checked here, and what scoring relies on; whether the record is sound is validation's question.
 * Unknown fields are kept, so that reading and writing a file loses nothing.
 */
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../../problem.ts';
import { openStream } from '../../random/stream.ts';
import type { Instance } from './instance.ts';
import { prefixMatcher } from './prefix.ts';

const line = v.pipe(v.number(), v.safeInteger());
// Scores are divided by the one and by what lies between the two.
const reference = v.pipe(v.number(), v.finite(), v.gtValue(0));
const ideal = v.pipe(v.number(), v.finite(), v.minValue(0));

const schema = v.looseObject({
  id: v.optional(v.pipe(v.string(), v.nonEmpty())),
  split: v.optional(v.string(), 'file'),
  case: v.optional(v.string(), 'unnamed'),
  raw: v.string(),
  critical: v.array(v.looseObject({ line, text: v.string() })),
  prefix_regex: v.optional(v.nullable(v.string()), ''),
  reference_ratio: reference,
  ideal_ratio: ideal,
});

/** Checks one parsed line of a record file; the error names the field, e.g. `critical.3.text`. */
export function parseInstance(raw: unknown): Checked<Instance> {
  const result = v.safeParse(schema, raw, { abortEarly: true });
  if (!result.success) return refuse(explainIssue(result.issues[0]));
  const { output } = result;
  const prefix_regex = output.prefix_regex ?? '';
  const matcher = prefixMatcher(prefix_regex);
  if (!matcher.ok) return refuse(`prefix_regex ${matcher.error}`);
  return accept({ ...output, id: output.id ?? idOf(output.raw, output.case), prefix_regex });
}

/** For records that have no id: the same log of the same case gets the same one. */
function idOf(raw: string, name: string): string {
  const stream = openStream('record', name, raw);
  const digits = () => stream.below(0x7fff_ffff).toString(16).padStart(8, '0');
  return `record-${digits()}${digits()}`;
}

/** What each kind of check asks for. */
const wants: Readonly<Record<string, string>> = {
  number: 'a number',
  safe_integer: 'a whole number',
  finite: 'a finite number',
  gt_value: 'a number above 0',
  min_value: 'a number from 0 on',
  string: 'a text',
  non_empty: 'a text that is not empty',
  array: 'a list',
  loose_object: 'an object',
};

/** What is wrong with a field, as half a sentence. */
function explainIssue(issue: v.InferIssue<typeof schema>): string {
  const path = v.getDotPath(issue);
  const { type, input } = issue;
  if (path === null) return `it must be an object, not ${describeValue(input)}`;
  if (input === undefined) return `it has no ${path}`;
  return `${path} must be ${wants[type] ?? type}, not ${describeValue(input)}`;
}

/** A value as it stands in a sentence; larger ones by their kind. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
