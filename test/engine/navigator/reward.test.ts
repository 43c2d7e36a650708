import { describe, expect, it } from 'vitest';
import {
  checkRewardConfig,
  defaultReward,
  type RewardConfig,
  reward,
} from '../../../server/src/engine/environments/navigator/reward.ts';
import { checkFields, describeShared, readVectors } from '../../support/shared.ts';

interface Outcome {
  readonly ceiling_exceeded: boolean;
  readonly budget_exhausted: boolean;
  readonly answered: boolean;
  readonly answer: string | null;
  readonly ground_truth: string;
  readonly steps_used: number;
  readonly min_steps: number;
}

interface Row {
  readonly config: string;
  readonly config_values: Partial<RewardConfig>;
  readonly outcome?: Outcome;
  readonly reward?: number;
  readonly raises?: string;
  readonly config_ok?: boolean;
}

function score(config: RewardConfig, outcome: Outcome): number {
  return reward(config, {
    ceilingExceeded: outcome.ceiling_exceeded,
    budgetExhausted: outcome.budget_exhausted,
    answered: outcome.answered,
    answer: outcome.answer,
    truth: outcome.ground_truth,
    aliases: [],
    stepsUsed: outcome.steps_used,
    minSteps: outcome.min_steps,
  });
}

describeShared('reward vectors', () => {
  const rows = readVectors<Row>('navigator/rewards.jsonl', {
    required: ['config', 'config_values'],
    optional: ['outcome', 'reward', 'raises', 'config_ok', 'note'],
  });
  it.each(rows.map((row, line) => ({ row, name: `${line + 1} (${row.config})` })))(
    'line $name',
    ({ row }) => {
      checkFields(row.config_values, { required: [], optional: Object.keys(defaultReward) }, 'config_values');
      const config = { ...defaultReward, ...row.config_values };
      const { outcome } = row;
      if (outcome === undefined) {
        expect(typeof row.config_ok).toBe('boolean');
        expect(checkRewardConfig(config).ok).toBe(row.config_ok);
      } else if (row.raises === undefined) {
        expect(checkRewardConfig(config).ok).toBe(true);
        expect(score(config, outcome)).toBe(row.reward);
      } else {
        expect(() => score(config, outcome)).toThrow(RangeError);
      }
    },
  );
});

describe('refused configurations', () => {
  const refusals: readonly [Partial<RewardConfig>, RegExp][] = [
    [{ beta: -1e-9 }, /beta must be 0 or more/],
    [{ beta: Number.NaN }, /beta/],
    [{ allow_abstain: true, r_abstain: 1 }, /between r_wrong \(0\) and 1/],
    [{ allow_abstain: true, r_abstain: 0 }, /r_abstain/],
    [{ allow_abstain: true, r_wrong: 0.2 }, /r_abstain/],
  ];
  it.each(refusals)('%j', (values, message) => {
    const checked = checkRewardConfig({ ...defaultReward, ...values });
    expect(checked.ok ? '' : checked.error).toMatch(message);
  });

  it('say nothing about an abstention reward that is not used', () => {
    expect(checkRewardConfig({ ...defaultReward, r_abstain: 5 }).ok).toBe(true);
  });
});
