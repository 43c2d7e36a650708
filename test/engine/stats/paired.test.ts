import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openStream } from '../../../server/src/engine/random/stream.ts';
import { mcnemarExact, signTest } from '../../../server/src/engine/stats/exact-tests.ts';
import { mean, standardError } from '../../../server/src/engine/stats/means.ts';
import {
  bootstrapInterval,
  pairedDifference,
  pairsToResolve,
} from '../../../server/src/engine/stats/paired.ts';
import { passRates } from '../../../server/src/engine/stats/pass-at-k.ts';
import { wilson95 } from '../../../server/src/engine/stats/wilson.ts';
import { checkFields, describeShared, type Fields, readVectors } from '../../support/shared.ts';

/** Digits to which sums in another order agree. */
const digits = 12;

function expectClose(found: unknown, expected: unknown): void {
  if (typeof expected === 'number') expect(found).toBeCloseTo(expected, digits);
  else expect(found).toBe(expected);
}

type Row =
  | { kind: 'mcnemar_exact'; only_a: number; only_b: number; p: number }
  | { kind: 'sign_test'; plus: number; minus: number; zero: number; p: number }
  | { kind: 'wilson_95'; successes: number; n: number; interval: [number, number] }
  | { kind: 'mean_se'; values: number[]; mean: number | null; se: number | null }
  | { kind: 'paired_difference'; a: number[]; b: number[]; mean: number | null; se: number | null };

const fields: Readonly<Record<Row['kind'], Fields>> = {
  mcnemar_exact: { required: ['kind', 'only_a', 'only_b', 'p'] },
  sign_test: { required: ['kind', 'plus', 'minus', 'zero', 'p'] },
  wilson_95: { required: ['kind', 'successes', 'n', 'interval'] },
  mean_se: { required: ['kind', 'values', 'mean', 'se'] },
  paired_difference: { required: ['kind', 'a', 'b', 'mean', 'se'] },
};

describeShared('statistics', () => {
  it.each(readVectors<Row>('statistics.jsonl'))('$kind of %j', (row) => {
    checkFields(row, fields[row.kind] ?? expect.fail(`unknown: ${row.kind}`), row.kind);
    switch (row.kind) {
      case 'mcnemar_exact':
        return expectClose(mcnemarExact(row.only_a, row.only_b), row.p);
      case 'sign_test':
        return expectClose(signTest(row.plus, row.minus), row.p);
      case 'wilson_95':
        return row.interval.forEach((end, i) => {
          expectClose(wilson95(row.successes, row.n)?.[i], end);
        });
      case 'mean_se':
        expectClose(mean(row.values), row.mean);
        return expectClose(standardError(row.values), row.se);
      case 'paired_difference': {
        const found = pairedDifference(row.a, row.b);
        expectClose(found.mean, row.mean);
        return expectClose(found.error, row.se);
      }
    }
  });
});

interface PassRow {
  readonly rollouts_per_example: number;
  readonly correct_counts: readonly number[];
  readonly pass_at_k: Readonly<Record<string, number>>;
  readonly pass_all_k: Readonly<Record<string, number>>;
}

describeShared('pass@k', () => {
  const rows = readVectors<PassRow>('pass-at-k.jsonl', {
    required: ['rollouts_per_example', 'correct_counts', 'pass_at_k', 'pass_all_k'],
  });
  it.each(rows)('of $rollouts_per_example rollouts', (row) => {
    const found = passRates(row.rollouts_per_example, row.correct_counts);
    for (const key of ['pass_at_k', 'pass_all_k'] as const) {
      expect(Object.keys(found[key])).toEqual(Object.keys(row[key]));
      for (const [k, value] of Object.entries(row[key])) expectClose(found[key][k], value);
    }
  });
});

describe('exact tests', () => {
  it('see nothing where nothing differs, whichever side is named first', () => {
    expect(mcnemarExact(0, 0)).toBe(1);
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), (a, b) => {
        const p = signTest(a, b);
        expect(p).toBe(mcnemarExact(b, a));
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('stay exact for many pairs', () => {
    expect(signTest(0, 900)).toBe(2 ** -899);
    // The normal approximation with continuity correction is good to some per mille here.
    expect(signTest(5100, 4900)).toBeCloseTo(0.0466, 3);
  });

  it.each([-1, 0.5, Number.NaN])('refuse %s pairs', (count) => {
    expect(() => mcnemarExact(count, 1)).toThrow(RangeError);
  });
});

describe('wilson95', () => {
  it('holds the share and stays within 0 to 1', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, part) => {
          const successes = Math.round(part * n);
          const [low = Number.NaN, high = Number.NaN] = wilson95(successes, n) ?? [];
          expect(low).toBeGreaterThanOrEqual(0);
          expect(high).toBeLessThanOrEqual(1);
          // Where all or none succeed the end is the share itself, up to rounding.
          expect(low).toBeLessThanOrEqual(successes / n + 1e-12);
          expect(high).toBeGreaterThanOrEqual(successes / n - 1e-12);
        },
      ),
    );
    expect(wilson95(0, 0)).toBeNull();
  });
});

describe('bootstrapInterval', () => {
  const stream = openStream('test', 'bootstrap');
  const values = Array.from({ length: 400 }, () => stream.unit());

  it('is the same for the same seed and another for another', () => {
    const interval = bootstrapInterval(values, 7);
    expect(bootstrapInterval([...values], 7)).toEqual(interval);
    expect(bootstrapInterval(values, 8)).not.toEqual(interval);
  });

  it('is about as wide as theory says', () => {
    const [low = 0, high = 0] = bootstrapInterval(values) ?? [];
    const width = 2 * 1.96 * (standardError(values) ?? 0);
    expect((high - low) / width).toBeCloseTo(1, 1);
    expect((low + high) / 2).toBeCloseTo(mean(values) ?? 0, 2);
  });

  it('is a point where nothing varies, and nothing below two values', () => {
    expect(bootstrapInterval([0.3, 0.3, 0.3])).toEqual([0.3, 0.3]);
    expect(bootstrapInterval([1])).toBeNull();
  });
});

describe('pairsToResolve', () => {
  it.each([
    // ((1.96 + 0.84) × 1 / 0.5)² = 31.4 pairs for half a deviation.
    [{ n: 100, mean: 0.5, error: 0.1 }, 32],
    [{ n: 100, mean: -0.5, error: 0.1 }, 32],
    [{ n: 100, mean: 5, error: 0.001 }, 6],
    [{ n: 100, mean: 0, error: 0.1 }, null],
    [{ n: 1, mean: 1, error: null }, null],
  ])('of %j: %j', (difference, pairs) => {
    expect(pairsToResolve(difference)).toBe(pairs);
  });
});

it('takes only lists of one length for pairs', () => {
  expect(() => pairedDifference([1], [1, 2])).toThrow(RangeError);
});
