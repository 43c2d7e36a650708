/** The call that ends an episode: what it may say, and what keeps it from being accepted. */
import protocol from '../../../../../prompts/serving/protocol.json' with { type: 'json' };
import type { Arguments } from './arguments.ts';
import { fill } from './fill.ts';
import type { Domain } from './scenarios.ts';

/** What an accepted finish says; only the fields that were given. */
export interface Finish {
  readonly answer?: string;
  readonly decision?: string;
  readonly reason?: string;
  readonly pitch?: string;
}

interface Field {
  readonly name: keyof Finish;
  readonly required: boolean;
  readonly values?: readonly string[];
}

const fields: Readonly<Record<Domain, readonly Field[]>> = {
  retail: [
    { name: 'answer', required: false },
    { name: 'decision', required: false, values: ['refuse'] },
    { name: 'reason', required: false },
  ],
  banking: [],
  pitch: [{ name: 'pitch', required: true }],
};

const answerSchema = {
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'array', items: { type: 'string' } }],
};

/** The parameters of finish as a JSON schema. */
export function finishSchema(domain: Domain): Readonly<Record<string, unknown>> {
  const list = fields[domain];
  const properties = list.map(({ name, values }) => [
    name,
    name === 'answer' ? answerSchema : { type: 'string', ...(values === undefined ? {} : { enum: values }) },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: list.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

const problems = protocol.finish_problems;

/** Special tokens and slots that a broken chat template leaves in a value. */
const markup =
  /<\|[^>]{0,60}\|>|<\/?(?:tool_call|tool_calls|function|parameter|think|arg_key|arg_value)\b[^>]{0,200}>|\{\{[^}]{0,200}\}\}|\[\/?(?:INST|TOOL_CALLS)\]/i;

/** Answers may be numbers and lists of texts as well. */
function answerText(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  const isList = Array.isArray(value) && value.every((it) => typeof it === 'string');
  return isList ? value.join(', ') : value;
}

/** Checks a finish. @returns what it says, or why it is rejected, as half a sentence. */
export function readFinish(
  domain: Domain,
  given: Arguments,
): { readonly finish: Finish } | { readonly problem: string } {
  const list = fields[domain];
  const stranger = Object.keys(given).find((name) => !list.some((field) => field.name === name));
  if (stranger !== undefined) return { problem: fill(problems.unknown, { field: stranger }) };
  const finish: Record<string, string> = {};
  for (const { name, required, values } of list) {
    const raw = Object.hasOwn(given, name) ? given[name] : undefined;
    if (raw === undefined || raw === null) {
      if (required) return { problem: fill(problems.missing, { field: name }) };
      continue;
    }
    const value = name === 'answer' ? answerText(raw) : raw;
    if (typeof value !== 'string') return { problem: fill(problems.kind, { field: name }) };
    if (value.trim() === '') return { problem: fill(problems.empty, { field: name }) };
    if (markup.test(value)) return { problem: fill(problems.markup, { field: name }) };
    if (values !== undefined && !values.includes(value)) {
      return { problem: fill(problems.enum, { field: name, values: values.join(', ') }) };
    }
    finish[name] = value;
  }
  if (finish['decision'] !== undefined && finish['reason'] === undefined) return { problem: problems.reason };
  return { finish };
}
