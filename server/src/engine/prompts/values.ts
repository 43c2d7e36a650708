/**
 * What a name means and how a value prints: the rules that compiled templates and traces share.
 *
 * A name is looked up only when its tag is printed, so an observation may compute its values in getters.
 */
import type { Name } from './template.ts';

export interface Fields {
  readonly [name: string]: unknown;
}

/** One level of the chain in which names are looked up. `fields` is `value` if that has fields, else empty. */
export interface Scope {
  value: unknown;
  fields: Fields;
  readonly parent: Scope | null;
}

const noFields: Fields = Object.freeze({});

/** The outermost scope: the observation itself. */
export function rootScope(value: unknown): Scope {
  return { value, fields: fieldsOf(value), parent: null };
}

/** Any object but a list has fields. Lists, texts and numbers have none, not even a length. */
export function fieldsOf(value: unknown): Fields {
  return hasFields(value) ? value : noFields;
}

function hasFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for names such as `constructor`, which every object answers to although nobody has put them there. */
export function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** A field by its name, `undefined` when there is none. */
function field(fields: Fields, name: string): unknown {
  return isInherited(name) && !Object.hasOwn(fields, name) ? undefined : fields[name];
}

/**
 * The value of a name. Its first part is the innermost field of that name; each further part is a field of
 * what was found so far, with no second search further out. `undefined` when there is none.
 */
export function lookUp(name: Name, scope: Scope): unknown {
  const [first, ...rest] = name.path;
  if (first === undefined) return name.text === '.' ? scope.value : undefined;
  let value: unknown;
  for (let level: Scope | null = scope; level !== null && value === undefined; level = level.parent) {
    value = field(level.fields, first);
  }
  for (const part of rest) value = field(fieldsOf(value), part);
  return value;
}

/**
 * Whether a section prints. The Mustache specification leaves this to the host language, so false, 0, NaN, the
 * empty text, null, a missing value and the empty list do not print, and a text or a number can serve as a
 * condition: `{{#last_error}}It failed: {{last_error}}{{/last_error}}`. Functions count as missing.
 */
export function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value) && typeof value !== 'function';
}

/**
 * How a value prints: a number as JavaScript prints it; null, what is missing and objects as nothing; a list as
 * its items joined by a comma and a blank.
 */
export function printValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      return Array.isArray(value) ? value.map(printItem).join(', ') : '';
  }
}

function printItem(item: unknown): string {
  return Array.isArray(item) ? '' : printValue(item);
}
