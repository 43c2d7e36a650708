/** How a figure differs over pairs of instances, all in all and by group. */
import { mcnemarExact, signTest } from '../../stats/exact-tests.ts';
import { bootstrapInterval, differences, pairedDifference, pairsToResolve } from '../../stats/paired.ts';
import { pairsForMcnemar } from '../../stats/power.ts';
import { groupRows } from '../summarize.ts';
import type { Pair } from './pairing.ts';

/** How likely the pairs would be so lopsided if neither run were better. */
export interface PairedTest {
  /** McNemar's test of single episodes, or the sign test of means. Both are exact and two-sided. */
  readonly name: 'mcnemar' | 'sign';
  /** Instances on which the first, the second and neither is better. */
  readonly aBetter: number;
  readonly bBetter: number;
  readonly equal: number;
  readonly p: number;
}

/** How a figure differs over the pairs. */
export interface Difference {
  /** Means over the pairs alone. */
  readonly a: number;
  readonly b: number;
  readonly mean: number;
  /** Standard error of the difference; null for one pair. */
  readonly error: number | null;
  /** 95 % bootstrap interval of the difference; null for one pair. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly test: PairedTest;
  /**
   * Instances that it takes to tell a difference of this size from chance: for correct episodes by the power of the exact
   * test, for rewards approximately. Never below 6; null when there is no difference or it takes more than can be said.
   */
  readonly resolves: number | null;
}

/** The pairs of one group. */
export interface GroupDifference {
  /** By the environment's groupings, e.g. `n_hops`. */
  readonly grouping: string;
  readonly value: string | number;
  readonly instances: number;
  readonly reward: Difference;
  readonly accuracy: Difference;
}

/** Means of the same numbers, added up in another order, may differ by less than this. */
const rounding = 1e-12;

/** How the mean reward differs. */
export function compareRewards(pairs: readonly Pair[], seed: string): Difference {
  return compareFigure(pairs, 'reward', 'sign', seed);
}

/** How the share of correct episodes differs. */
export function compareAccuracies(pairs: readonly Pair[], seed: string): Difference {
  const isSingle = pairs.every(({ a, b }) => a.episodes.length === 1 && b.episodes.length === 1);
  return compareFigure(pairs, 'solved', isSingle ? 'mcnemar' : 'sign', seed);
}

function compareFigure(
  pairs: readonly Pair[],
  figure: 'reward' | 'solved',
  name: PairedTest['name'],
  seed: string,
): Difference {
  const left = pairs.map(({ a }) => a[figure]);
  const right = pairs.map(({ b }) => b[figure]);
  const found = differences(right, left);
  const paired = pairedDifference(right, left);
  const aBetter = found.filter((difference) => difference < -rounding).length;
  const bBetter = found.filter((difference) => difference > rounding).length;
  return {
    a: meanOf(left),
    b: meanOf(right),
    mean: paired.mean ?? 0,
    error: paired.error,
    interval: bootstrapInterval(found, seed),
    test: {
      name,
      aBetter,
      bBetter,
      equal: pairs.length - aBetter - bBetter,
      p: name === 'mcnemar' ? mcnemarExact(aBetter, bBetter) : signTest(bBetter, aBetter),
    },
    resolves: figure === 'solved' ? pairsForMcnemar(aBetter, bBetter, pairs.length) : pairsToResolve(paired),
  };
}

/** @param values at least one. */
function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The differences of each group of every grouping. */
export function compareGroups(pairs: readonly Pair[], seed: string): GroupDifference[] {
  const groupings = new Set(pairs.flatMap(({ groups }) => Object.keys(groups)));
  return [...groupings].flatMap((grouping) =>
    groupRows(pairs, ({ groups }) => groups[grouping]).map(([value, group]) => ({
      grouping,
      value,
      instances: group.length,
      reward: compareRewards(group, seed),
      accuracy: compareAccuracies(group, seed),
    })),
  );
}
