import { describe, expect, it } from 'vitest';
import { mcnemarExact } from '../../../server/src/engine/stats/exact-tests.ts';
import { pairsForMcnemar } from '../../../server/src/engine/stats/power.ts';

/** How likely a binomial number is `count`, factor by factor. */
function chanceOf(count: number, n: number, chance: number): number {
  let product = 1;
  for (let i = 1; i <= count; i++) product *= ((n - count + i) / i) * chance;
  return product * (1 - chance) ** (n - count);
}

/** The power of the exact test with `n` pairs, over every outcome there is. */
function power(n: number, rateA: number, rateB: number): number {
  const differing = rateA + rateB;
  let sum = 0;
  for (let k = 0; k <= n; k++) {
    for (let a = 0; a <= k; a++) {
      if (mcnemarExact(a, k - a) >= 0.05) continue;
      sum += chanceOf(k, n, differing) * chanceOf(a, k, rateA / differing);
    }
  }
  return sum;
}

describe('pairsForMcnemar', () => {
  it.each([
    [0, 3, 10],
    [2, 8, 10],
    [10, 30, 100],
    [3, 1, 5],
  ])('of %i and %i of %i: the first number of pairs with the power wanted', (a, b, of) => {
    const pairs = pairsForMcnemar(a, b, of) ?? 0;
    expect(power(pairs, a / of, b / of)).toBeGreaterThanOrEqual(0.8);
    for (let n = Math.max(1, pairs - 5); n < pairs; n++) expect(power(n, a / of, b / of)).toBeLessThan(0.8);
    expect(pairsForMcnemar(b, a, of)).toBe(pairs);
  });

  it.each([
    ['every pair differs, one way', 1, 0, 1, 6],
    ['every pair differs, one way, among many', 500, 0, 500, 6],
    ['nothing differs', 0, 0, 10, null],
    ['neither side is ahead', 7, 7, 20, null],
    ['no pairs', 0, 0, 0, null],
    // As the normal approximation has it: (1.96 + 0.84)² × 1 / 0.01² = 78,489.
    ['the difference is small', 495, 505, 1000, 78_595],
    ['the difference is smaller than can be said', 4956, 5044, 10_000, null],
  ])('where %s', (_, a, b, of, pairs) => {
    expect(pairsForMcnemar(a, b, of)).toBe(pairs);
  });
});
