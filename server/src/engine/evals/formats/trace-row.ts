/**
 * Making a line of `traces.jsonl` from an episode. Each step is a trace of its own, a fresh conversation of the rendered
 * prompt and the reply, and carries the reward of its episode, so that whoever learns from steps can inherit one advantage
 * per episode.
 */
import type { ChatMessage, Usage } from '../../environments/chat.ts';
import type { AnyInstance, Environment } from '../../environments/environment.ts';
import type { RecordedEvent, TaskRecord } from '../fold.ts';
import type { ModelFailure } from '../model.ts';
import type { Asker } from '../responder.ts';
import type { RunConfig } from '../run-config.ts';
import type { EndLine, InstanceNote } from './step-lines.ts';
import type {
  StepTrace,
  TraceCall,
  TraceEpisode,
  TraceError,
  TraceMessage,
  TraceNode,
  TraceTask,
} from './trace-format.ts';

/** An episode with everything its line is made from. */
export interface Traced<I extends AnyInstance, O, S> {
  readonly config: RunConfig;
  readonly environment: Environment<I, O, S>;
  /** Null for a policy that reads no prompt: then the traces hold the replies alone. */
  readonly ask: Asker<S> | null;
  readonly record: TaskRecord;
  /** From the start on, one more than there are events. */
  readonly states: readonly S[];
}

/** The id of an episode's line. */
function traceId(run: string, task: number): string {
  return `${run}-${task}`;
}

/** The line of an episode that ended or failed. */
export function traceEpisode<I extends AnyInstance, O, S>(traced: Traced<I, O, S>): TraceEpisode {
  const { config, environment, record } = traced;
  const { begin, events, failure } = record;
  const id = traceId(config.id, begin.task);
  const task = traceTask(begin.instance, begin.rollout);
  const errors = failure === null ? [] : [toError(failure)];
  const replies = events.flatMap((event, at) => (event.event.kind === 'reply' ? [{ event, at }] : []));
  const traces = replies.map(({ event, at }) => stepTrace(traced, task, id, at, event));
  return {
    id,
    ok: failure === null,
    env: { id: environment.id, name: environment.id },
    task,
    group: { id: task.hash.slice(0, 16) },
    run: { type: 'eval', id: config.id, name: runName(config) },
    errors,
    traces: failure === null ? traces : [...traces, stepTrace(traced, task, id, events.length, null)],
  };
}

/** What a run is called where its folder's name is too long: who played and with which prompt. */
function runName({ agent, prompt }: Pick<RunConfig, 'agent' | 'prompt'>): string {
  const who = agent.kind === 'policy' ? agent.policy : agent.model;
  return prompt === null ? who : `${who} ${prompt.name}`;
}

function traceTask({ id, hash, split, index, groups, minSteps }: InstanceNote, rollout: number): TraceTask {
  return {
    type: 'hopscope',
    data: {
      instance_id: id,
      split,
      ...(index === null ? {} : { index }),
      rollout,
      min_steps: minSteps,
      groups,
    },
    key: id,
    hash: hash.replace(/^sha256:/, ''),
  };
}

/** One step: `recorded` is null for the one whose reply did not come. */
function stepTrace<I extends AnyInstance, O, S>(
  { config, ask, record, states }: Traced<I, O, S>,
  task: TraceTask,
  episode: string,
  at: number,
  recorded: RecordedEvent | null,
): StepTrace {
  const { end, failure, failedAt } = record;
  const state = states[at];
  const question = ask === null || state === undefined ? null : ask(state);
  const asked = (question?.messages ?? []).map(toTraceMessage);
  const nodes: TraceNode[] = asked.map((message, i) => ({ ...chained(i), message, sampled: false }));
  // Of a request without a reply only the end is known.
  const start = (recorded?.time ?? failedAt ?? 0) / 1000;
  const finished = start + (recorded?.ms ?? 0) / 1000;
  if (recorded?.event.kind === 'reply') {
    const message = toTraceMessage({ role: 'assistant', content: recorded.event.text, ...recorded.event });
    nodes.push({ ...chained(nodes.length), message, sampled: true, timestamp: finished });
  }
  const errors = recorded === null && failure !== null ? [toError(failure)] : [];
  return {
    version: 1,
    id: `${episode}-${at + 1}`,
    task,
    agent: { name: 'agent', trainable: true, config: agentConfig(config) },
    ...(question?.tools === undefined ? {} : { tools: question.tools }),
    nodes,
    calls: [toCall(config, recorded, nodes.length - 1, { start, end: finished }, errors[0])],
    rewards: end === null ? {} : { reward: { score: end.outcome.reward, weight: 1 } },
    metrics: end === null ? {} : metricsOf(end),
    info: infoOf(at, record),
    is_completed: end !== null,
    ok: errors.length === 0,
    ...(end === null ? {} : { stop_condition: end.outcome.stop }),
    errors,
    timing: {
      start,
      agent: { start, end: finished, model: { duration: finished - start }, harness: { duration: 0 } },
    },
  };
}

/** What cannot be said in the format's own keys. */
function infoOf(at: number, { events, end }: TaskRecord): Readonly<Record<string, unknown>> {
  const place = { step: at + 1, steps: events.length };
  if (end === null) return place;
  const { outcome, cause, causeStep, causeHop } = end;
  return {
    ...place,
    correct: outcome.correct,
    ...(cause === null ? {} : { cause }),
    ...(causeStep === null ? {} : { cause_step: causeStep }),
    ...(causeHop === null ? {} : { cause_hop: causeHop }),
  };
}

function metricsOf({ outcome }: EndLine): Readonly<Record<string, number>> {
  const known = Object.entries(outcome.metrics).flatMap(([id, value]) =>
    value === null ? [] : [[id, value] as const],
  );
  return { correct: Number(outcome.correct), steps_used: outcome.steps, ...Object.fromEntries(known) };
}

/** The first message of a conversation follows none. */
function chained(at: number): { readonly parent?: number } {
  return at === 0 ? {} : { parent: at - 1 };
}

function agentConfig({ agent }: RunConfig): object {
  if (agent.kind === 'policy') return { policy: agent.policy, seed: agent.seed };
  return { model: agent.model, sampling: agent.sampling };
}

function toCall(
  { agent }: RunConfig,
  recorded: RecordedEvent | null,
  node: number,
  time: TraceCall['time'],
  error: TraceError | undefined,
): TraceCall {
  const reply = recorded?.event.kind === 'reply' ? recorded.event : null;
  return {
    ...(reply === null ? {} : { node }),
    ...(agent.kind === 'policy' ? { model: agent.policy } : { model: agent.model, sampling: agent.sampling }),
    ...(agent.kind === 'policy' ? {} : { endpoint: '/chat/completions' }),
    ...(reply?.finish === undefined ? {} : { finish_reason: reply.finish }),
    ...(reply?.usage === undefined ? {} : { usage: toTraceUsage(reply.usage) }),
    time,
    ...(error === undefined ? {} : { error }),
  };
}

function toTraceUsage({ input, output, cachedInput, reasoning }: Usage): Readonly<Record<string, number>> {
  return {
    prompt_tokens: Math.max(0, input - (cachedInput ?? 0)),
    completion_tokens: output,
    ...(cachedInput === undefined ? {} : { cached_input_tokens: cachedInput }),
    ...(reasoning === undefined ? {} : { reasoning_tokens: reasoning }),
  };
}

function toError({ code, message, status }: ModelFailure): TraceError {
  return { type: code, message, ...(status === undefined ? {} : { status_code: status }) };
}

function toTraceMessage(message: ChatMessage): TraceMessage {
  const { role, content } = message;
  if (role === 'tool') return { role, content, tool_call_id: message.toolCallId };
  if (role !== 'assistant') return { role, content };
  const { reasoning, toolCalls } = message;
  return {
    role,
    content,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
  };
}
