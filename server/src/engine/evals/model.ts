/**
 * What a run asks of a language model, in the shape that no endpoint, key or clock shows through. The clients that
 * speak to endpoints are in `host/models`; the runner only ever sees {@link Model}, so a test can pass a function.
 */
import type { ChatMessage, Reply, ToolSpec } from '../environments/chat.ts';
import type { Sampling } from '../prompts/sampling.ts';

/** Which model answers: the part of a configuration that decides what the replies are. Never holds a key. */
export interface ModelEndpoint {
  /** As the endpoint names it, e.g. `gpt-5-mini`. */
  readonly model: string;
  /** Where its OpenAI-compatible interface begins, e.g. `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  /** Merged into the body of every request, over the sampling; a null leaves the key out of the body. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
}

/** An endpoint and how hard it is to be driven. Only {@link ModelEndpoint} belongs to the identity of a run. */
export interface ModelConfig extends ModelEndpoint {
  /** Longest time for one attempt from sending to the last byte of its body, in ms. Default 300,000. */
  readonly timeoutMs?: number;
  /** Tries of one request, the first included: at least 1. Default 5. */
  readonly attempts?: number;
  /**
   * Whether answers that are no completion are asked for again as well, e.g. the page of a proxy in between: often once the
   * endpoint has given a reply, and twice before, when it may not be one at all. Off by default.
   */
  readonly retryGarbled?: boolean;
  /** Requests under way at the same time, at most: the limit adapts below this and never passes it. Default 32. */
  readonly concurrency?: number;
}

/** A piece of a reply as it comes in. Pieces are for showing: what counts is the reply at the end. */
export interface ModelDelta {
  readonly text?: string;
  readonly reasoning?: string;
}

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[];
  readonly sampling: Sampling;
  /**
   * Which of several replies to the same messages this is, from 0. A cache keeps them apart, so that rollouts of one
   * instance stay independent samples. Never sent.
   */
  readonly rollout?: number;
  /** Asks for the reply piece by piece. After a failed attempt the pieces begin again, see {@link restart}. */
  readonly stream?: (delta: ModelDelta) => void;
  /** Told when an attempt failed after some pieces were given: they are void. */
  readonly restart?: () => void;
}

/** Kinds of failure, from what the user can do about them. */
export type ModelFailureCode =
  | 'auth'
  | 'not-found'
  | 'bad-request'
  | 'rate-limit'
  | 'server'
  | 'connection'
  | 'timeout'
  | 'invalid-response'
  | 'too-large'
  /** The step prompt prints too much for what the agent is shown: nothing was sent. */
  | 'prompt-too-large'
  | 'redirect'
  | 'cancelled'
  | 'limit';

/** Why there is no reply. Plain JSON; holds no key. */
export interface ModelFailure {
  readonly code: ModelFailureCode;
  /** The provider's own words where there are any, on one line, shortened. */
  readonly message: string;
  /** One sentence: what to do. */
  readonly advice: string;
  /** Requests that were sent, from 0. */
  readonly attempts: number;
  /** Whether the same request may succeed later: false for what only a change of the configuration mends. */
  readonly retriable: boolean;
  /** HTTP status of the last attempt, if there was an answer at all. */
  readonly status?: number;
}

export type ModelResult =
  | {
      readonly ok: true;
      readonly reply: Reply;
      /** Requests that were sent: 0 when the reply was cached. */
      readonly attempts: number;
      readonly cached: boolean;
      /** Time spent waiting for a turn and between attempts, in ms: not the model's time. */
      readonly waitedMs: number;
    }
  | { readonly ok: false; readonly failure: ModelFailure; readonly waitedMs: number };

/** The cause of an episode without a score: what is not the endpoint's doing is not called so. */
export function causeOfFailure({ code }: ModelFailure): 'provider-error' | 'prompt-too-large' {
  return code === 'prompt-too-large' ? code : 'provider-error';
}

/** A model that can be asked. */
export interface Model {
  readonly endpoint: ModelEndpoint;
  /**
   * Asks for one reply. Waits for its turn, retries what can succeed, and never rejects: whatever goes wrong is a
   * failure in the result. An aborted `signal` gives `cancelled` at once, in whatever the request is.
   */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelResult>;
}

/** What became of a reply before any environment looked at it. */
export type ReplyKind = 'reply' | 'refusal' | 'truncated' | 'empty';

/**
 * Tells replies that the model did not finish or would not give from those in which it chose its action. A reply that
 * was cut off counts as `truncated` even if nothing but reasoning came.
 */
export function replyKind(reply: Reply): ReplyKind {
  if (reply.finish === 'refusal') return 'refusal';
  if (reply.finish === 'length') return 'truncated';
  return reply.text.trim() === '' && (reply.toolCalls ?? []).length === 0 ? 'empty' : 'reply';
}
