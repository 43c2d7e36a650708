/** Exact tests for paired outcomes: how likely so lopsided a split is when neither side is better. */

/** Doubles hold quotients down to here, in powers of two, without losing digits. */
const precision = 1000n;

/**
 * Exact McNemar test, two-sided: `onlyA` and `onlyB` count the pairs that only one side solved. Pairs that both or neither
 * solved say nothing about which is better and do not enter.
 *
 * @returns the p-value, above 0 up to 1; 1 when no pair differs.
 * @throws RangeError for counts that are no whole numbers from 0 on.
 */
export function mcnemarExact(onlyA: number, onlyB: number): number {
  return evenSplit(onlyA, onlyB);
}

/**
 * Exact sign test, two-sided: `plus` and `minus` count the pairs with a positive and a negative difference. Pairs without
 * a difference are left out, as in Dixon & Mood, "The statistical sign test" (1946).
 *
 * @returns the p-value, above 0 up to 1; 1 when no pair differs.
 * @throws RangeError for counts that are no whole numbers from 0 on.
 */
export function signTest(plus: number, minus: number): number {
  return evenSplit(plus, minus);
}

/**
 * Two-sided binomial test of an even split: twice the smaller tail of Binomial(n, 1/2), at most 1. Added up in whole
 * numbers, so that the result is right to the last digit for any n; a million pairs would take long, ten thousand do not.
 */
function evenSplit(first: number, second: number): number {
  if (![first, second].every((count) => Number.isSafeInteger(count) && count >= 0)) {
    throw new RangeError(`counts must be whole numbers from 0 on, not ${first} and ${second}`);
  }
  const n = first + second;
  const least = Math.min(first, second);
  if (first === second) return 1;
  let ways = 1n;
  let tail = 1n;
  for (let i = 1; i <= least; i++) {
    ways = (ways * BigInt(n - i + 1)) / BigInt(i);
    tail += ways;
  }
  // 2 × tail / 2^n, with the quotient taken in whole numbers that a double still holds.
  const scaled = (tail << precision) >> BigInt(n - 1);
  return Math.min(1, Number(scaled) / 2 ** Number(precision));
}
