/** What policies score, held against the figures that such strategies are known to have. */
import { describe, expect, it } from 'vitest';
import { logCompression } from '../../../server/src/engine/environments/log-compression/index.ts';
import { CASES } from '../../../server/src/engine/environments/log-compression/instance.ts';
import { scaleOf } from '../../../server/src/engine/environments/log-compression/scoring.ts';
import { permutation } from '../../../server/src/engine/random/shuffle.ts';
import { average, played, records, replyOf } from './kit.ts';

const train = records('train');
const both = [...train, ...records('test')];

/** Mean reward and mean fidelity of a policy over both splits. */
function scores(policy: string) {
  const outcomes = both.map((record) => logCompression.outcome(played(record, replyOf(policy, record))));
  return {
    reward: average(outcomes.map(({ reward }) => reward)),
    fidelity: average(outcomes.map(({ metrics }) => metrics['fidelity_metric'] ?? Number.NaN)),
    rewards: outcomes.map(({ reward }) => reward),
  };
}

describe('policies', () => {
  it.each([
    ['perfect', 0.98, 1],
    ['reference', 0, 1],
    ['raw-copy', -1, 1],
    ['empty', 0, 0],
    ['count-suffix', 0, 0],
  ])('%s scores %s with a fidelity of %s', (policy, reward, fidelity) => {
    const found = scores(policy);
    expect(found.reward).toBeCloseTo(reward, 3);
    expect(found.fidelity).toBe(fidelity);
  });

  it('the first occurrence of each error comes to about 0.887, merging by first word to about 0.645', () => {
    expect(Math.abs(scores('first-occurrence').reward - 0.887)).toBeLessThan(0.02);
    const merge = scores('merge-by-first-word');
    expect(Math.abs(merge.reward - 0.645)).toBeLessThan(0.02);
    expect(merge.fidelity).toBeCloseTo(merge.reward, 3);
    const alike = merge.rewards.filter((_, at) => both[at]?.case === 'false_positive');
    expect(new Set(alike)).toEqual(new Set([0]));
  });

  it('emitting every line loses, and a search for words of trouble is fooled by decoys only', () => {
    expect(scores('every-line').reward).toBeLessThan(-0.9);
    const grep = scores('grep');
    expect(grep.fidelity).toBe(1);
    expect(grep.reward).toBeLessThan(scores('perfect').reward - 0.02);
  });

  it('a perfect output scores just below 1 where the ideal ratio was rounded down', () => {
    const rewards = scores('perfect').rewards.filter((reward) => reward > 0.5);
    expect(Math.min(...rewards)).toBeGreaterThan(0.98);
    expect(rewards.some((reward) => reward < 1)).toBe(true);
  });
});

describe('records', () => {
  it('leave no headroom in four of them, all without repeats', () => {
    const floor = train.filter(
      ({ reference_ratio, ideal_ratio }) => scaleOf(reference_ratio, ideal_ratio).branch === 'floor',
    );
    expect(floor.map(({ id }) => id)).toEqual(
      [9, 19, 29, 39].map((number) => `hs1-logs-train-false_positive-${number}`),
    );
    const inverted = train.filter(({ reference_ratio, ideal_ratio }) => ideal_ratio >= reference_ratio);
    expect(inverted.every((record) => floor.includes(record))).toBe(true);
  });

  const sample = permutation('numpy', 42, 200)
    .slice(0, 50)
    .flatMap((index) => train[index] ?? []);

  it('are chosen by the shuffle of seed 42 as the published ones are', () => {
    const counts = CASES.map((name) => sample.filter((record) => record.case === name).length);
    expect(counts).toEqual([12, 9, 7, 11, 11]);
  });

  it('have a reference about as good as the published one', () => {
    const reference = average(sample.map(({ reference_ratio }) => reference_ratio));
    expect(Math.abs(reference - 0.2143)).toBeLessThan(0.005);
    expect(logCompression.guide).toContain(`ours leaves ${reference.toFixed(4)} of the same fifty`);
  });

  it.each([
    ['timestamp', 0.182, 0.057],
    ['req_id', 0.175, 0.057],
    ['line_num', 0.132, 0.057],
    ['false_positive', 0.283, 0.244],
    ['mixed_noise', 0.245, 0.07],
  ])('of %s have ratios near %s and %s, and the page says which', (name, reference, ideal) => {
    const some = train.filter((record) => record.case === name);
    const references = average(some.map(({ reference_ratio }) => reference_ratio));
    const ideals = average(some.map(({ ideal_ratio }) => ideal_ratio));
    expect(Math.abs(references - reference)).toBeLessThan(0.012);
    expect(Math.abs(ideals - ideal)).toBeLessThan(0.012);
    expect(logCompression.guide).toContain(
      `| \`${name}\` | ${references.toFixed(3)} | ${ideals.toFixed(3)} |`,
    );
  });

  it('come to the means that the page gives', () => {
    const references = average(train.map(({ reference_ratio }) => reference_ratio));
    const ideals = average(train.map(({ ideal_ratio }) => ideal_ratio));
    expect(Math.abs(references - 0.2033)).toBeLessThan(0.005);
    expect(Math.abs(ideals - 0.0968)).toBeLessThan(0.005);
    expect(logCompression.guide).toContain(`| all | ${references.toFixed(4)} | ${ideals.toFixed(4)} |`);
  });
});

describe('a lossy reference', () => {
  const lossy = records('train', 200, { lossy_reference: true });
  const outcomes = (policy: string) =>
    lossy.map((record) => logCompression.outcome(played(record, replyOf(policy, record))));

  it('fails its own gate about as often as merging by first word does', () => {
    const fidelity = average(
      outcomes('lossy-reference').map(({ metrics }) => metrics['fidelity_metric'] ?? Number.NaN),
    );
    expect(fidelity).toBeLessThan(0.7);
    expect(lossy.flatMap((record) => logCompression.validate(record, {}))).toEqual([]);
  });

  it('makes faithful outputs lose where errors begin alike', () => {
    const rewards = outcomes('perfect').flatMap(({ reward }, at) =>
      lossy[at]?.case === 'false_positive' ? [reward] : [],
    );
    expect(average(rewards)).toBeLessThan(0);
  });
});
