/** Means and their standard errors, with "there is none" said as null rather than as NaN. */

/** The arithmetic mean; null for no values. Summed from the first value on, so that equal values give just that. */
export function mean(values: readonly number[]): number | null {
  const [first] = values;
  if (first === undefined) return null;
  let sum = 0;
  for (const value of values) sum += value - first;
  return first + sum / values.length;
}

/**
 * The standard error of the mean: the sample standard deviation (n - 1 degrees of freedom) over the root of n.
 * Null below two values, where nothing is known about the spread.
 */
export function standardError(values: readonly number[]): number | null {
  const centre = mean(values);
  if (centre === null || values.length < 2) return null;
  let squares = 0;
  for (const value of values) squares += (value - centre) ** 2;
  return Math.sqrt(squares / (values.length - 1) / values.length);
}
