/**
 * The generator behind numpy's `default_rng(seed)`, as far as a shuffle needs it: a seed sequence, PCG64 with the XSL-RR
 * output and its 32-bit halves. It is here because published runs choose their instances with it.
 *
 * Sources: O'Neill, "PCG: A family of simple fast space-efficient statistically good algorithms for random number generation"
 * (2014), and O'Neill's `seed_seq` for 32-bit words. Numbers were held against permutations made by numpy.
 */

const mask32 = 0xffff_ffffn;
const mask64 = (1n << 64n) - 1n;
const mask128 = (1n << 128n) - 1n;
const multiplier = 0x2360ed051fc65da44385df649fccf645n;

/** Draws uniform 32-bit numbers, 0 to 2^32 − 1: the low half of each output first, then the high half. */
export function openPcg64(seed: number): () => number {
  const [high = 0n, low = 0n, streamHigh = 0n, streamLow = 0n] = seedWords(seed);
  const increment = ((((streamHigh << 64n) | streamLow) << 1n) | 1n) & mask128;
  let state = (increment + ((high << 64n) | low)) & mask128;
  const step = () => {
    state = (state * multiplier + increment) & mask128;
  };
  step();
  let kept: bigint | null = null;
  return () => {
    if (kept !== null) {
      const half = Number(kept);
      kept = null;
      return half;
    }
    step();
    const output = rotateRight64((state >> 64n) ^ (state & mask64), state >> 122n);
    kept = output >> 32n;
    return Number(output & mask32);
  };
}

function rotateRight64(value: bigint, by: bigint): bigint {
  return ((value >> by) | (value << (64n - by))) & mask64;
}

const poolSize = 4;

/** Four 64-bit words from a seed, every one of which depends on every bit of it. */
function seedWords(seed: number): bigint[] {
  const entropy = [seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0];
  const pool = mixedPool(entropy);
  let hash = 0x8b51f9dd;
  const words = Array.from({ length: 2 * poolSize }, (_, i) => {
    const mixed = (pool[i % poolSize] ?? 0) ^ hash;
    hash = Math.imul(hash, 0x58f38ded);
    return folded(Math.imul(mixed, hash));
  });
  return Array.from({ length: poolSize }, (_, i) => {
    const [low = 0, high = 0] = words.slice(2 * i);
    return (BigInt(high) << 32n) | BigInt(low);
  });
}

/** Spreads up to {@link poolSize} words of 32 bits over a pool of that size. */
function mixedPool(entropy: readonly number[]): number[] {
  let hash = 0x43b0d7e5;
  const hashed = (value: number): number => {
    const mixed = value ^ hash;
    hash = Math.imul(hash, 0x931e8875);
    return folded(Math.imul(mixed, hash));
  };
  const pool = Array.from({ length: poolSize }, (_, i) => hashed(entropy[i] ?? 0));
  for (let from = 0; from < poolSize; from++) {
    for (let to = 0; to < poolSize; to++) {
      if (from === to) continue;
      const other = hashed(pool[from] ?? 0);
      pool[to] = folded(Math.imul(0xca01f9dd, pool[to] ?? 0) - Math.imul(0x4973f715, other));
    }
  }
  return pool;
}

/** Mixes the high half of a 32-bit word into its low half. */
function folded(value: number): number {
  return (value ^ (value >>> 16)) >>> 0;
}
