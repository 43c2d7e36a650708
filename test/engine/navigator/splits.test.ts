/** The four splits at full size: the bytes that `hopscope generate` writes, and how often attempts are rejected. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generate } from '../../../server/src/engine/environments/navigator/generate.ts';
import { splits } from '../../../server/src/engine/environments/navigator/splits.ts';
import sums from './splits.sha256.json' with { type: 'json' };

/** Rejected attempts per attempt in the published splits. */
const published: Readonly<Record<string, number>> = {
  train: 68 / 2068,
  id_test: 15 / 315,
  ood_test: 56 / 356,
  scale_test: 8 / 158,
};

/** What the published splits rejected attempts for, and nothing else. */
const reasons = [
  'distractor_reaches_answer',
  'near_miss_path_reaches_answer',
  'separation',
  'superseded_path_reaches_answer',
];

interface Whole {
  readonly sha256: string;
  readonly attempts: number;
  readonly rejected: number;
  readonly reasons: Readonly<Record<string, number>>;
}

function generateAll(split: string, from: number, count: number): Whole {
  const hash = createHash('sha256');
  const reasons: Record<string, number> = {};
  let attempts = 0;
  for (let index = from; index < from + count; index++) {
    const made = generate(split, index);
    if (!made.ok) throw new Error(made.error);
    hash.update(`${JSON.stringify(made.value.instance)}\n`);
    attempts += made.value.attempts;
    for (const [code, n] of Object.entries(made.value.reasons)) reasons[code] = (reasons[code] ?? 0) + n;
  }
  return { sha256: hash.digest('hex'), attempts, rejected: attempts - count, reasons };
}

describe.each(splits)('split $id at full size', ({ id, size }) => {
  const whole = generateAll(id, 0, size);

  it('has the bytes it always had', () => {
    expect(whole.sha256).toBe(sums[id as keyof typeof sums]);
  });

  it('rejects attempts about as often as the original, for the same reasons', () => {
    const rate = published[id] ?? Number.NaN;
    expect(whole.rejected / whole.attempts).toBeGreaterThan(rate / 2);
    expect(whole.rejected / whole.attempts).toBeLessThan(rate * 2);
    expect(Object.keys(whole.reasons).sort()).toEqual(reasons);
  });
});

describe('rejections in the long run', () => {
  /**
   * The small splits have so few rejections that their rates say little. Over 3,000 other instances of two and three
   * hops chance is small: the published 83 of 2,383 (3.5 %) has a standard error of 0.4 % and ours of 0.3 %.
   */
  it('come to the published rate for two and three hops', () => {
    const { attempts, rejected } = generateAll('train', 10_000, 3000);
    expect(Math.abs(rejected / attempts - 83 / 2383)).toBeLessThan(3 * 0.005);
  });
});
