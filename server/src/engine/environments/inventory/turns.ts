/**
 * What went wrong in which turn. A turn is held against what its own operations make of what was carried into it, so that
 * one slip is one fault and not one in every turn after it; the episode is held against the truth.
 */
import { normalizeItem } from './answer.ts';
import { type Grade, grade } from './grade.ts';
import { applyOperations, type Instance, operationsOf, truthsOf } from './instance.ts';
import type { State, Turn } from './state.ts';

/**
 * - `no-answer`: the reply has no complete block, so that everything is lost
 * - `answer-too-long`: the block holds more than can be carried, so that everything is lost
 * - `answer-form`: the item is there, but within something that is no item
 * - `missed-get`: a GET of the chunk was not carried out
 * - `missed-drop`: a DROP of the chunk was not carried out
 * - `took-distractor`: a key was added that only stands in the noise
 * - `obeyed-distractor`: a carried item went that the noise seems to drop
 * - `lost-item`: a carried item went without any reason
 * - `invented-item`: an item came that the chunk does not have
 */
export type FaultKind =
  | 'no-answer'
  | 'answer-too-long'
  | 'answer-form'
  | 'missed-get'
  | 'missed-drop'
  | 'took-distractor'
  | 'obeyed-distractor'
  | 'lost-item'
  | 'invented-item';

export interface Fault {
  readonly kind: FaultKind;
  readonly item: string;
  /** Position in the instance's operations; null when none is concerned. */
  readonly operation: number | null;
}

/** What should have been reported in the turn on `chunk` by somebody who carried `before`. */
export function expectedAfter(
  instance: Instance,
  chunk: number,
  before: readonly string[],
): readonly string[] {
  const operations = operationsOf(instance, chunk).map(({ kind, key }) => ({
    kind,
    key: normalizeItem(key),
  }));
  return applyOperations(before, operations);
}

/** The faults of one turn: items that are missing first, then those that are too many. */
export function faultsOf(
  instance: Instance,
  chunk: number,
  { before, reported, tooLong }: Turn,
): readonly Fault[] {
  const expected = expectedAfter(instance, chunk, before);
  if (reported === null) {
    const kind = tooLong ? 'answer-too-long' : 'no-answer';
    return expected.map((item) => ({ kind, item, operation: null }));
  }
  const { missing, extra } = grade(reported, expected);
  const operations = lastOperations(instance, chunk);
  const distractors = distractorsOn(instance, chunk);
  const kindOf = (operation: number | null) => instance.operations[operation ?? -1]?.kind;
  // A reply may report any number of items; so many are looked through for the ones that are missing.
  const searched = extra.slice(0, mostSearched);
  return [
    ...missing.map((item): Fault => {
      const operation = operations.get(item) ?? null;
      if (searched.some((other) => other.includes(item))) return { kind: 'answer-form', item, operation };
      if (kindOf(operation) === 'GET') return { kind: 'missed-get', item, operation };
      const isObeyed = distractors.get(item)?.some((text) => text.startsWith('[drop')) === true;
      return { kind: isObeyed ? 'obeyed-distractor' : 'lost-item', item, operation };
    }),
    ...extra.map((item, at): Fault => {
      const operation = operations.get(item) ?? null;
      if (at < mostSearched && missing.some((other) => item.includes(other)))
        return { kind: 'answer-form', item, operation };
      if (kindOf(operation) === 'DROP') return { kind: 'missed-drop', item, operation };
      return { kind: distractors.has(item) ? 'took-distractor' : 'invented-item', item, operation };
    }),
  ];
}

const mostSearched = 200;

/** The position of the last operation on each key in a chunk. */
function lastOperations({ operations }: Instance, chunk: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [at, one] of operations.entries())
    if (one.chunk === chunk) found.set(normalizeItem(one.key), at);
  return found;
}

/** The texts of the distractors in a chunk by the keys that they name. */
function distractorsOn({ distractors }: Instance, chunk: number): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const one of distractors) {
    const key = normalizeItem(one.key);
    if (one.chunk === chunk) found.set(key, [...(found.get(key) ?? []), one.text]);
  }
  return found;
}

const lefts = new WeakMap<Turn, Grade>();

/** How what is carried out of turn `at` (from 0) stands to what should be by then. */
export function gradeTurn({ instance, turns }: State, at: number): Grade | null {
  const turn = turns[at];
  if (turn === undefined) return null;
  const known = lefts.get(turn);
  if (known !== undefined) return known;
  const found = grade(turn.reported, truthsOf(instance)[at] ?? []);
  lefts.set(turn, found);
  return found;
}

/** The first turn, from 1, after which something else was carried than should be; null for none. */
export function firstWrongTurn(state: State): number | null {
  const at = state.turns.findIndex((_, turn) => isOff(state, turn));
  return at < 0 ? null : at + 1;
}

/** How many turns left something else than the truth. */
export function countWrongTurns(state: State): number {
  return state.turns.filter((_, turn) => isOff(state, turn)).length;
}

/** A reply without a block carries on nothing, which may be just what is true. */
function isOff(state: State, at: number): boolean {
  const graded = gradeTurn(state, at);
  return graded !== null && graded.missing.length + graded.extra.length > 0;
}
