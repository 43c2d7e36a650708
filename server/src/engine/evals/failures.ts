/** Why episodes of a run have no score, each reason once, however many episodes it cost. */
import type { ModelFailure } from './model.ts';
import type { RunEpisode } from './run-data.ts';

/** A reason and how many episodes failed for good by it. */
export interface FailureCount {
  readonly count: number;
  readonly code: ModelFailure['code'];
  /** The provider's own words. */
  readonly message: string;
  readonly advice: string;
}

/** The distinct failures of episodes without a score, the most frequent first, then as they came. */
export function countFailures(episodes: readonly RunEpisode[]): readonly FailureCount[] {
  const found = new Map<string, FailureCount>();
  for (const { outcome, error } of episodes) {
    if (outcome !== null || error === null) continue;
    const { code, message, advice } = error;
    const key = JSON.stringify([code, message, advice]);
    found.set(key, { code, message, advice, count: (found.get(key)?.count ?? 0) + 1 });
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}
