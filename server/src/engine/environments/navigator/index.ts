/** The navigator: multi-hop questions over registers far larger than the working context. */
import { countTokens } from '../../text/tokens.ts';
import type { Environment, Grouping } from '../environment.ts';
import { actionProblems } from './action-problems.ts';
import { audit } from './audit.ts';
import { baselines } from './baselines.ts';
import { explain } from './causes.ts';
import { commentary } from './commentary/index.ts';
import { describe } from './describe.ts';
import { advance, next, outcome, type State, start } from './episode.ts';
import { GENERATOR_VERSION, generate, listing } from './generate.ts';
import type { Instance } from './instance.ts';
import { linksOf } from './links.ts';
import { locate } from './locate.ts';
import { metrics } from './metrics.ts';
import { observe } from './observation.ts';
import { optionFields } from './option-fields.ts';
import { type Options, parseOptions, remark } from './options.ts';
import { panel } from './panel.ts';
import { parseInstance } from './parse-instance.ts';
import { policies } from './policies/index.ts';
import { probes } from './probes/index.ts';
import { reasons } from './reasons.ts';
import { finalRecord, stepRecord } from './record.ts';
import { secrets } from './secrets.ts';
import { splits } from './splits.ts';
import { teacher } from './teacher.ts';
import { validate } from './validate.ts';
import { variables } from './variables.ts';
import { viewInstance } from './view.ts';

const groupings: readonly Grouping<Instance>[] = [
  { id: 'n_hops', label: 'hops', of: (instance) => instance.n_hops },
  { id: 'doc_tokens', label: 'document tokens', of: (instance) => instance.doc_tokens_target },
];

/** Only our own ids open with `hs` and the generator version. */
function origin({ id }: Instance): string {
  const [, version] = /^hs(\d+)-/.exec(id) ?? [];
  return version === undefined ? 'another generator' : `hopscope ${version}`;
}

export const navigator: Environment<Instance, Options, State> = {
  id: 'navigator',
  title: 'Navigator',
  description:
    'Answer multi-hop questions over registers of 32k to 128k tokens with 600 tokens of working context.',
  generatorVersion: GENERATOR_VERSION,
  splits,
  metrics,
  variables,
  policies,

  parseOptions,
  generate,
  parseInstance,
  validate,
  minSteps: (instance) => instance.min_steps,

  start,
  observe,
  conversation: () => [],
  advance,
  next,
  outcome,

  reasons,
  remark,
  optionFields,
  secrets,
  countTokens,
  origin,
  groupings,
  records: { step: stepRecord, final: finalRecord },
  baselines,
  audit,
  describe,
  view: viewInstance,
  links: linksOf,
  listing,
  replyProblems: actionProblems,
  locate,
  commentary,
  panel,
  explain,
  probes,
  teacher,
};
