/** Instances from files. Only their shape is checked here; whether they are sound is asked of `validate`. */
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../../problem.ts';
import { CONDITIONS, type Instance } from './instance.ts';
import { show } from './show.ts';

const text = v.pipe(v.string(), v.nonEmpty());

const schema = v.looseObject({
  id: text,
  split: v.picklist(CONDITIONS),
  domain: text,
  relation: text,
  row: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  system: v.string(),
  question: text,
  person: v.nullable(text),
  bridge: v.nullable(text),
  answer: v.string(),
  answers: v.array(v.string()),
  prior: v.string(),
});

/** Checks one parsed line of an instance file; the error names the field, e.g. `answers.3`. */
export function parseInstance(raw: unknown): Checked<Instance> {
  const result = v.safeParse(schema, raw, { abortEarly: true });
  if (result.success) return accept(result.output);
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  if (path === null) return refuse('it must be an object');
  if (issue.input === undefined) return refuse(`it has no ${path}`);
  return refuse(`${path} must be ${wants[issue.type] ?? 'something else'}, not ${show(issue.input)}`);
}

/** What each kind of check asks for. */
const wants: Readonly<Record<string, string>> = {
  array: 'a list',
  min_value: '0 or more',
  non_empty: 'a text that is not empty',
  null: 'a text or null',
  nullable: 'a text or null',
  number: 'a number',
  picklist: `one of ${CONDITIONS.join(', ')}`,
  safe_integer: 'a whole number',
  string: 'a text',
};
