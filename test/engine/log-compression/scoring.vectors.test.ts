/** Gate, ratio, span, score and reward against recorded values, bit for bit. */
import { expect, it } from 'vitest';
import {
  distinctContents,
  missingContents,
} from '../../../server/src/engine/environments/log-compression/fidelity.ts';
import type {
  CriticalLine,
  Instance,
} from '../../../server/src/engine/environments/log-compression/instance.ts';
import {
  type Branch,
  scoreCandidate,
} from '../../../server/src/engine/environments/log-compression/scoring.ts';
import { describeShared, readVectors } from '../../support/shared.ts';
import { checkFields } from '../../support/vectors.ts';

interface Expected {
  readonly distinct_critical: readonly string[];
  readonly missing: readonly string[];
  readonly gate: boolean;
  readonly raw_tokens: number;
  readonly candidate_tokens: number;
  readonly ratio: number;
  readonly branch: Branch;
  readonly span: number;
  readonly score: number;
  readonly reward: number;
}

interface Row {
  readonly id: string;
  readonly note: string;
  readonly raw: string;
  readonly critical: readonly CriticalLine[];
  readonly prefix_regex: string;
  readonly candidate: string;
  readonly reference_ratio: number;
  readonly ideal_ratio: number;
  readonly expected: Expected;
}

const rows = readVectors<Row>('log-compression.jsonl', {
  required: [
    'id',
    'note',
    'raw',
    'critical',
    'prefix_regex',
    'candidate',
    'reference_ratio',
    'ideal_ratio',
    'expected',
  ],
});

describeShared('log-compression scoring', () => {
  it.each(rows.map((row) => [`${row.id}: ${row.note}`, row] as const))('%s', (_, row) => {
    const fields =
      'distinct_critical missing gate raw_tokens candidate_tokens ratio branch span score reward';
    checkFields(row.expected, { required: fields.split(' ') }, row.id);
    const instance: Instance = { ...row, split: 'file', case: 'any' };
    const { rawTokens, candidateTokens, ratio, branch, span, score, reward } = scoreCandidate(
      instance,
      row.candidate,
    );
    const missing = missingContents(instance, row.candidate);
    expect({
      distinct_critical: distinctContents(instance),
      missing,
      gate: missing.length === 0,
      raw_tokens: rawTokens,
      candidate_tokens: candidateTokens,
      ratio,
      branch,
      span,
      score,
      reward,
    }).toEqual(row.expected);
  });
});
