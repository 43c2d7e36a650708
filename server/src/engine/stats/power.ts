/** How many pairs an exact paired test takes to see a difference in outcomes that are right or wrong. */

/** The level of the test, two-sided, and the share of studies that are to find the difference. */
const level = 0.05;
const wanted = 0.8;
/** Larger answers would promise what no observed rate can hold. */
const most = 100_000;
/** Below six pairs that differ, an exact two-sided test cannot reach the level: 2 / 2⁵ is above it. */
export const fewestPairs = 6;
/** Standard deviations from the mean beyond which a binomial distribution is not added up. */
const reach = 7;

/**
 * The smallest number of pairs with which the exact McNemar test (two-sided, 5 %) finds a difference in four of five
 * studies, when pairs differ as often as was observed: `onlyA` and `onlyB` of `pairs`. The power with n pairs is summed
 * over how many of them differ, a binomial number; given that, how many favour one side is binomial as well, and the
 * critical values are those of the exact test. The power of an exact test goes up and down by little with every pair, so
 * a few more pairs than the answer may have a little less of it.
 *
 * @returns from 6 to 100,000; null when it takes more, or neither side is ahead.
 */
export function pairsForMcnemar(onlyA: number, onlyB: number, pairs: number): number | null {
  if (onlyA === onlyB || pairs < 1) return null;
  const differing = Math.min(1, (onlyA + onlyB) / pairs);
  const share = Math.max(onlyA, onlyB) / (onlyA + onlyB);
  const power = powerAt(differing, share);
  let low = fewestPairs - 1;
  let high = fewestPairs;
  while (power(high) < wanted) {
    if (high === most) return null;
    low = high;
    high = Math.min(most, 2 * high);
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (power(middle) < wanted) low = middle;
    else high = middle;
  }
  // The power rises in a sawtooth: the first tooth that is high enough may lie a little below.
  const first = Math.max(fewestPairs, high - Math.ceil(2 * Math.sqrt(high)) - 4);
  for (let n = first; n < high; n++) if (power(n) >= wanted) return n;
  return high;
}

/** The power of the test with n pairs, of which the share `differing` differs and `share` of those favours one side. */
function powerAt(differing: number, share: number): (n: number) => number {
  const known = new Map<number, number>();
  const given = (k: number): number => {
    const found = known.get(k) ?? rejecting(k, share);
    known.set(k, found);
    return found;
  };
  return (n) => {
    const [from, to] = middleOf(n, differing);
    let sum = 0;
    for (let k = Math.max(from, fewestPairs); k <= to; k++) sum += binomial(n, k, differing) * given(k);
    return sum;
  };
}

/** How likely the test finds a difference among `k` pairs that differ. */
function rejecting(k: number, share: number): number {
  const critical = criticalCount(k);
  return critical < 0 ? 0 : atMost(k, critical, share) + atMost(k, critical, 1 - share);
}

/** The largest count of the rarer side at which the test of `k` differing pairs is below its level; -1 for none. */
function criticalCount(k: number): number {
  let count = Math.max(-1, Math.floor(k / 2 - Math.sqrt(k)) - 2);
  let tail = count < 0 ? 0 : atMost(k, count, 0.5);
  for (;;) {
    tail += binomial(k, count + 1, 0.5);
    if (2 * tail >= level || count + 1 > k / 2) return count;
    count++;
  }
}

/** How likely a binomial number of `n` trials is at most `count`. */
function atMost(n: number, count: number, chance: number): number {
  const [from, to] = middleOf(n, chance);
  let k = Math.min(count, to);
  let term = binomial(n, k, chance);
  let sum = 0;
  // Each term follows from its neighbour; far out they add nothing any more.
  for (; k >= from && term > sum * 1e-15; k--) {
    sum += term;
    term *= (k * (1 - chance)) / ((n - k + 1) * chance);
  }
  return sum;
}

/** The counts that a binomial number of `n` trials has, but for a vanishing rest. */
function middleOf(n: number, chance: number): readonly [from: number, to: number] {
  const deviation = Math.sqrt(n * chance * (1 - chance));
  const around = reach * deviation + (deviation === 0 ? 0 : reach ** 2 / 2);
  return [Math.max(0, Math.floor(n * chance - around)), Math.min(n, Math.ceil(n * chance + around))];
}

function binomial(n: number, k: number, chance: number): number {
  if (chance <= 0) return k === 0 ? 1 : 0;
  if (chance >= 1) return k === n ? 1 : 0;
  const ways = logFactorial(n) - logFactorial(k) - logFactorial(n - k);
  return Math.exp(ways + k * Math.log(chance) + (n - k) * Math.log1p(-chance));
}

/** Natural logarithms of the factorials from 0 on. */
const logFactorials = new Float64Array(most + 1);
for (let n = 1; n <= most; n++) logFactorials[n] = (logFactorials[n - 1] ?? 0) + Math.log(n);

function logFactorial(n: number): number {
  return logFactorials[n] ?? Number.NaN;
}
