/** Differences between two measurements of the same things. */
import { openStream } from '../random/stream.ts';
import { mean, standardError } from './means.ts';
import { fewestPairs } from './power.ts';
import { z95 } from './wilson.ts';

/** A mean difference; `error` is its standard error, null below two pairs. */
export interface PairedDifference {
  readonly n: number;
  readonly mean: number | null;
  readonly error: number | null;
}

/** The differences `a[i] - b[i]`. @throws RangeError for lists of different lengths. */
export function differences(a: readonly number[], b: readonly number[]): number[] {
  if (a.length !== b.length) throw new RangeError(`${a.length} and ${b.length} values are no pairs`);
  return a.map((value, i) => value - (b[i] ?? Number.NaN));
}

/** Mean and standard error of the differences `a[i] - b[i]`. @throws RangeError for lists of different lengths. */
export function pairedDifference(a: readonly number[], b: readonly number[]): PairedDifference {
  const list = differences(a, b);
  return { n: list.length, mean: mean(list), error: standardError(list) };
}

/** How often the bootstrap draws anew at most. Then the ends of an interval move by some hundredths of its width. */
const mostRounds = 10_000;
/** With more values than a thousand fewer rounds do, since the means come ever closer to a normal distribution. */
const fewestRounds = 2_000;
const mostDraws = 10_000_000;

/** How often the bootstrap of `n` values draws anew. */
function bootstrapRounds(n: number): number {
  return Math.min(mostRounds, Math.max(fewestRounds, Math.ceil(mostDraws / n)));
}

/**
 * The 95 % percentile bootstrap interval of the mean of `values`: they are drawn anew with replacement, as many as there
 * are, {@link bootstrapRounds} times over, and the interval holds the middle 95 % of the means. Source: Efron & Tibshirani, "An
 * Introduction to the Bootstrap" (1993), chapter 13. Quantiles between two means are interpolated.
 *
 * @param seed decides every draw: same arguments, same interval.
 * @returns null below two values.
 */
export function bootstrapInterval(
  values: readonly number[],
  seed: string | number = 0,
): readonly [low: number, high: number] | null {
  const n = values.length;
  const rounds = bootstrapRounds(n);
  if (n < 2) return null;
  const [first = 0] = values;
  if (values.every((value) => value === first)) return [first, first];
  const stream = openStream('bootstrap', seed, n);
  const list = Float64Array.from(values);
  const means = new Float64Array(rounds);
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += list[stream.below(n)] ?? 0;
    means[round] = sum / n;
  }
  means.sort();
  return [quantile(means, 0.025), quantile(means, 0.975)];
}

/** The value below which a share of `sorted` lies, interpolated between neighbours. */
function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? Number.NaN;
  return low + (high - low) * (at - below);
}

/** The 80 % quantile of the standard normal distribution. */
const z80 = 0.8416212335729143;

/**
 * How many pairs it takes to find a mean difference as large as the one observed: the smallest n with which a two-sided
 * test at 5 % sees it in four of five studies, `((z₀.₉₇₅ + z₀.₈₀) × deviation / mean)²` rounded up, where the deviation is
 * that of the differences observed. Source: Rosner, "Fundamentals of Biostatistics" (8th edition), equation 8.28. The
 * observed mean is itself an estimate, so this is an order of magnitude, not a promise.
 *
 * @returns null when the mean is 0 or unknown, or the spread is; at least 6, below which no exact test finds anything.
 */
export function pairsToResolve({ n, mean: difference, error }: PairedDifference): number | null {
  if (difference === null || error === null || difference === 0) return null;
  const deviation = error * Math.sqrt(n);
  return Math.max(fewestPairs, Math.ceil((((z95 + z80) * deviation) / difference) ** 2));
}
