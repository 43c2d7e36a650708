/** Reading lines of `traces.jsonl`, whoever wrote them: an episode with its traces, or, as once was, a trace alone. */
import type { Reply } from '../../environments/chat.ts';
import { sumUsage } from '../fold.ts';
import { causeOfFailure } from '../model.ts';
import type { RunEpisode } from '../run-data.ts';
import { type ForeignContext, toFailure, toGroups, toOutcome, toReply, toUsage } from './foreign.ts';
import { asCount, asFields, asList, asMetrics, asNumber, asText, type Fields } from './json-fields.ts';

/** The episode of a line; null for a value that is none. */
export function readTrace(value: unknown, context: ForeignContext): RunEpisode | null {
  const row = asFields(value);
  const traces = Array.isArray(row['traces']) ? row['traces'].map(asFields) : 'nodes' in row ? [row] : null;
  if (traces === null) return null;
  const last = traces.at(-1) ?? {};
  const task = asFields(row['task'] ?? last['task']);
  const data = { ...task, ...asFields(task['data']) };
  const hash = asText(task['hash']);
  const instanceId = nameOf(task, data, hash, context.task);
  const calls = traces.flatMap((trace) => asList(trace['calls']));
  const events = traces.flatMap(repliesOf);
  const error =
    [...asList(row['errors']), ...traces.flatMap((trace) => asList(trace['errors']))]
      .map((it) => toFailure(it, calls.length))
      .find((it) => it !== null) ?? null;
  const reward = rewardOf(traces);
  const info = asFields(last['info']);
  const outcome =
    error !== null || reward === null
      ? null
      : toOutcome(reward, metricsOf(traces), asText(last['stop_condition']), events.length);
  return {
    task: context.task,
    instanceId,
    instanceHash: hash === null ? null : hash.startsWith('sha256:') ? hash : `sha256:${hash}`,
    split: asText(data['split']),
    index: asCount(data['index']),
    rollout: asCount(data['rollout']) ?? context.rolloutOf(instanceId),
    groups: toGroups(data, context.groupings),
    minSteps: asNumber(data['min_steps']),
    outcome,
    error,
    cause: outcome === null ? (error === null ? 'unfinished' : causeOfFailure(error)) : asText(info['cause']),
    causeStep: asCount(info['cause_step']),
    causeHop: asCount(info['cause_hop']),
    events,
    steps: events.length,
    usage: sumUsage(events),
    attempts: calls.length,
  };
}

/** What the instance is called: by the data of its task, else by the task's own key. */
function nameOf(task: Fields, data: Fields, hash: string | null, number: number): string {
  for (const value of [data['instance_id'], data['id'], task['key'], data['idx'], hash]) {
    if (typeof value === 'string' || typeof value === 'number') return String(value);
  }
  return String(number);
}

/** What the model said in a trace, in the order in which it was said. */
function repliesOf(trace: Fields): Reply[] {
  const nodes = asList(trace['nodes']).map(asFields);
  const marked = nodes.some((node) => typeof node['sampled'] === 'boolean');
  const calls = new Map(asList(trace['calls']).map((call) => [asFields(call)['node'], asFields(call)]));
  return nodes.flatMap((node, at) => {
    const message = asFields(node['message']);
    const isReply = marked ? node['sampled'] === true : message['role'] === 'assistant';
    if (!isReply) return [];
    const call = calls.get(at) ?? {};
    return [toReply(message, call['finish_reason'], toUsage(call['usage']))];
  });
}

/** The reward of an episode: all its traces carry it; where they differ, their mean. Null when none was scored. */
function rewardOf(traces: readonly Fields[]): number | null {
  const rewards = traces.flatMap((trace) => {
    const named = Object.values(asFields(trace['rewards'])).flatMap((entry): number[] => {
      if (typeof entry === 'number') return [entry];
      const { score, weight } = asFields(entry);
      return typeof score === 'number' ? [score * (asNumber(weight) ?? 1)] : [];
    });
    const [first, ...others] = named.length > 0 ? named : [asNumber(trace['reward'])];
    if (first === undefined || first === null) return [];
    return [others.reduce<number>((sum, reward) => sum + (reward ?? 0), first)];
  });
  const [first] = rewards;
  if (first === undefined) return null;
  if (rewards.every((reward) => reward === first)) return first;
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
}

/** The metrics of the last trace that has any. */
function metricsOf(traces: readonly Fields[]): unknown {
  return traces.map((trace) => trace['metrics']).findLast((it) => Object.keys(asMetrics(it)).length > 0);
}
