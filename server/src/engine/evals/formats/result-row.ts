/** `results.jsonl` and `metadata.json`: the older public format, one rollout a line, made from the lines of the newer one. */
import type { TraceCall, TraceEpisode, TraceMessage } from './trace-format.ts';

/** `example_id`, `task` and `ok` come first: that is how a line is known without reading all of it. */
export interface ResultRow {
  readonly example_id: number;
  /** Number of the episode in the plan. */
  readonly task: number;
  /** Whether there is no error. */
  readonly ok: boolean;
  readonly prompt: readonly TraceMessage[];
  /** Everything after the prompt, the prompts of later steps included: nothing that was said is lost. */
  readonly completion: readonly TraceMessage[];
  readonly info: Readonly<Record<string, unknown>>;
  /** 0 for an episode with an error, as in that format; our own figures leave such episodes out and say so. */
  readonly reward: number;
  readonly error: ResultError | null;
  readonly error_chain: string | null;
  readonly long_error_chain: string | null;
  readonly timing: object;
  readonly is_completed: boolean;
  readonly is_truncated: boolean;
  readonly stop_condition: string | null;
  readonly metrics: Readonly<Record<string, number>>;
  readonly tool_defs: readonly object[];
  readonly token_usage: TokenUsage;
  /** Every metric again. */
  readonly [metric: string]: unknown;
}

interface ResultError {
  readonly error: string;
  readonly message: string;
  readonly error_chain_repr: string;
  readonly error_chain_str: string;
}

interface TokenUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Of the last step. */
  readonly final_input_tokens: number;
  readonly final_output_tokens: number;
}

/** A span of time as the format has it, in seconds. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly duration: number;
}

/** @param example number of the instance among those of the run. */
export function resultRow(episode: TraceEpisode, example: number, task: number): ResultRow {
  const [first] = episode.traces;
  const last = episode.traces.at(-1);
  const metrics = last?.metrics ?? {};
  const reward = Object.values(last?.rewards ?? {}).reduce(
    (sum, { score, weight }) => sum + score * weight,
    0,
  );
  const error = resultError(episode);
  const calls = episode.traces.flatMap((trace) => trace.calls);
  const ids = { example_id: example, task, ok: episode.ok };
  const columns = {
    prompt: (first?.nodes ?? []).filter((node) => !node.sampled).map((node) => node.message),
    completion: completionOf(episode),
    info: { ...episode.task.data, instance_hash: `sha256:${episode.task.hash}`, ...last?.info },
    reward,
    error,
    error_chain: error?.error_chain_repr ?? null,
    long_error_chain: error?.error_chain_str ?? null,
    timing: timingOf(calls),
    is_completed: last?.is_completed ?? false,
    is_truncated: calls.some((call) => call.finish_reason === 'length'),
    stop_condition: last?.stop_condition ?? null,
    metrics,
    tool_defs: last?.tools ?? [],
    token_usage: tokenUsage(calls),
  };
  // A metric never takes the place of a column of the format.
  return { ...ids, ...metrics, ...columns, ...ids };
}

/** The reply of the first step, then what each later step was asked, without the system message, and replied. */
function completionOf({ traces }: TraceEpisode): TraceMessage[] {
  return traces.flatMap((trace, at) =>
    trace.nodes
      .filter((node) => node.sampled || (at > 0 && node.message.role !== 'system'))
      .map((node) => node.message),
  );
}

function resultError({ errors: [error] }: TraceEpisode): ResultError | null {
  if (error === undefined) return null;
  const { type, message } = error;
  return { error: type, message, error_chain_repr: type, error_chain_str: `${type}: ${message}` };
}

function timingOf(calls: readonly TraceCall[]): object {
  const spans = calls.map(({ time }) => span(time.start, time.end));
  const start = spans[0]?.start ?? 0;
  const whole = span(
    start,
    spans.reduce((latest, { end }) => Math.max(latest, end), start),
  );
  const none = span(start, start);
  const busy = spans.reduce((sum, { duration }) => sum + duration, 0);
  return {
    start_time: start,
    setup: none,
    generation: whole,
    scoring: span(whole.end, whole.end),
    model: { spans, duration: busy },
    env: { spans: [], duration: 0 },
    total: whole.duration,
    overhead: Math.max(0, whole.duration - busy),
  };
}

/** Clocks may be set back between two times: no span is shorter than nothing. */
function span(start: number, end: number): Span {
  return { start, end: Math.max(start, end), duration: Math.max(0, end - start) };
}

function tokenUsage(calls: readonly TraceCall[]): TokenUsage {
  const input = (call: TraceCall | undefined): number =>
    (call?.usage?.['prompt_tokens'] ?? 0) + (call?.usage?.['cached_input_tokens'] ?? 0);
  const output = (call: TraceCall | undefined): number => call?.usage?.['completion_tokens'] ?? 0;
  const sum = (of: (call: TraceCall) => number): number => calls.reduce((total, call) => total + of(call), 0);
  const last = calls.at(-1);
  return {
    input_tokens: sum(input),
    output_tokens: sum(output),
    final_input_tokens: input(last),
    final_output_tokens: output(last),
  };
}
