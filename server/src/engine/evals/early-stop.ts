/** Ending a comparison of two runs before its end, once it is clear which one is better. */
import { mean, standardError } from '../stats/means.ts';

/** Takes in the episodes of two runs as they are scored. */
export interface Decision {
  /**
   * @param side which run, 0 or 1
   * @param task number of the episode in the plan, the same in both runs
   * @returns the sentence that says what is clear, once something is; null before.
   */
  add(side: 0 | 1, task: number, reward: number): string | null;
}

/**
 * How far the difference must be from 0, in standard errors, when all pairs are in; before that it must be further by the
 * root of their share. Whoever looks after every pair is then misled at most once in twenty comparisons of equal runs,
 * where an ordinary interval would mislead far more often. It is the 95 % quantile of the largest |W(t)| of a Brownian motion
 * on 0 to 1. Source: O'Brien & Fleming, "A multiple testing procedure for clinical trials" (1979), for endlessly many looks.
 */
const boundary = 2.2414;

/** Fewer pairs say nothing about their spread. */
const fewest = 10;

/** @param planned pairs there will be in the end. */
export function openDecision(planned: number): Decision {
  const halves = new Map<number, { readonly side: 0 | 1; readonly reward: number }>();
  const differences: number[] = [];
  return {
    add(side, task, reward) {
      const other = halves.get(task);
      if (other === undefined || other.side === side) {
        halves.set(task, { side, reward });
        return null;
      }
      halves.delete(task);
      differences.push(side === 1 ? reward - other.reward : other.reward - reward);
      return decide(differences, planned);
    },
  };
}

/** @param differences of the pairs so far, the second run less the first. */
function decide(differences: readonly number[], planned: number): string | null {
  const n = differences.length;
  const centre = mean(differences);
  const error = standardError(differences);
  if (n < fewest || centre === null || error === null) return null;
  const limit = boundary * Math.sqrt(planned / n);
  if (Math.abs(centre) <= limit * error) return null;
  const better = centre > 0 ? 'second' : 'first';
  const amount = Math.abs(centre).toFixed(3);
  return `The ${better} run is better by ${amount} ± ${error.toFixed(3)} after ${n} of ${planned} pairs, which is clear enough.`;
}
