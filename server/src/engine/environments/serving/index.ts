/** Serving: a stream of tasks for an agent with tools, under rules that its documents do not tell and that change. */
import type { Environment, Grouping } from '../environment.ts';
import { explain } from './causes.ts';
import { commentary } from './commentary.ts';
import { describe } from './describe.ts';
import { advance, next, outcome, start } from './episode.ts';
import { guide } from './guide.ts';
import type { Instance } from './instance.ts';
import { metrics } from './metrics.ts';
import { observe } from './observation.ts';
import { type Options, optionFields, parseOptions } from './options.ts';
import { panel } from './panel.ts';
import { parseInstance } from './parse-instance.ts';
import { policies } from './policies/index.ts';
import { finalRecord, stepRecord } from './record.ts';
import { generate, listing, locate, splits } from './splits.ts';
import type { State } from './state.ts';
import { streams } from './stream/index.ts';
import { reasons, validate } from './validate.ts';
import { variables } from './variables.ts';
import { viewInstance } from './view.ts';
import { GENERATOR_VERSION } from './worlds.ts';

const groupings: readonly Grouping<Instance>[] = [
  { id: 'window', label: 'window', of: ({ window }) => window },
  { id: 'slice', label: 'slice', of: ({ evaluator }) => evaluator.slice },
];

export const serving: Environment<Instance, Options, State> = {
  id: 'serving',
  title: 'Serving',
  description:
    'Tasks for an agent with tools, in a shop, a bank and in selling. Practice differs from the documents and changes along ' +
    'the stream; a method may learn it from scored episodes.',
  guide,
  generatorVersion: GENERATOR_VERSION,
  splits,
  metrics,
  variables,
  policies,
  parseOptions,
  generate: (split, index) => generate(split, index),
  parseInstance,
  validate,
  minSteps: (instance) => instance.evaluator.actions.length + 1,
  start,
  observe,
  conversation: ({ messages }) => messages,
  advance,
  next,
  outcome,
  reasons,
  optionFields,
  origin: ({ source }) => source,
  groupings,
  records: { step: stepRecord, final: finalRecord },
  describe,
  view: viewInstance,
  listing: (split, index) => listing(split, index),
  locate,
  commentary,
  panel,
  explain,
  scoresOverflow: true,
  remark: ({ domain }, { judge }) =>
    domain === 'pitch' && judge === 'phrases'
      ? 'pitches were judged by a list of phrases, so their scores are not comparable with those of a model that judges'
      : null,
  streams,
};
