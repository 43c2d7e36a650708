/** Reading lines of `results.jsonl`, in its newer form (a `metrics` object) and in its older one (metrics as columns). */
import type { Reply } from '../../environments/chat.ts';
import { causeOfFailure } from '../model.ts';
import type { RunEpisode } from '../run-data.ts';
import { type ForeignContext, toFailure, toGroups, toOutcome, toReply, toUsage } from './foreign.ts';
import {
  asCount,
  asFields,
  asList,
  asMetrics,
  asNumber,
  asText,
  type Fields,
  isFields,
} from './json-fields.ts';

/** Columns of the format that are numbers and no metrics. */
const columns: ReadonlySet<string> = new Set([
  'example_id',
  'task',
  'ok',
  'reward',
  'is_completed',
  'is_truncated',
  'generation_ms',
  'scoring_ms',
  'total_ms',
]);

/** The episode of a line; null for a value that is none, such as one without an `example_id`. */
export function readResult(value: unknown, context: ForeignContext): RunEpisode | null {
  const row = asFields(value);
  const example = row['example_id'];
  if (typeof example !== 'number' && typeof example !== 'string') return null;
  const info = infoOf(row['info']);
  const events = repliesOf(row['completion']);
  const error = toFailure(row['error'], events.length);
  const reward = asNumber(row['reward']);
  const metrics = isFields(row['metrics']) ? row['metrics'] : metricColumns(row);
  const outcome =
    error !== null || reward === null
      ? null
      : toOutcome(reward, metrics, asText(row['stop_condition']), events.length);
  const named = info['instance_id'] ?? info['id'];
  return {
    task: asCount(row['task']) ?? context.task,
    instanceId: typeof named === 'string' ? named : String(example),
    instanceHash: asText(info['instance_hash']),
    split: asText(info['split']),
    index: asCount(info['index']),
    rollout: asCount(info['rollout']) ?? context.rolloutOf(String(example)),
    groups: toGroups(info, context.groupings),
    minSteps: asNumber(info['min_steps']),
    outcome,
    error,
    cause: outcome === null ? (error === null ? 'unfinished' : causeOfFailure(error)) : asText(info['cause']),
    causeStep: asCount(info['cause_step']),
    causeHop: asCount(info['cause_hop']),
    events,
    steps: events.length,
    usage: toUsage(row['token_usage']),
    attempts: events.length,
  };
}

/** Some writers keep the object as a text of JSON. */
function infoOf(value: unknown): Fields {
  if (typeof value !== 'string') return asFields(value);
  try {
    return asFields(JSON.parse(value));
  } catch {
    return {};
  }
}

/** A completion is a list of messages, or the text of the only reply. */
function repliesOf(completion: unknown): Reply[] {
  if (typeof completion === 'string') return [toReply({ content: completion }, undefined, null)];
  return asList(completion)
    .map(asFields)
    .filter((message) => message['role'] === 'assistant')
    .map((message) => toReply(message, undefined, null));
}

function metricColumns(row: Fields): Readonly<Record<string, number | null>> {
  const entries = Object.entries(row).filter(([key, value]) => !columns.has(key) && value !== null);
  return asMetrics(Object.fromEntries(entries));
}
