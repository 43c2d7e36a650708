/** The lines of the published task files, and what an instance makes of them. */
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../../../problem.ts';
import { grouped } from '../../../text/numbers.ts';
import type { Answer, Evaluator } from '../evaluator.ts';
import { type Attribute, attributes, type Fact, personas, type Sheet } from '../pitch/tastes.ts';

/** Longest line of a file of tasks. Published ones have a few thousand characters. */
const LONGEST_LINE = 200_000;

const text = v.string();
/** A name that is shown in a line and stands in ids: no blanks, nothing that is not seen, no underscore in front. */
const identifier = v.pipe(text, v.regex(/^[\p{L}\p{N}#][^\s\p{C}]{0,199}$/u));
const whole = v.pipe(v.number(), v.safeInteger());
const record = v.record(text, v.unknown());

const answer = v.variant('kind', [
  v.looseObject({ kind: v.literal('refuse'), reasons: v.array(text) }),
  v.looseObject({
    kind: v.literal('value'),
    expect: v.unknown(),
    compare: v.picklist(['int', 'float', 'str_norm', 'set']),
  }),
]);

const taskSchema = v.looseObject({
  task_id: identifier,
  scenario: text,
  domain: v.picklist(['retail', 'banking', 'pitch']),
  tier: v.picklist(['L1', 'L2', 'L3']),
  split: v.picklist(['serving', 'test']),
  window: whole,
  timestamp: whole,
  category: v.picklist(['hidden', 'fully_specified']),
  instruction: v.pipe(text, v.regex(/\S/)),
  evaluator: v.looseObject({
    slice: v.picklist(['adapt', 'general', 'reopen']),
    family: text,
    actions: v.array(v.looseObject({ name: text, kwargs: record })),
    answer: v.nullish(answer, null),
    metadata: record,
  }),
});

export type PublishedTask = v.InferOutput<typeof taskSchema>;

/** Reads the lines of a file of tasks; the error names the line. */
export function readTasks(path: string, content: string): Checked<PublishedTask[]> {
  const tasks: PublishedTask[] = [];
  for (const [at, line] of content.split('\n').entries()) {
    if (line.trim() === '') continue;
    if (line.length > LONGEST_LINE) {
      return refuse(
        `${path} line ${at + 1} is no task of the published shape: it has ${grouped(line.length)} characters, more than ${grouped(LONGEST_LINE)}`,
      );
    }
    const result = v.safeParse(taskSchema, parseJson(line), { abortEarly: true });
    if (!result.success) {
      const field = v.getDotPath(result.issues[0]) ?? 'it';
      return refuse(
        `${path} line ${at + 1} is no task of the published shape: ${field} is not what it has to be`,
      );
    }
    tasks.push(result.output);
  }
  return accept(tasks);
}

/** The JSON of a text; null when it is none. */
export function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

/** What a task asks for. Cases that end in one of several reasons are told by their metadata. */
export function evaluatorOf({ domain, evaluator }: PublishedTask): Evaluator {
  const { slice, family, actions, metadata } = evaluator;
  const accepted = metadata['accepted_reasons'];
  const reasons = Array.isArray(accepted) ? accepted.filter((it) => typeof it === 'string') : [];
  const asked: Answer =
    domain === 'pitch'
      ? { kind: 'pitch' }
      : reasons.length > 1
        ? { kind: 'refuse', reasons }
        : (evaluator.answer ?? { kind: 'action' });
  return { slice, family, actions: actions.map(({ name, kwargs }) => ({ name, kwargs })), answer: asked };
}

/** Names of values that are longer there. */
const valueNames: Readonly<Record<string, string>> = {
  many_users: 'many',
  long_warranty: 'long',
  handcrafted: 'hand',
  mass_produced: 'mass',
};

/** The sheet of a product: its values from the metadata, their words from the instruction, which lists them in order. */
export function sheetOf({ evaluator, instruction }: PublishedTask): Checked<Sheet> {
  const product = evaluator.metadata['product'];
  if (typeof product !== 'object' || product === null) return refuse('it has no product');
  const fields = Object.entries(product);
  const lines = Array.from(instruction.matchAll(/^\s+- (.+)$/gm), ([, line = '']) => line);
  const named = fields.flatMap(([key, value]): Omit<Fact, 'line'>[] =>
    isAttribute(key) && typeof value === 'string'
      ? [{ attribute: key, value: valueNames[value] ?? value }]
      : [],
  );
  const facts = named.map((fact, at): Fact => ({ ...fact, line: lines[at] ?? fact.value }));
  const { name, category } = Object.fromEntries(fields);
  return accept({ name: String(name), category: String(category), facts });
}

function isAttribute(key: string): key is Attribute {
  return Object.hasOwn(attributes, key);
}

/** Who is to buy; null when it is nobody known. */
export function personaOf({ evaluator }: PublishedTask): (typeof personas)[number] | null {
  const key = evaluator.metadata['customer_key'];
  return personas.find((it) => it === key) ?? null;
}
