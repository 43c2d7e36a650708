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
export function faultsOf(instance: Instance, chunk: number, { before, reported }: Turn): readonly Fault[] {
  const expected = expectedAfter(instance, chunk, before);
  if (reported === null) {
    return expected.map((item) => ({ kind: 'no-answer', item, operation: null }));
  }
  const { missing, extra } = grade(reported, expected);
  const operationOn = (item: string) => {
    const at = instance.operations.findLastIndex(
      (one) => one.chunk === chunk && normalizeItem(one.key) === item,
    );
    return at < 0 ? null : at;
  };
  const looksLike = (item: string, tag: RegExp) =>
    instance.distractors.some(
      (one) => one.chunk === chunk && normalizeItem(one.key) === item && tag.test(one.text),
    );
  return [
    ...missing.map((item): Fault => {
      const operation = operationOn(item);
      if (extra.some((other) => other.includes(item))) return { kind: 'answer-form', item, operation };
      if (instance.operations[operation ?? -1]?.kind === 'GET')
        return { kind: 'missed-get', item, operation };
      const kind = looksLike(item, /^\[drop/) ? 'obeyed-distractor' : 'lost-item';
      return { kind, item, operation };
    }),
    ...extra.map((item): Fault => {
      const operation = operationOn(item);
      if (missing.some((other) => item.includes(other))) return { kind: 'answer-form', item, operation };
      if (instance.operations[operation ?? -1]?.kind === 'DROP')
        return { kind: 'missed-drop', item, operation };
      return { kind: looksLike(item, /./) ? 'took-distractor' : 'invented-item', item, operation };
    }),
  ];
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
