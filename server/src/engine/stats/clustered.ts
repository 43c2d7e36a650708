/** Standard errors of values that come in clusters, such as several rollouts on one instance. */
import { mean } from './means.ts';

/**
 * The standard error of the mean of values of which those with the same key are not independent: the root of
 * `m / (m − 1) × Σ (sum of the deviations in a cluster)²`, over n, for m clusters. With one value a cluster it is the
 * ordinary standard error with n − 1. Source: Cameron & Miller, "A practitioner's guide to cluster-robust inference"
 * (2015), section II, for a regression on a constant.
 *
 * @returns null below two clusters, where nothing is known about the spread.
 */
export function clusteredError(values: readonly number[], keys: readonly string[]): number | null {
  const centre = mean(values);
  if (centre === null) return null;
  const sums = new Map<string, number>();
  for (const [i, value] of values.entries()) {
    const key = keys[i] ?? '';
    sums.set(key, (sums.get(key) ?? 0) + value - centre);
  }
  const clusters = sums.size;
  if (clusters < 2) return null;
  let squares = 0;
  for (const sum of sums.values()) squares += sum ** 2;
  return Math.sqrt((squares * clusters) / (clusters - 1)) / values.length;
}
