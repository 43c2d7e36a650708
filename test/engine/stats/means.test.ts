import { expect, it } from 'vitest';
import { mean, standardError } from '../../../server/src/engine/stats/means.ts';

const cases: readonly { values: number[]; mean: number | null; error: number | null }[] = [
  { values: [], mean: null, error: null },
  { values: [0.5], mean: 0.5, error: null },
  { values: [2, 2, 2], mean: 2, error: 0 },
  { values: [1, 3], mean: 2, error: 1 },
  { values: [0.95, 0.9, -0.5, 0, 0, 0.95], mean: 2.3 / 6, error: 0.25712081034235856 },
];

it.each(cases)('mean and standard error of $values', ({ values, mean: centre, error }) => {
  if (centre === null) expect(mean(values)).toBeNull();
  else expect(mean(values)).toBeCloseTo(centre, 12);
  if (error === null) expect(standardError(values)).toBeNull();
  else expect(standardError(values)).toBeCloseTo(error, 12);
});
