/**
 * The Mersenne Twister as Python's `random.Random(seed)` seeds it. It is here because published runs choose their instances
 * with it. Source: Matsumoto & Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform pseudorandom number
 * generator" (1998), with their initialisation by an array; numbers were held against permutations made by Python.
 */

const size = 624;
const shift = 397;

/** Draws uniform 32-bit numbers, 0 to 2^32 − 1. */
export function openMt19937(seed: number): () => number {
  const state = seededState(seed);
  let at = size;
  return () => {
    if (at === size) {
      renew(state);
      at = 0;
    }
    let word = state[at++] ?? 0;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  };
}

/** A state from a seed cut into words of 32 bits, the lowest first. */
function seededState(seed: number): Uint32Array {
  const high = Math.floor(seed / 2 ** 32);
  const key = high === 0 ? [seed] : [seed % 2 ** 32, high];
  const state = plainState(19650218);
  let at = 1;
  const mixIn = (factor: number, add: number) => {
    const before = state[at - 1] ?? 0;
    const word = (state[at] ?? 0) ^ Math.imul(before ^ (before >>> 30), factor);
    state[at] = word + add;
    if (++at < size) return;
    state[0] = state[size - 1] ?? 0;
    at = 1;
  };
  for (let i = 0; i < size; i++) mixIn(1664525, (key[i % key.length] ?? 0) + (i % key.length));
  for (let i = 1; i < size; i++) mixIn(1566083941, -at);
  state[0] = 0x80000000;
  return state;
}

function plainState(seed: number): Uint32Array {
  const state = new Uint32Array(size);
  let word = seed;
  for (let i = 0; i < size; i++) {
    state[i] = word;
    word = Math.imul(word ^ (word >>> 30), 1812433253) + i + 1;
  }
  return state;
}

/** Makes the next 624 words. */
function renew(state: Uint32Array): void {
  for (let i = 0; i < size; i++) {
    const word = ((state[i] ?? 0) & 0x80000000) | ((state[(i + 1) % size] ?? 0) & 0x7fffffff);
    const other = state[(i + shift) % size] ?? 0;
    state[i] = other ^ (word >>> 1) ^ (word & 1 ? 0x9908b0df : 0);
  }
}
