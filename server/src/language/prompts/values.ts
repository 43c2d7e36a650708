/** What a name in a step prompt stands for where the prompt is previewed. */

import type { Name, SectionNode } from '../../engine/prompts/template.ts';
import { fieldsOf, isTrue, lookUp, printValue, rootScope, type Scope } from '../../engine/prompts/values.ts';

/** Values looked at: a list may have hundreds of items. */
const most = 5;

/** Rounds of sections that are followed: lists in lists multiply. */
const mostRounds = 20_000;

export interface NamedValues {
  /** One value outside of lists; inside of sections over lists one for each item, the first few. */
  readonly values: readonly unknown[];
  /** How many there are in all; at least so many when not all are counted. */
  readonly count: number;
  readonly isCounted: boolean;
}

/** The values of `name` inside of `scopes`, outermost first. None where a section around it does not print. */
export function valuesOf(
  name: Name,
  scopes: readonly SectionNode[],
  observation: Readonly<Record<string, unknown>>,
): NamedValues {
  const values: unknown[] = [];
  let count = 0;
  let roundsLeft = mostRounds;
  const enter = (scope: Scope, depth: number): void => {
    const section = scopes[depth];
    if (section === undefined) {
      count++;
      if (values.length < most) values.push(lookUp(name, scope));
      return;
    }
    const value = lookUp(section.name, scope);
    if (isTrue(value) === section.inverted) return;
    if (section.inverted) {
      enter(scope, depth + 1);
      return;
    }
    for (const item of Array.isArray(value) ? value : [value]) {
      if (--roundsLeft < 0) return;
      enter({ value: item, fields: fieldsOf(item), parent: scope }, depth + 1);
    }
  };
  enter(rootScope(observation), 0);
  return { values, count, isCounted: roundsLeft >= 0 };
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
