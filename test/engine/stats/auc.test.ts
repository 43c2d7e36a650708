import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rankAuc } from '../../../server/src/engine/stats/auc.ts';
import { heldOutAuc } from '../../../server/src/engine/stats/logistic.ts';
import { describeShared, readShared } from '../../support/shared.ts';

interface Cases {
  readonly rank_auc_cases: readonly { scores: number[]; labels: number[]; auc: number }[];
  readonly logreg_cases: readonly { X: number[][]; y: number[]; auc: number }[];
}

/** Both are quotients of exact counts, so only the last division may round differently. */
const digits = 12;

describeShared('published areas under the curve', () => {
  const published: Cases = JSON.parse(readShared('vectors/navigator/published.json'));
  const { rank_auc_cases: ranks, logreg_cases: regressions } = published;

  it('has cases', () => {
    expect(ranks.length).toBeGreaterThan(0);
    expect(regressions.length).toBeGreaterThan(0);
  });

  it.each(ranks)('ranks $scores', ({ scores, labels, auc }) => {
    expect(rankAuc(scores, labels)).toBeCloseTo(auc, digits);
  });

  it.each(regressions)('regression over $y.length rows', ({ X, y, auc }) => {
    const width = X[0]?.length ?? 0;
    const columns = Array.from({ length: width }, (_, feature) => X.map((row) => row[feature] ?? Number.NaN));
    expect(heldOutAuc(columns, y)).toBeCloseTo(auc, digits);
  });
});

const labelled = fc.array(fc.tuple(fc.integer({ min: -4, max: 4 }), fc.boolean()), { maxLength: 40 });

it('counts the pairs in which the positive row scores higher, ties as one half', () => {
  fc.assert(
    fc.property(labelled, (rows) => {
      const positive = rows.filter(([, label]) => label);
      const negative = rows.filter(([, label]) => !label);
      let won = 0;
      for (const [high] of positive) for (const [low] of negative) won += (Math.sign(high - low) + 1) / 2;
      const pairs = positive.length * negative.length;
      const auc = rankAuc(
        rows.map(([score]) => score),
        rows.map(([, label]) => (label ? 1 : 0)),
      );
      expect(auc).toBeCloseTo(pairs === 0 ? 0.5 : won / pairs, digits);
    }),
  );
});

it('sees a class that two features give away only together', () => {
  const labels = Array.from({ length: 400 }, (_, row) => ((row * 7) % 20 < 5 ? 1 : 0));
  const noise = labels.map((_, row) => Math.sin(row * 12.9898) * 10);
  const shifted = noise.map((value, row) => value + 4 * (labels[row] ?? 0));
  expect(rankAuc(noise, labels)).toBeCloseTo(0.5, 2);
  expect(rankAuc(shifted, labels)).toBeLessThan(0.7);
  expect(heldOutAuc([noise, shifted], labels)).toBeGreaterThan(0.9);
});
