/** Lines of one public format as lines of the other, for runs of other programs. Messages are passed on as they are. */

import type { RunEpisode } from '../run-data.ts';
import { asFields, asList, type Fields } from './json-fields.ts';

/** A line of `results.jsonl` for a line of `traces.jsonl` that was read as `episode`. */
export function resultOfTrace(row: unknown, episode: RunEpisode, example: number): object {
  const fields = asFields(row);
  const traces = Array.isArray(fields['traces']) ? asList(fields['traces']).map(asFields) : [fields];
  const conversations = traces.map((trace) => asList(trace['nodes']).map(asFields));
  const [first = []] = conversations;
  const reply = first.findIndex(isReply);
  const prompt = first.slice(0, reply < 0 ? first.length : reply);
  const rest = conversations.flatMap((nodes, at) =>
    at === 0
      ? nodes.slice(prompt.length)
      : nodes.filter((node) => asFields(node['message'])['role'] !== 'system'),
  );
  return {
    example_id: example,
    prompt: prompt.map((node) => node['message']),
    completion: rest.map((node) => node['message']),
    ...sharedColumns(episode),
  };
}

/** A node that the model said; where no node says so, one of the assistant. */
function isReply(node: Fields): boolean {
  return (
    node['sampled'] === true ||
    (node['sampled'] === undefined && asFields(node['message'])['role'] === 'assistant')
  );
}

/** What a line of results says whatever it was made from. */
function sharedColumns({ outcome, error, usage, ...episode }: RunEpisode): object {
  const metrics = outcome?.metrics ?? {};
  return {
    info: {
      instance_id: episode.instanceId,
      instance_hash: episode.instanceHash,
      rollout: episode.rollout,
      ...episode.groups,
    },
    reward: outcome?.reward ?? 0,
    error: error === null ? null : { error: error.code, message: error.message },
    is_completed: outcome !== null,
    stop_condition: outcome?.stop ?? null,
    ...metrics,
    metrics,
    token_usage: usage === null ? null : { input_tokens: usage.input, output_tokens: usage.output },
  };
}

/** A line of `traces.jsonl` for a line of `results.jsonl` that was read as `episode`: one trace that holds all of it. */
export function traceOfResult(row: unknown, episode: RunEpisode, run: string, environment: string): object {
  const fields = asFields(row);
  const { outcome, error } = episode;
  const said = (value: unknown, role: string): readonly unknown[] =>
    typeof value === 'string' ? [{ role, content: value }] : asList(value);
  const prompt = said(fields['prompt'], 'user');
  const messages = [...prompt, ...said(fields['completion'], 'assistant')];
  const nodes = messages.map((message, at) => ({
    ...(at === 0 ? {} : { parent: at - 1 }),
    message,
    sampled: at >= prompt.length && asFields(message)['role'] === 'assistant',
  }));
  const id = `${run}-${episode.task}`;
  const data = { instance_id: episode.instanceId, rollout: episode.rollout, ...episode.groups };
  const hash = episode.instanceHash?.replace(/^sha256:/, '');
  const task = { type: 'converted', data, key: episode.instanceId, ...(hash === undefined ? {} : { hash }) };
  const errors = error === null ? [] : [{ type: error.code, message: error.message }];
  const metrics = Object.entries(outcome?.metrics ?? {}).filter(([, value]) => value !== null);
  const trace = {
    version: 1,
    id: `${id}-1`,
    task,
    agent: { name: 'agent', trainable: true, config: {} },
    nodes,
    calls: [],
    rewards: outcome === null ? {} : { reward: { score: outcome.reward, weight: 1 } },
    metrics: Object.fromEntries(metrics),
    info: {},
    is_completed: outcome !== null,
    ok: error === null,
    ...(outcome === null ? {} : { stop_condition: outcome.stop }),
    errors,
  };
  return {
    id,
    ok: error === null,
    env: { id: environment, name: environment },
    task,
    group: { id: episode.instanceId },
    run: { type: 'eval', id: run, name: run },
    errors,
    traces: [trace],
  };
}
