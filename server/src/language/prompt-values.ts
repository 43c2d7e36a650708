/** What a name in a step prompt stands for where the prompt is previewed. */

import type { Name, SectionNode } from '../engine/prompts/template.ts';
import { fieldsOf, isTrue, lookUp, printValue, rootScope, type Scope } from '../engine/prompts/values.ts';

/** Values looked at: a list may have hundreds of items. */
const most = 5;

export interface NamedValues {
  /** One value outside of lists; inside of sections over lists one for each item, the first few. */
  readonly values: readonly unknown[];
  /** How many there are in all. */
  readonly count: number;
}

/** The values of `name` inside of `scopes`, outermost first. None where a section around it does not print. */
export function valuesOf(
  name: Name,
  scopes: readonly SectionNode[],
  observation: Readonly<Record<string, unknown>>,
): NamedValues {
  let levels: Scope[] = [rootScope(observation)];
  for (const { name: around, inverted } of scopes) {
    levels = levels.flatMap((parent) => {
      const value = lookUp(around, parent);
      if (isTrue(value) === inverted) return [];
      if (inverted) return [parent];
      const items: readonly unknown[] = Array.isArray(value) ? value : [value];
      return items.map((item) => ({ value: item, fields: fieldsOf(item), parent }));
    });
  }
  return { values: levels.slice(0, most).map((scope) => lookUp(name, scope)), count: levels.length };
}

/** Longest value shown: length in UTF-16 code units, and lines. */
const shown = { length: 600, lines: 12 };

/** A value as text, cut; a list with fields as the number of its items. */
export function showValue(value: unknown): string {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object')) {
    return value.length === 1 ? '1 item' : `${value.length} items`;
  }
  if (Array.isArray(value) && value.length === 0) return '(empty list)';
  const text = value === undefined || value === null ? '(nothing)' : printValue(value);
  if (text === '') return typeof value === 'string' ? '(empty text)' : '(fields)';
  const lines = text.slice(0, shown.length).split('\n').slice(0, shown.lines).join('\n');
  return lines.length < text.length ? `${lines}…` : text;
}
