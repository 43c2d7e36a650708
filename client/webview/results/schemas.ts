/** The shapes that messages about runs are made of, checked wherever they come in. */
import * as v from 'valibot';
import type {
  ContextUse,
  Counts,
  EpisodeRow,
  Estimate,
  OutcomeKind,
  PanelFigures,
  PanelStep,
  RowPage,
  RowQuery,
  RunFacts,
  RunProgress,
  StepPart,
  StepsPage,
  TextPage,
} from '../../../server/src/protocol.ts';
import { count } from '../checked.ts';

const maybeCount = v.nullable(count);
const maybeText = v.nullable(v.string());
const maybeNumber = v.nullable(v.number());
const group = v.union([v.string(), v.number()]);
const groups = v.record(v.string(), group);
const label = v.object({ id: v.string(), label: v.string() });

const outcome: v.GenericSchema<unknown, OutcomeKind> = v.picklist([
  'correct',
  'wrong',
  'errored',
  'unfinished',
]);

export const query: v.GenericSchema<unknown, RowQuery> = v.object({
  sort: v.string(),
  descending: v.boolean(),
  outcomes: v.array(outcome),
  causes: v.array(v.string()),
  groups: v.record(v.string(), v.array(v.string())),
  text: v.string(),
});

export const facts: v.GenericSchema<unknown, RunFacts> = v.object({
  id: v.string(),
  folder: v.string(),
  format: v.picklist(['hopscope', 'traces', 'results', 'stream']),
  title: v.string(),
  environment: v.string(),
  label: v.string(),
  isSuite: v.boolean(),
  created: maybeText,
  rollouts: count,
  hasPrompt: v.boolean(),
  settings: v.array(v.tuple([v.string(), v.string()])),
  groupings: v.array(label),
});

export const progress: v.GenericSchema<unknown, RunProgress> = v.object({
  run: v.string(),
  version: count,
  episodes: count,
  scanned: count,
  size: count,
  isComplete: v.boolean(),
  isRunning: v.boolean(),
  badLines: count,
  failure: maybeText,
});

const row: v.GenericSchema<unknown, EpisodeRow> = v.object({
  task: count,
  instance: v.string(),
  rollout: count,
  groups,
  outcome,
  reward: maybeNumber,
  stop: maybeText,
  steps: count,
  minSteps: maybeNumber,
  cause: maybeText,
  causeStep: maybeCount,
  causeHop: maybeCount,
  error: maybeText,
  tokens: maybeNumber,
  note: v.string(),
});

export const rowPage: v.GenericSchema<unknown, RowPage> = v.object({
  version: count,
  from: count,
  rows: v.array(row),
  total: count,
  scored: count,
  reward: maybeNumber,
});

export const counts: v.GenericSchema<unknown, Counts> = v.object({
  requested: v.number(),
  scored: count,
  errored: count,
  unfinished: v.number(),
});

const mean = { n: count, mean: maybeNumber, error: maybeNumber };
const estimate: v.GenericSchema<unknown, Estimate> = v.object({
  ...mean,
  interval: v.nullable(v.tuple([v.number(), v.number()])),
});

export const figures: v.GenericSchema<unknown, PanelFigures> = v.object({
  counts,
  reward: estimate,
  accuracy: estimate,
  stepWeightedReward: maybeNumber,
  pass: v.array(v.object({ k: count, some: v.number(), all: v.number() })),
  passInstances: count,
  passThreshold: v.number(),
  rollouts: count,
  causes: v.array(v.object({ cause: v.string(), count })),
  otherCauses: v.nullable(v.object({ causes: count, episodes: count })),
  groups: v.array(
    v.object({
      id: v.string(),
      label: v.string(),
      values: v.array(
        v.object({
          value: group,
          counts,
          reward: estimate,
          accuracy: estimate,
          outcomes: v.object({ correct: count, wrong: count, errored: count, unfinished: count }),
        }),
      ),
    }),
  ),
  metrics: v.array(
    v.object({ id: v.string(), label: v.string(), description: v.string(), figure: v.object(mean) }),
  ),
  stepsOverMin: v.array(v.object({ from: v.number(), to: maybeNumber, correct: count, wrong: count })),
  replies: v.object({ refusal: count, truncated: count, empty: count }),
  requests: count,
  tokens: v.nullable(v.object({ input: v.number(), output: v.number() })),
});

const start = v.object({ text: v.string(), length: count });
const usage = v.object({
  input: v.number(),
  output: v.number(),
  cachedInput: v.exactOptional(v.number()),
  reasoning: v.exactOptional(v.number()),
});

const step: v.GenericSchema<unknown, PanelStep> = v.object({
  step: count,
  kind: v.picklist(['reply', 'verdict']),
  label: maybeText,
  asked: v.array(v.object({ role: v.string(), length: count })),
  text: start,
  reasoning: count,
  calls: v.array(v.object({ name: v.string(), arguments: start })),
  became: v.picklist(['reply', 'refusal', 'truncated', 'empty']),
  finish: v.nullable(v.picklist(['stop', 'length', 'tool_calls', 'refusal', 'other'])),
  usage: v.nullable(usage),
  notes: v.array(v.object({ severity: v.picklist(['error', 'warning', 'info']), message: v.string() })),
  gauge: v.nullable(v.object({ used: v.number(), limit: v.number(), unit: v.string() })),
  record: v.array(v.tuple([v.string(), v.string()])),
  cost: v.nullable(v.object({ requests: count, cached: v.boolean(), ms: v.number() })),
});

export const stepsPage: v.GenericSchema<unknown, StepsPage> = v.object({
  row,
  steps: v.array(step),
  next: maybeCount,
  total: count,
  sentence: maybeText,
  unwinnableAt: maybeCount,
  unplayed: maybeText,
  advice: maybeText,
});

export const part: v.GenericSchema<unknown, StepPart> = v.union([
  v.object({ kind: v.picklist(['text', 'reasoning']) }),
  v.object({ kind: v.picklist(['asked', 'call']), at: count }),
]);

export const textPage: v.GenericSchema<unknown, TextPage> = v.object({ text: v.string(), next: maybeCount });

export const context: v.GenericSchema<unknown, ContextUse> = v.object({
  unit: v.string(),
  limit: v.number(),
  episodes: count,
  of: count,
  steps: v.array(
    v.object({
      step: count,
      episodes: count,
      median: v.number(),
      low: v.number(),
      high: v.number(),
      most: v.number(),
    }),
  ),
});

/** What is noted about an episode. */
export interface PageNote {
  readonly text: string;
  readonly tags: readonly string[];
}

export const note: v.GenericSchema<unknown, PageNote> = v.object({
  text: v.string(),
  tags: v.array(v.string()),
});
