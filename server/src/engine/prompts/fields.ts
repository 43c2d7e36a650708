/** Checks front matter against a description of its fields; the same description feeds completion and hover. */
import type { Problem } from '../problem.ts';
import { nearestName } from '../text/nearest.ts';
import type { FrontMatter, FrontMatterEntry } from './front-matter.ts';

type FieldType = 'text' | 'texts' | 'number' | 'integer' | 'boolean' | 'mapping';

export interface Field {
  readonly key: string;
  /** `texts` is a text or a list of texts, `mapping` has keys of its own. */
  readonly type: FieldType;
  /** One line. */
  readonly description: string;
  /** As it would stand in a file. */
  readonly example: string;
  readonly required?: boolean;
  /** Bounds of a number, both legal. */
  readonly min?: number;
  readonly max?: number;
  /** The legal values of a text. */
  readonly values?: readonly string[];
  /** Of a mapping: its fields. Without them any key may stand there. */
  readonly fields?: readonly Field[];
}

/** Fields that passed the check, by key. Mappings with described fields are again of this kind. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * The values of `frontMatter` that are as `fields` describe them; the others are left out and reported:
 * `front-matter.unknown-key` (`data.nearest` when one is close), `front-matter.type`, `front-matter.range`,
 * `front-matter.empty`, `front-matter.missing`.
 */
export function checkFields(frontMatter: FrontMatter, fields: readonly Field[], problems: Problem[]): Values {
  return checkLevel(frontMatter, fields, [], problems);
}

function checkLevel(
  frontMatter: FrontMatter,
  fields: readonly Field[],
  path: readonly string[],
  problems: Problem[],
): Values {
  const here = frontMatter.entries.filter(
    (entry) => entry.path.length === path.length + 1 && path.every((key, depth) => entry.path[depth] === key),
  );
  const values: [string, unknown][] = [];
  for (const entry of here) {
    const key = entry.path.at(-1) ?? '';
    const field = fields.find((known) => known.key === key);
    if (field === undefined) {
      problems.push(unknownKey(entry, key, fields));
      continue;
    }
    if (entry.data === '' && field.type === 'text') problems.push(emptyValue(entry, field));
    const problem = checkValue(entry, field);
    if (problem !== null) problems.push(problem);
    else if (field.fields === undefined) values.push([key, entry.data]);
    else values.push([key, checkLevel(frontMatter, field.fields, entry.path, problems)]);
  }
  for (const { key, required, example } of fields) {
    if (required !== true || here.some((entry) => entry.path.at(-1) === key)) continue;
    const { start } = frontMatter;
    const message = `The front matter lacks "${key}": add a line such as "${key}: ${example}".`;
    problems.push({
      code: 'front-matter.missing',
      severity: 'error',
      message,
      start,
      end: start + 3,
      data: { key },
    });
  }
  return Object.fromEntries(values);
}

function unknownKey(entry: FrontMatterEntry, key: string, fields: readonly Field[]): Problem {
  const nearest = nearestName(
    key,
    fields.map((field) => field.key),
  );
  return {
    code: 'front-matter.unknown-key',
    severity: 'error',
    message: `"${key}" is not a field here.${nearest === null ? '' : ` Did you mean "${nearest}"?`}`,
    ...entry.key,
    data: nearest === null ? { key } : { key, nearest },
  };
}

/** It counts as it stands, though nothing can be meant by it. */
function emptyValue({ value }: FrontMatterEntry, { key, required, example }: Field): Problem {
  const advice = required === true ? 'write its value' : 'write a value, or leave the key out';
  const message = `"${key}" is empty: ${advice}, e.g. ${example}.`;
  return { code: 'front-matter.empty', severity: 'error', message, start: value.start, end: value.end };
}

function checkValue(entry: FrontMatterEntry, field: Field): Problem | null {
  const { data } = entry;
  const at = entry.value.end > entry.value.start ? entry.value : entry.key;
  if (!hasType(data, field.type)) {
    const hint =
      field.type === 'text' && (typeof data === 'number' || typeof data === 'boolean')
        ? ': put it in quotes'
        : '';
    const message = `"${field.key}" must be ${typeNames[field.type]}${hint}.`;
    return { code: 'front-matter.type', severity: 'error', message, ...at };
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
  if (typeof data === 'number' && (data < min || data > max)) {
    const message = `"${field.key}" must be ${boundsText(field)}.`;
    return { code: 'front-matter.range', severity: 'error', message, ...at };
  }
  if (typeof data === 'string' && field.values !== undefined && !field.values.includes(data)) {
    const message = `"${field.key}" must be one of ${field.values.join(', ')}.`;
    const nearest = nearestName(data, field.values);
    return {
      code: 'front-matter.range',
      severity: 'error',
      message,
      ...at,
      ...(nearest === null ? {} : { data: { nearest } }),
    };
  }
  return null;
}

const typeNames: Readonly<Record<FieldType, string>> = {
  text: 'a text',
  texts: 'a text or a list of texts',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  mapping: 'a mapping, such as { key: value }',
};

function hasType(data: unknown, type: FieldType): boolean {
  switch (type) {
    case 'text':
      return typeof data === 'string';
    case 'texts':
      return (
        typeof data === 'string' || (Array.isArray(data) && data.every((item) => typeof item === 'string'))
      );
    case 'number':
      return typeof data === 'number' && Number.isFinite(data);
    case 'integer':
      return Number.isSafeInteger(data);
    case 'boolean':
      return typeof data === 'boolean';
    case 'mapping':
      return typeof data === 'object' && data !== null && !Array.isArray(data);
  }
}

function boundsText({ min, max }: Field): string {
  if (min === undefined) return `at most ${max}`;
  if (max === undefined) return `at least ${min}`;
  return min === max ? `${min}` : `from ${min} to ${max}`;
}
