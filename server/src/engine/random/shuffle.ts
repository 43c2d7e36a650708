/** The orders in which other tools take instances when they shuffle, so that the same seed chooses the same ones here. */
import { openMt19937 } from './mt19937.ts';
import { openPcg64 } from './pcg64.ts';

/**
 * `numpy`: `numpy.random.default_rng(seed).permutation(n)`, as data sets of the Hugging Face library are shuffled.
 * `python`: `random.Random(seed).shuffle` of 0 to n − 1.
 */
export type ShuffleAlgorithm = 'numpy' | 'python';

/** More than any split has; a permutation of so many takes about a second. */
const most = 10_000_000;

/**
 * The numbers 0 to n − 1 in the order that `seed` decides.
 *
 * @param seed a whole number from 0 to 2^53 − 1. Python takes −s for s; here a negative one is refused.
 * @throws RangeError for any other seed, and for an n that is no whole number from 0 to ten million.
 */
export function permutation(algorithm: ShuffleAlgorithm, seed: number, n: number): number[] {
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new RangeError(`a shuffle seed is a whole number from 0 on, not ${seed}`);
  }
  if (!Number.isInteger(n) || n < 0 || n > most) throw new RangeError(`cannot shuffle ${n} things`);
  const below = algorithm === 'numpy' ? numpyBelow(seed) : pythonBelow(seed);
  const list = Array.from({ length: n }, (_, i) => i);
  for (let last = n - 1; last > 0; last--) {
    const other = below(last + 1);
    const kept = list[last] ?? 0;
    list[last] = list[other] ?? 0;
    list[other] = kept;
  }
  return list;
}

/** Takes as many of the lowest bits as `n − 1` has, until the number is below `n`. */
function numpyBelow(seed: number): (n: number) => number {
  const next = openPcg64(seed);
  return (n) => {
    const mask = 2 ** (32 - Math.clz32(n - 1)) - 1;
    for (;;) {
      const drawn = (next() & mask) >>> 0;
      if (drawn < n) return drawn;
    }
  };
}

/** Takes as many of the highest bits as `n` has, until the number is below `n`. */
function pythonBelow(seed: number): (n: number) => number {
  const next = openMt19937(seed);
  return (n) => {
    const unused = Math.clz32(n);
    for (;;) {
      const drawn = next() >>> unused;
      if (drawn < n) return drawn;
    }
  };
}
