/** The navigator's options, described for completion, hover and the documentation page. */
import type { OptionField } from '../option-fields.ts';
import { listRanges, published, ranges } from './options.ts';
import { defaultReward } from './reward.ts';

const rewardFields: readonly OptionField[] = [
  {
    key: 'beta',
    type: 'number',
    min: 0,
    default: String(defaultReward.beta),
    example: '0.1',
    description: 'A correct answer is worth 1 − beta × steps ÷ steps of the shortest correct episode.',
  },
  {
    key: 'r_correct_min',
    type: 'number',
    default: String(defaultReward.r_correct_min),
    example: '0.25',
    description: 'A correct answer is never worth less.',
  },
  {
    key: 'r_fail',
    type: 'number',
    default: String(defaultReward.r_fail),
    example: '-1',
    description: 'For breaking the ceiling, or spending the step budget without an answer.',
  },
  {
    key: 'r_wrong',
    type: 'number',
    default: String(defaultReward.r_wrong),
    example: '-0.25',
    description: 'For a wrong answer.',
  },
  {
    key: 'allow_abstain',
    type: 'boolean',
    default: String(defaultReward.allow_abstain),
    example: 'true',
    description: 'Whether answering with the abstention token is worth r_abstain.',
  },
  {
    key: 'r_abstain',
    type: 'number',
    default: String(defaultReward.r_abstain),
    example: '0.2',
    description: 'For abstaining, when that is allowed: above r_wrong and below 1.',
  },
  {
    key: 'abstain_token',
    type: 'text',
    default: defaultReward.abstain_token,
    example: 'pass',
    description: 'What to answer in order to abstain.',
  },
];

const bounds = ([min, max]: readonly [number, number]) => ({ min, max });

export const optionFields: readonly OptionField[] = [
  {
    key: 'context_ceiling',
    scope: 'episode',
    type: 'integer',
    ...bounds(ranges.context_ceiling),
    default: `what the instance was made for, ${published.contextCeiling} for ours`,
    example: '900',
    description: 'Tokens that may be held at once.',
  },
  {
    key: 'step_budget_base',
    scope: 'episode',
    type: 'integer',
    ...bounds(ranges.step_budget_base),
    default: `${published.stepBudgetBase} beside step_budget_per_hop, without both what the instance was made for`,
    example: '10',
    description: 'Steps allowed whatever the number of hops.',
  },
  {
    key: 'step_budget_per_hop',
    scope: 'episode',
    type: 'integer',
    ...bounds(ranges.step_budget_per_hop),
    default: `${published.stepBudgetPerHop} beside step_budget_base, without both what the instance was made for`,
    example: '6',
    description: 'Steps allowed in addition for each hop.',
  },
  {
    key: 'max_summary_tokens',
    scope: 'episode',
    type: 'integer',
    ...bounds(ranges.max_summary_tokens),
    default: String(published.maxSummaryTokens),
    example: '60',
    description: 'A longer summary is cut to so many tokens.',
  },
  {
    key: 'assumed_summary_tokens',
    scope: 'episode',
    type: 'integer',
    ...bounds(ranges.assumed_summary_tokens),
    default: `what the instance was made for, ${published.assumedSummaryTokens} for ours`,
    example: '40',
    description: 'What a summary is taken to cost when the shortest episode is worked out.',
  },
  {
    key: 'reward',
    scope: 'episode',
    type: 'mapping',
    fields: rewardFields,
    default: 'the published values',
    example: '{ "allow_abstain": true }',
    description: 'What an episode is worth; keys that are not given keep their published values.',
  },
  {
    key: 'n_hops',
    scope: 'instance',
    type: 'integers',
    ...bounds(listRanges.n_hops),
    default: 'those of the split',
    example: '[2, 3]',
    description: 'Numbers of hops to generate instances with, each as likely.',
  },
  {
    key: 'doc_tokens',
    scope: 'instance',
    type: 'integers',
    ...bounds(listRanges.doc_tokens),
    default: 'those of the split',
    example: '64000',
    description: 'Document sizes in tokens to generate instances with, each as likely.',
  },
];
