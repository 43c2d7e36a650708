import { beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../../../server/src/engine/environments/navigator/audit.ts';
import { baselines } from '../../../server/src/engine/environments/navigator/baselines.ts';
import type { Instance } from '../../../server/src/engine/environments/navigator/instance.ts';
import { parseQuestion } from '../../../server/src/engine/environments/navigator/policies/questions.ts';
import { population } from '../../support/population.ts';
import { describeShared, sharedInstances } from '../../support/shared.ts';

function score(id: string, instances: readonly Instance[]): number {
  const baseline = baselines.find((each) => each.id === id);
  if (baseline === undefined) throw new Error(`no baseline ${id}`);
  return instances.reduce((sum, instance) => sum + baseline.score(instance, '0'), 0) / instances.length;
}

describe('600 instances', () => {
  let instances: readonly Instance[] = [];
  beforeAll(() => {
    instances = [...population('id_test', 300), ...population('ood_test', 300)];
  });

  it.each([
    { id: 'no_read_fixed_guess', low: 0, high: 0.005 },
    { id: 'no_read_chance', low: 0.016, high: 0.018 },
    { id: 'single_chunk_oracle_expected', low: 0.17, high: 0.2 },
    // Four standard errors around the expectation.
    { id: 'single_chunk_oracle_sampled', low: 0.12, high: 0.25 },
    { id: 'single_chunk_top_overlap_contains_answer', low: 0, high: 0 },
    { id: 'full_document_oracle', low: 1, high: 1 },
  ])('$id lies between $low and $high', ({ id, low, high }) => {
    expect(score(id, instances)).toBeGreaterThanOrEqual(low);
    expect(score(id, instances)).toBeLessThanOrEqual(high);
  });

  it('pass the audit', () => {
    expect(audit.report(instances.flatMap(audit.rows)).figures.filter(({ violated }) => violated)).toEqual(
      [],
    );
  });

  it('fail the audit once answer chunks are one twentieth longer', () => {
    const planted = instances.map((instance) => {
      const answer = instance.evidence.at(-1)?.chunk_idx;
      const chunks = instance.chunks.map((chunk) =>
        chunk.idx === answer ? { ...chunk, tokens: Math.round(chunk.tokens * 1.05) } : chunk,
      );
      return { ...instance, chunks };
    });
    const violated = audit.report(planted.flatMap(audit.rows)).figures.filter((figure) => figure.violated);
    expect(violated.map(({ pool, feature }) => `${pool}:${feature}`)).toEqual([
      'answer_within_section:length',
      'answer_within_section:logreg_gated_features',
      'answer_within_section_multihop:length',
      'answer_within_section_multihop:logreg_gated_features',
    ]);
  });
});

describeShared('baselines of the original instances', () => {
  const instances = [...sharedInstances().values()];

  it('find every answer in the text and none in the likest chunk', () => {
    expect(instances.length).toBeGreaterThan(0);
    expect(score('full_document_oracle', instances)).toBe(1);
    expect(score('single_chunk_top_overlap_contains_answer', instances)).toBe(0);
  });

  it('take each question apart into the recorded chain', () => {
    for (const { question, evidence } of instances) {
      expect(parseQuestion(question)).toEqual({
        anchor: evidence[0]?.entity,
        fields: evidence.map(({ field }) => field.toLowerCase()),
      });
    }
  });
});

it('score 0 where there is nothing to find', () => {
  for (const instance of population('train', 1)) {
    const empty = { ...instance, question: 'Who?', chunks: [], evidence: [], candidate_answers: [] };
    for (const baseline of baselines) expect(baseline.score(empty, '0')).toBe(0);
  }
});
