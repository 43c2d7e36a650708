/** What an episode is worth, by the published formula. */
import { accept, type Checked, refuse } from '../../problem.ts';
import { answerMatches, normalizeAnswer } from './answers.ts';
import type { State } from './state.ts';

/** Keys as in the published configuration. */
export interface RewardConfig {
  /** Loss per step for each minimum number of steps used, 0 or more. */
  readonly beta: number;
  /** A correct answer is never worth less. */
  readonly r_correct_min: number;
  /** For breaking the ceiling, spending the budget, or ending without an answer. */
  readonly r_fail: number;
  readonly r_wrong: number;
  readonly allow_abstain: boolean;
  /** For answering `abstain_token` when that is allowed: above `r_wrong` and below 1. */
  readonly r_abstain: number;
  readonly abstain_token: string;
}

export const defaultReward: RewardConfig = {
  beta: 0.05,
  r_correct_min: 0.5,
  r_fail: -0.5,
  r_wrong: 0,
  allow_abstain: false,
  r_abstain: 0.1,
  abstain_token: 'unknown',
};

/**
 * Refuses a configuration under which the reward would be perverse: longer episodes worth more, or abstaining
 * never or always better than answering. The error names the key and the legal range.
 */
export function checkRewardConfig(config: RewardConfig): Checked<RewardConfig> {
  if (!(config.beta >= 0)) return refuse(`beta must be 0 or more, not ${config.beta}`);
  if (config.allow_abstain && !(config.r_abstain > config.r_wrong && config.r_abstain < 1)) {
    return refuse(
      `r_abstain must lie between r_wrong (${config.r_wrong}) and 1, both excluded, not ${config.r_abstain}`,
    );
  }
  return accept(config);
}

/** What the reward of a finished episode depends on. */
export interface RewardFacts {
  readonly ceilingExceeded: boolean;
  readonly budgetExhausted: boolean;
  readonly answered: boolean;
  readonly answer: string | null;
  readonly truth: string;
  readonly aliases: readonly string[];
  readonly stepsUsed: number;
  readonly minSteps: number;
}

/** True when the answer is the abstention token, in any form that normalises to it, and abstaining is allowed. */
export function abstains(config: RewardConfig, answer: string | null): boolean {
  return config.allow_abstain && normalizeAnswer(answer ?? '') === normalizeAnswer(config.abstain_token);
}

/**
 * The reward of a finished episode; the first test that applies decides. A correct answer is worth
 * `max(r_correct_min, 1 − beta × (stepsUsed / minSteps))`.
 *
 * @throws RangeError for a correct answer when `minSteps` is not positive: no instance is solved in no steps.
 */
export function reward(config: RewardConfig, facts: RewardFacts): number {
  if (facts.ceilingExceeded || facts.budgetExhausted || !facts.answered) return config.r_fail;
  if (abstains(config, facts.answer)) return config.r_abstain;
  if (!answerMatches(facts.answer, facts.truth, facts.aliases)) return config.r_wrong;
  if (!(facts.minSteps > 0)) throw new RangeError(`minSteps must be positive, not ${facts.minSteps}`);
  // The ratio comes first: the other order rounds differently in the last digit.
  const overMinimum = facts.stepsUsed / facts.minSteps;
  return Math.max(config.r_correct_min, 1 - config.beta * overMinimum);
}

/** True when the episode ended with an answer that matches. */
export function isCorrect(state: State): boolean {
  const { answer, answer_aliases: aliases } = state.instance;
  return state.ended === 'answered' && answerMatches(state.answer, answer, aliases);
}

/** The reward of a state: 0 until the episode has ended. @throws RangeError as {@link reward} does. */
export function rewardOf(state: State): number {
  if (state.ended === null) return 0;
  return reward(state.settings.reward, {
    ceilingExceeded: state.ended === 'ceiling-exceeded',
    budgetExhausted: state.ended === 'budget-exhausted',
    answered: state.ended === 'answered',
    answer: state.answer,
    truth: state.instance.answer,
    aliases: state.instance.answer_aliases,
    stepsUsed: state.steps,
    minSteps: state.instance.min_steps,
  });
}
