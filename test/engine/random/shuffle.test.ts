import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { permutation } from '../../../server/src/engine/random/shuffle.ts';
import { describeShared, readVectors } from '../../support/shared.ts';

interface Row {
  readonly algorithm: string;
  readonly seed: number;
  readonly n: number;
  readonly permutation: readonly number[];
}

describeShared('permutations of numpy and Python', () => {
  const rows = readVectors<Row>('shuffle.jsonl', { required: ['algorithm', 'seed', 'n', 'permutation'] });
  const algorithms = { numpy_default_rng_permutation: 'numpy', python_random_shuffle: 'python' } as const;
  const algorithmOf = (name: string) =>
    Object.entries(algorithms).find(([known]) => known === name)?.[1] ?? expect.fail(`unknown: ${name}`);

  it.each(rows)('$algorithm of $n with seed $seed', (row) => {
    expect(permutation(algorithmOf(row.algorithm), row.seed, row.n)).toEqual(row.permutation);
  });
});

describe.each(['numpy', 'python'] as const)('a permutation as of %s', (algorithm) => {
  it('has every number once, for any seed', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.nat(300), (seed, n) => {
        const list = permutation(algorithm, seed, n);
        expect(list.sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
      }),
    );
  });

  it('depends on every part of the seed', () => {
    const seeds = [0, 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 52, Number.MAX_SAFE_INTEGER];
    const orders = new Set(seeds.map((seed) => permutation(algorithm, seed, 50).join()));
    expect(orders.size).toBe(seeds.length);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('refuses the seed %s', (seed) => {
    expect(() => permutation(algorithm, seed, 3)).toThrow(RangeError);
  });

  it.each([-1, 0.5, Number.NaN, 1e9])('refuses %s things', (n) => {
    expect(() => permutation(algorithm, 0, n)).toThrow(RangeError);
  });
});
