/** Distributed inventory: operations hidden in chunks of noise, one chunk a turn, and no memory but the last answer. */
import type { Environment, Grouping } from '../environment.ts';
import { answerProblems } from './answer-problems.ts';
import { explain } from './causes.ts';
import { commentary } from './commentary.ts';
import { describe } from './describe.ts';
import { advance, next, outcome, start } from './episode.ts';
import { GENERATOR_VERSION, generate, groupsOf, listing, locate, sizeOf, splits } from './generate.ts';
import { guide } from './guide.ts';
import type { Instance } from './instance.ts';
import { linksOf } from './links.ts';
import { metrics } from './metrics.ts';
import { observe } from './observation.ts';
import { optionFields } from './option-fields.ts';
import { type Options, parseOptions } from './options.ts';
import { panel } from './panel.ts';
import { parseInstance } from './parse-instance.ts';
import { policies } from './policies.ts';
import { reasons } from './reasons.ts';
import { finalRecord, turnRecord } from './record.ts';
import { secrets } from './secrets.ts';
import type { State } from './state.ts';
import { teacher } from './teacher.ts';
import { validate } from './validate.ts';
import { variables } from './variables.ts';
import { viewInstance } from './view.ts';

const groupings: readonly Grouping<Instance>[] = [
  { id: 'final_items', label: 'final items', of: ({ operations }) => groupsOf(operations).final_items },
  { id: 'drops', label: 'drops', of: ({ operations }) => groupsOf(operations).drops },
];

/** Only our own ids open so. */
function origin({ id }: Instance): string {
  const [, version] = /^hs(\d+)-inv-/.exec(id) ?? [];
  return version === undefined ? 'another generator' : `hopscope ${version}`;
}

export const inventory: Environment<Instance, Options, State> = {
  id: 'inventory',
  title: 'Distributed Inventory',
  description:
    'Keep an inventory through chunks of noise that hide GET and DROP operations, one chunk a turn, with no memory but ' +
    'the last answer.',
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
  minSteps: ({ chunks }) => chunks.length,

  start,
  observe,
  conversation: () => [],
  advance,
  next,
  outcome,

  sizeOf,
  reasons,
  optionFields,
  secrets,
  origin,
  groupings,
  records: { step: turnRecord, final: finalRecord },
  describe,
  view: viewInstance,
  links: linksOf,
  listing,
  replyProblems: answerProblems,
  locate,
  commentary,
  panel,
  explain,
  teacher,
};
