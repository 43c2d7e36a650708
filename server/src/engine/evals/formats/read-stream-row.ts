/** Rows of streams as episodes of a run, so that tables, explanations and comparisons work on them. */
import * as v from 'valibot';
import type { Event, Usage } from '../../environments/chat.ts';
import type { Outcome } from '../../environments/environment.ts';
import type { StreamInfo, StreamRow } from '../../environments/streams.ts';
import type { Run, RunEpisode } from '../run-data.ts';

/** What rows of streams can be told apart by, beyond the environment's own groupings. */
export const streamGroupings = [
  { id: 'stream', label: 'stream' },
  { id: 'phase', label: 'phase' },
  { id: 'window', label: 'window' },
  { id: 'category', label: 'category' },
] as const;

/** Room for the episodes of one stream among the numbers of a run's episodes. */
const numbersOfStream = 100_000;

/** The number of the row at a place of the file of the stream at a place of the list. */
export function taskOf(stream: number, row: number): number {
  return stream * numbersOfStream + row;
}

/** The place of a stream in the list, by the number of one of its episodes, and the row. */
export function rowOf(task: number): readonly [stream: number, row: number] {
  return [Math.floor(task / numbersOfStream), task % numbersOfStream];
}

const outcomeSchema = v.object({
  correct: v.boolean(),
  stop: v.string(),
  steps: v.number(),
  metrics: v.record(v.string(), v.nullable(v.number())),
});

const tokensSchema = v.object({
  input: v.number(),
  cache_input: v.optional(v.number(), 0),
  output: v.number(),
  reasoning: v.optional(v.number(), 0),
  calls: v.optional(v.number(), 0),
});

type Row = StreamRow & { readonly task_id: string; readonly [field: string]: unknown };

/**
 * @param groupings ids of fields by which episodes are told apart.
 * @param events what was said, as far as it is wanted.
 */
export function readStreamRow(
  row: Row,
  task: number,
  groupings: readonly string[],
  events: readonly Event[],
): RunEpisode {
  const { stream, phase, window, category, reward } = row;
  const text = (field: string) => (typeof row[field] === 'string' ? row[field] : null);
  const groups: Record<string, string | number> = { stream, phase, window, category };
  for (const id of groupings) {
    const value = row[id];
    if (typeof value === 'string' || typeof value === 'number') groups[id] = value;
  }
  const tokens = v.safeParse(tokensSchema, row['tokens']);
  const used = tokens.success ? tokens.output : null;
  const told = v.safeParse(outcomeSchema, row['outcome']);
  const turns = Array.isArray(row['trace']) ? row['trace'].length : 0;
  const outcome: Outcome = told.success
    ? { done: true, reward, ...told.output }
    : { done: true, reward, correct: reward >= 1, stop: '', steps: turns, metrics: {} };
  const step = row['cause_step'];
  return {
    task,
    instanceId: row.task_id,
    instanceHash: text('instance_hash'),
    split: null,
    index: null,
    rollout: 0,
    groups,
    minSteps: null,
    outcome,
    error: null,
    cause: outcome.correct ? null : text('cause'),
    causeStep: outcome.correct || typeof step !== 'number' ? null : step,
    causeHop: null,
    events,
    steps: outcome.steps,
    usage: used === null || used.input + used.output === 0 ? null : usageOf(used),
    attempts: used?.calls ?? 0,
  };
}

function usageOf(tokens: v.InferOutput<typeof tokensSchema>): Usage {
  const { input, output, cache_input: cachedInput, reasoning } = tokens;
  return { input, output, cachedInput, reasoning };
}

/** The run without what a method learned from: episodes that nothing is measured by. */
export function measured(run: Run): Run {
  const { info } = run;
  if (info.stream === undefined) return run;
  return {
    info: { ...info, requested: info.requested - info.stream.learned },
    episodes: run.episodes.filter(({ groups }) => groups['phase'] !== 'serving'),
  };
}

/** How many tasks a stream has for a method that learns, or one that does not. */
export function tasksOf(
  { plan }: Pick<StreamInfo, 'plan'>,
  windows: readonly number[] | null,
  learns: boolean,
): { readonly serving: number; readonly test: number } {
  const played = plan.filter((_, window) => windows === null || windows.includes(window));
  const total = (phase: 'serving' | 'test') => played.reduce((sum, it) => sum + it[phase], 0);
  return { serving: learns ? total('serving') : 0, test: total('test') };
}
