/** The navigator's options, described for completion, hover and the documentation page. */
import type { OptionField } from '../option-fields.ts';
import { listRanges, published, ranges } from './options.ts';
import { defaultReward } from './reward.ts';

const rewardFields: readonly OptionField[] = [
  {
    key: 'beta',
    type: 'number',
    min: 0,
    example: String(defaultReward.beta),
    description: 'A correct answer is worth 1 − beta × steps ÷ steps of the shortest correct episode.',
  },
  {
    key: 'r_correct_min',
    type: 'number',
    example: String(defaultReward.r_correct_min),
    description: 'A correct answer is never worth less.',
  },
  {
    key: 'r_fail',
    type: 'number',
    example: String(defaultReward.r_fail),
    description: 'For breaking the ceiling, or spending the step budget without an answer.',
  },
  {
    key: 'r_wrong',
    type: 'number',
    example: String(defaultReward.r_wrong),
    description: 'For a wrong answer.',
  },
  {
    key: 'allow_abstain',
    type: 'boolean',
    example: 'true',
    description: 'Whether answering with the abstention token is worth r_abstain.',
  },
  {
    key: 'r_abstain',
    type: 'number',
    example: String(defaultReward.r_abstain),
    description: 'For abstaining, when that is allowed: above r_wrong and below 1.',
  },
  {
    key: 'abstain_token',
    type: 'text',
    example: defaultReward.abstain_token,
    description: 'What to answer in order to abstain.',
  },
];

const bounds = ([min, max]: readonly [number, number]) => ({ min, max });

export const optionFields: readonly OptionField[] = [
  {
    key: 'context_ceiling',
    type: 'integer',
    ...bounds(ranges.context_ceiling),
    example: String(published.contextCeiling),
    description: 'Tokens that may be held at once; otherwise what the instance was made for.',
  },
  {
    key: 'step_budget_base',
    type: 'integer',
    ...bounds(ranges.step_budget_base),
    example: String(published.stepBudgetBase),
    description: 'Steps allowed whatever the number of hops.',
  },
  {
    key: 'step_budget_per_hop',
    type: 'integer',
    ...bounds(ranges.step_budget_per_hop),
    example: String(published.stepBudgetPerHop),
    description: 'Steps allowed in addition for each hop.',
  },
  {
    key: 'max_summary_tokens',
    type: 'integer',
    ...bounds(ranges.max_summary_tokens),
    example: String(published.maxSummaryTokens),
    description: 'A longer summary is cut to so many tokens.',
  },
  {
    key: 'assumed_summary_tokens',
    type: 'integer',
    ...bounds(ranges.assumed_summary_tokens),
    example: String(published.assumedSummaryTokens),
    description: 'What a summary is taken to cost when the shortest episode is worked out.',
  },
  {
    key: 'reward',
    type: 'mapping',
    fields: rewardFields,
    example: '{ allow_abstain: true }',
    description: 'What an episode is worth; keys that are not given keep their published values.',
  },
  {
    key: 'n_hops',
    type: 'integers',
    ...bounds(listRanges.n_hops),
    example: '[2, 3]',
    description: 'Numbers of hops to generate instances with, each as likely; otherwise the split’s.',
  },
  {
    key: 'doc_tokens',
    type: 'integers',
    ...bounds(listRanges.doc_tokens),
    example: '32000',
    description: 'Document sizes in tokens to generate instances with; otherwise the split’s.',
  },
];
