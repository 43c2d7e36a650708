/** What the comparison page shows, as a fold over the messages it gets. */
import type { ComparisonView, FlipRow, Parting } from '../../../../server/src/protocol.ts';
import type { FlipKind, ToComparison } from './messages.ts';

/** Flips of one kind, as far as they are fetched. */
export interface FlipList {
  readonly flips: readonly FlipRow[];
  /** Place to go on from; null when all are here. */
  readonly next: number | null;
}

/** A later run against the first. */
export interface PairModel {
  /** Null while they are compared, and when they cannot be. */
  readonly comparison: ComparisonView | null;
  readonly refusal: string | null;
  readonly lists: Readonly<Record<FlipKind, FlipList>>;
  /** By {@link flipKey}, where the episodes of a flip part. */
  readonly partings: ReadonlyMap<string, Parting>;
}

export interface ComparisonModel {
  readonly round: number;
  readonly runs: readonly string[];
  readonly pairs: readonly PairModel[];
  /** Place of the pair in front. */
  readonly shown: number;
}

const noList: FlipList = { flips: [], next: 0 };
const emptyPair: PairModel = {
  comparison: null,
  refusal: null,
  lists: { fixed: noList, broken: noList },
  partings: new Map(),
};

export const emptyComparison: ComparisonModel = { round: 0, runs: [], pairs: [], shown: 0 };

/** The model after `message`. */
export function receiveComparison(model: ComparisonModel, message: ToComparison): ComparisonModel {
  if (message.kind === 'begin') {
    const { round, runs } = message;
    const pairs = runs.slice(1).map(() => emptyPair);
    return { round, runs, pairs, shown: Math.min(model.shown, Math.max(0, pairs.length - 1)) };
  }
  if (message.round !== model.round) return model;
  const pairs = model.pairs.map((pair, at) => (at === message.at ? withMessage(pair, message) : pair));
  return { ...model, pairs };
}

function withMessage(pair: PairModel, message: Exclude<ToComparison, { kind: 'begin' }>): PairModel {
  switch (message.kind) {
    case 'pair':
      return { ...pair, comparison: message.comparison, refusal: null };
    case 'refused':
      return { ...pair, refusal: message.reason };
    case 'flips': {
      const { flips, from, page } = message;
      const before = pair.lists[flips].flips.slice(0, from);
      const list = { flips: [...before, ...page.flips], next: page.next };
      return before.length < from ? pair : { ...pair, lists: { ...pair.lists, [flips]: list } };
    }
    case 'parting': {
      const partings = new Map(pair.partings).set(flipKey(message.flips, message.flip), message.parting);
      return { ...pair, partings };
    }
  }
}

/** Names a flip of a pair. */
export function flipKey(kind: FlipKind, flip: number): string {
  return `${kind} ${flip}`;
}
