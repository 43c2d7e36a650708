/** An interval for a share. */

/** The 97.5 % quantile of the standard normal distribution. */
export const z95 = 1.959963984540054;

/**
 * The 95 % Wilson score interval for a share of `successes` among `n`. Unlike the mean ± 2 standard errors it stays
 * within 0 to 1 and is not empty when all or none succeed. Source: Wilson, "Probable inference, the law of succession, and
 * statistical inference" (1927).
 *
 * @returns null for no trials at all, where nothing is known.
 */
export function wilson95(successes: number, n: number): readonly [low: number, high: number] | null {
  if (n <= 0) return null;
  const share = successes / n;
  const spread = z95 ** 2 / n;
  const centre = (share + spread / 2) / (1 + spread);
  const half = (z95 * Math.sqrt((share * (1 - share)) / n + spread / (4 * n))) / (1 + spread);
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
