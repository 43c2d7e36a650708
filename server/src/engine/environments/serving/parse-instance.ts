/** Instances from files. Their shape is checked; whether they are sound is asked of `validate`. */
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../../problem.ts';
import type { Instance } from './instance.ts';
import { attributes, personas } from './pitch/tastes.ts';
import { bankingCase, order, user } from './row-schemas.ts';

const text = v.pipe(v.string(), v.nonEmpty());
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const texts = v.array(v.string());

const leg = v.variant('op', [
  v.object({ op: v.literal('cancel'), reason: v.string() }),
  v.object({ op: v.picklist(['modify', 'exchange']), items: texts, to: texts, pay: v.string() }),
  v.object({ op: v.literal('return'), items: texts, pay: v.string(), reason: v.string() }),
  v.object({ op: v.literal('place'), items: texts, pay: v.string(), fallback: v.nullable(v.string()) }),
]);

const request = v.object({
  user: text,
  order: text,
  legs: v.array(leg),
  quote: v.nullable(v.picklist(['refund', 'difference', 'count'])),
});

const fact = v.object({
  attribute: v.picklist(Object.keys(attributes) as (keyof typeof attributes)[]),
  value: v.string(),
  line: v.string(),
});

const own = v.variant('domain', [
  v.object({ domain: v.literal('retail'), order, user, request: v.nullable(request) }),
  v.object({ domain: v.literal('banking'), case: bankingCase }),
  v.object({
    domain: v.literal('pitch'),
    sheet: v.object({ name: text, category: text, facts: v.array(fact) }),
    persona: v.picklist(personas),
  }),
]);

const answer = v.variant('kind', [
  v.object({ kind: v.literal('action') }),
  v.object({ kind: v.literal('refuse'), reasons: texts }),
  v.object({
    kind: v.literal('value'),
    expect: v.unknown(),
    compare: v.picklist(['int', 'float', 'str_norm', 'set']),
  }),
  v.object({ kind: v.literal('pitch') }),
]);

const schema = v.looseObject({
  id: text,
  split: text,
  scenario: text,
  domain: v.picklist(['retail', 'banking', 'pitch']),
  tier: v.picklist([1, 2, 3]),
  phase: v.picklist(['serving', 'test']),
  window: count,
  rules: count,
  timestamp: count,
  category: v.picklist(['hidden', 'fully_specified']),
  instruction: text,
  source: text,
  edition: count,
  own,
  evaluator: v.object({
    slice: v.picklist(['adapt', 'general', 'reopen']),
    family: v.string(),
    actions: v.array(v.object({ name: text, kwargs: v.record(v.string(), v.unknown()) })),
    answer,
  }),
});

/** Checks one parsed line of an instance file; the error names the field, e.g. `own.case.lines.0.amount`. */
export function parseInstance(raw: unknown): Checked<Instance> {
  const result = v.safeParse(schema, raw, { abortEarly: true });
  if (result.success) {
    if (result.output.own.domain === result.output.domain) return accept(result.output);
    return refuse(`own.domain must be "${result.output.domain}" as its domain is`);
  }
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  if (path === null) return refuse('it must be an object');
  return refuse(issue.input === undefined ? `it has no ${path}` : `${path} is not what it has to be`);
}
