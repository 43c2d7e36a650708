/** Instances from outside. Only the shape is checked here; whether the instance is sound is the validator's question. */
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../../problem.ts';
import type { Instance } from './instance.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const schema = v.looseObject({
  id: v.pipe(v.string(), v.nonEmpty()),
  split: v.string(),
  chunks: v.pipe(v.array(v.string()), v.minLength(1)),
  operations: v.array(v.looseObject({ kind: v.picklist(['GET', 'DROP']), key: v.string(), chunk: count })),
  distractors: v.optional(
    v.array(
      v.looseObject({
        kind: v.picklist(['bare', 'look-alike']),
        key: v.string(),
        chunk: count,
        text: v.string(),
      }),
    ),
    [],
  ),
  truth: v.array(v.string()),
  generator: v.looseObject({ seed: count, index: count, chunk_size: count }),
});

/** Checks one parsed line of an instance file; the error names the field, e.g. `operations.3.key`. */
export function parseInstance(raw: unknown): Checked<Instance> {
  const result = v.safeParse(schema, raw, { abortEarly: true });
  return result.success ? accept(result.output) : refuse(explainIssue(result.issues[0]));
}

/** What is wrong with a field, as half a sentence. */
function explainIssue(issue: v.InferIssue<typeof schema>): string {
  const path = v.getDotPath(issue);
  if (path === null) return 'it must be an object';
  if (issue.input === undefined) return `it has no ${path}`;
  const wanted =
    issue.type === 'picklist'
      ? issue.expected?.replace(/[()]/g, '').replace(' | ', ' or ')
      : wants[issue.type];
  return `${path} must be ${wanted ?? issue.expected ?? issue.type}`;
}

/** What each kind of check asks for. */
const wants: Readonly<Record<string, string>> = {
  number: 'a number',
  safe_integer: 'a whole number',
  min_value: '0 or more',
  min_length: 'a list that is not empty',
  non_empty: 'a text that is not empty',
  string: 'a text',
  array: 'a list',
  loose_object: 'an object',
};
