/**
 * Why an episode failed: the slip that came first among those that its last set still suffers from. A slip that was made
 * good later, as by finding an item again, is no cause.
 */
import type { Explanation } from '../commentary.ts';
import { normalizeItem } from './answer.ts';
import { grade } from './grade.ts';
import { type Instance, printOperation } from './instance.ts';
import { isOver, type State } from './state.ts';
import { type Fault, type FaultKind, faultsOf, gradeTurn } from './turns.ts';

/** The kinds of faults, and `unfinished` for an episode that goes on. */
export type Cause = FaultKind | 'unfinished';

/** Explains an episode by its states, from the start on. Its cause is null when it ended correctly. */
export function explain(states: readonly State[]): Explanation | null {
  const last = states.at(-1);
  if (last === undefined) return null;
  const { instance, turns } = last;
  const faults = turns.map((turn, chunk) => faultsOf(instance, chunk, turn));
  const lost = firstLoss(last);
  const nothing = { cause: null, step: null, hop: null, sentence: null };
  return {
    ...(isOver(last) ? (endOf(last, faults) ?? nothing) : unfinished),
    unwinnableAt: lost !== null && lost < instance.chunks.length ? lost : null,
    lostBridgeAt: lost,
    counts: {
      missed_gets: count(faults, 'missed-get'),
      missed_drops: count(faults, 'missed-drop'),
      lost_items: count(faults, 'lost-item') + count(faults, 'obeyed-distractor'),
      invented_items: count(faults, 'invented-item') + count(faults, 'took-distractor'),
      lost_blocks: turns.filter(({ reported }) => reported === null).length,
    },
  };
}

type Finding = Pick<Explanation, 'cause' | 'step' | 'hop' | 'sentence'>;

const unfinished: Finding = {
  cause: 'unfinished' satisfies Cause,
  step: null,
  hop: null,
  sentence: 'The episode goes on.',
};

function count(faults: readonly (readonly Fault[])[], kind: FaultKind): number {
  return faults.flat().filter((fault) => fault.kind === kind).length;
}

/** The cause of an episode that is over; null for a right end. */
function endOf(last: State, faults: readonly (readonly Fault[])[]): Finding | null {
  const { instance, turns } = last;
  const final = turns.at(-1)?.reported ?? null;
  const { reward, missing, extra } = grade(final, instance.truth);
  if (reward > 0) return null;
  if (final === null) {
    const tooLong = turns.at(-1)?.tooLong === true;
    const cause: Cause = tooLong ? 'answer-too-long' : 'no-answer';
    const sentence = tooLong
      ? 'The answer block of the last reply is too long, so nothing was reported.'
      : 'The last reply has no complete answer block, so nothing was reported.';
    return { cause, step: turns.length, hop: null, sentence };
  }
  const since = [
    ...missing.map((item) => ({ item, turn: wrongSince(last, 'missing', item) })),
    ...extra.map((item) => ({ item, turn: wrongSince(last, 'extra', item) })),
  ].sort((a, b) => a.turn - b.turn);
  const [first = { item: '', turn: turns.length }] = since;
  const fault = faults[first.turn - 1]?.find(({ item }) => item === first.item);
  // An item that went wrong in a turn has a fault there: neither is carried into it as it is carried out of it.
  const kind = fault?.kind ?? 'invented-item';
  const sentence = sentenceOf(instance, first.turn, first.item, kind, fault?.operation ?? null);
  return { cause: kind, step: first.turn, hop: fault?.operation ?? null, sentence };
}

/** The turn, from 1, from which on `item` was wrong in every set up to the last. */
function wrongSince(state: State, how: 'missing' | 'extra', item: string): number {
  const right = state.turns.findLastIndex(
    (_, turn) => gradeTurn(state, turn)?.[how].includes(item) === false,
  );
  return right + 2;
}

/**
 * The first turn, from 1, that left out an item of the final truth which no later chunk gives again: from then on nobody
 * can know it. Null when there is none.
 */
function firstLoss({ instance, turns }: State): number | null {
  const lastGet = new Map<string, number>();
  for (const { kind, key, chunk } of instance.operations) {
    if (kind === 'GET') lastGet.set(normalizeItem(key), chunk);
  }
  const final = instance.truth.map(normalizeItem);
  const at = turns.findIndex(({ reported }, chunk) => {
    const carried = new Set(reported);
    return final.some((item) => (lastGet.get(item) ?? 0) <= chunk && !carried.has(item));
  });
  return at < 0 ? null : at + 1;
}

function sentenceOf(
  instance: Instance,
  turn: number,
  item: string,
  kind: FaultKind,
  operation: number | null,
): string {
  const named = item.length > 60 ? `"${item.slice(0, 60)}…"` : `"${item}"`;
  const one = operation === null ? undefined : instance.operations[operation];
  const tag = one === undefined ? named : printOperation(one);
  switch (kind) {
    case 'no-answer':
      return `The reply of turn ${turn} has no complete answer block, so ${named} and everything else was lost.`;
    case 'answer-too-long':
      return `The answer block of turn ${turn} holds more than can be carried, so ${named} and everything else was lost.`;
    case 'answer-form':
      return `In turn ${turn} ${named} was not reported as an item of its own.`;
    case 'missed-get':
    case 'missed-drop':
      return `${tag} of chunk ${turn} was not carried out.`;
    case 'took-distractor':
      return `In turn ${turn} ${named} was added, which only stands in the noise.`;
    case 'obeyed-distractor':
      return `In turn ${turn} ${named} was left out because of a tag that is no operation.`;
    case 'lost-item':
      return `In turn ${turn} ${named} was left out without any reason.`;
    case 'invented-item':
      return `In turn ${turn} ${named} was added, which chunk ${turn} does not have.`;
  }
}
