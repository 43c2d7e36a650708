/** Log compression: a log in one prompt, a shorter one in the reply, and no critical line lost. */
import type { Environment, Grouping } from '../environment.ts';
import { explain } from './causes.ts';
import { commentary } from './commentary.ts';
import { comparedTexts } from './compared.ts';
import { describe } from './describe.ts';
import { GENERATOR_VERSION, generate, listing } from './generate.ts';
import { guide } from './guide.ts';
import { CASES, type Instance } from './instance.ts';
import { linksOf } from './links.ts';
import { locate } from './locate.ts';
import { metrics } from './metrics.ts';
import { observe } from './observation.ts';
import { optionFields } from './option-fields.ts';
import { type Options, parseOptions } from './options.ts';
import { panel } from './panel.ts';
import { parseInstance } from './parse-instance.ts';
import { policies } from './policies.ts';
import { probes } from './probes.ts';
import { reasons } from './reasons.ts';
import { records } from './record.ts';
import { estimateTokens } from './scoring.ts';
import { secrets } from './secrets.ts';
import { CASE_SIZE, splits } from './splits.ts';
import { advance, next, outcome, type State, start } from './state.ts';
import { validate } from './validate.ts';
import { variables } from './variables.ts';
import { viewInstance } from './view.ts';

const groupings: readonly Grouping<Instance>[] = [
  { id: 'case', label: 'case', of: (instance) => instance.case },
];

export const logCompression: Environment<Instance, Options, State> = {
  id: 'log-compression',
  title: 'Log compression',
  description: 'Compress a log in one reply: as few tokens as possible, no critical line lost.',
  guide,
  generatorVersion: GENERATOR_VERSION,
  splits,
  metrics,
  variables,
  policies,

  parseOptions,
  generate,
  parseInstance,
  validate,
  minSteps: () => 1,

  start,
  observe,
  conversation: () => [],
  advance,
  next,
  outcome,

  sizeOf: (_split, { cases = CASES }) => cases.length * CASE_SIZE,
  reasons,
  optionFields,
  secrets,
  countTokens: estimateTokens,
  origin: ({ id }) => (locate(id) === null ? 'another generator' : `hopscope ${GENERATOR_VERSION}`),
  groupings,
  records,
  describe,
  view: viewInstance,
  links: linksOf,
  listing,
  locate,
  commentary,
  panel,
  comparedTexts,
  explain,
  probes,
};
