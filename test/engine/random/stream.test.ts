import { describe, expect, it } from 'vitest';
import { openStream } from '../../../server/src/engine/random/stream.ts';

function draws(n: number, ...key: (string | number)[]): number[] {
  const stream = openStream(...key);
  return Array.from({ length: n }, () => stream.below(1_000_000));
}

/** Pearson's statistic of counts that should be equal. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, n) => sum + n, 0) / counts.length;
  return counts.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
}

describe('streams', () => {
  it('are the same for the same key and differ for another', () => {
    expect(draws(50, 'a', 1)).toEqual(draws(50, 'a', 1));
    expect(draws(50, 'a', 1)).not.toEqual(draws(50, 'a', 2));
    expect(draws(50, 'a', 1, 2)).not.toEqual(draws(50, 'a', 12));
  });

  it('draw these numbers on every machine', () => {
    expect(draws(5, 'hopscope', 1)).toMatchInlineSnapshot(`
      [
        91025,
        61281,
        467004,
        716619,
        606605,
      ]
    `);
  });

  it('are uniform within a stream and over the first draws of neighbouring keys', () => {
    const within = new Array<number>(20).fill(0);
    const across = new Array<number>(20).fill(0);
    const stream = openStream('uniform');
    for (let i = 0; i < 20_000; i++) {
      const a = stream.below(20);
      const b = openStream('key', i).below(20);
      within[a] = (within[a] ?? 0) + 1;
      across[b] = (across[b] ?? 0) + 1;
    }
    // 19 degrees of freedom: above 43.8 once in a thousand.
    expect(chiSquare(within)).toBeLessThan(43.8);
    expect(chiSquare(across)).toBeLessThan(43.8);
  });

  it('keep to their ranges', () => {
    const stream = openStream('ranges');
    for (let i = 0; i < 1000; i++) {
      expect(stream.between(-3, 3)).toBeGreaterThanOrEqual(-3);
      expect(stream.between(-3, 3)).toBeLessThanOrEqual(3);
      expect(stream.below(1)).toBe(0);
      expect(stream.unit()).toBeLessThan(1);
    }
    expect(() => stream.pick([])).toThrow(RangeError);
    expect(stream.shuffle([1, 2, 3, 4, 5]).sort()).toEqual([1, 2, 3, 4, 5]);
  });
});
