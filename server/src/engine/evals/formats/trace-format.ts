/**
 * The lines of `traces.jsonl`, one episode each, in the public format of that name. Keys without a value are left out, as
 * everybody does in that format.
 */

export interface TraceMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly tool_call_id?: string;
}

/** A message and the one before it; `sampled` marks what the model said. */
export interface TraceNode {
  readonly parent?: number;
  readonly message: TraceMessage;
  readonly sampled: boolean;
  /** In seconds since 1970, as every time of this format. */
  readonly timestamp?: number;
}

export interface TraceError {
  readonly type: string;
  readonly message: string;
  readonly status_code?: number;
}

export interface TraceCall {
  readonly node?: number;
  readonly model?: string;
  readonly sampling?: object;
  readonly endpoint?: string;
  readonly finish_reason?: string;
  /** `prompt_tokens` are those that were not cached. */
  readonly usage?: Readonly<Record<string, number>>;
  readonly time: { readonly start: number; readonly end: number };
  readonly error?: TraceError;
}

export interface StepTrace {
  readonly version: 1;
  readonly id: string;
  readonly task: TraceTask;
  readonly agent: { readonly name: string; readonly trainable: boolean; readonly config: object };
  readonly tools?: readonly object[];
  readonly nodes: readonly TraceNode[];
  readonly calls: readonly TraceCall[];
  readonly rewards: Readonly<Record<string, { readonly score: number; readonly weight: number }>>;
  readonly metrics: Readonly<Record<string, number>>;
  readonly info: Readonly<Record<string, unknown>>;
  readonly is_completed: boolean;
  readonly ok: boolean;
  readonly stop_condition?: string;
  readonly errors: readonly TraceError[];
  readonly timing: object;
}

export interface TraceTask {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Id of the instance. */
  readonly key: string;
  /** Hash of the instance, without what `sha256:` says. */
  readonly hash: string;
}

/** `id` and `ok` come first: that is how a line is known without reading all of it. */
export interface TraceEpisode {
  readonly id: string;
  readonly ok: boolean;
  readonly env: { readonly id: string; readonly name: string };
  readonly task: TraceTask;
  readonly group: { readonly id: string };
  readonly run: { readonly type: string; readonly id: string; readonly name: string };
  readonly errors: readonly TraceError[];
  readonly traces: readonly StepTrace[];
}
