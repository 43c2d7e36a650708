/** The messages that go to a model and what comes back, in the shape every chat endpoint shares. */

/** One call of a tool, as the model asked for it. `arguments` is the model's raw text: it may not be JSON. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly reasoning?: string;
      readonly toolCalls?: readonly ToolCall[];
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

/** A tool offered to the model; `parameters` is a JSON schema object. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Token counts as the endpoint reported them, in the model's own tokens. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
  readonly reasoning?: number;
}

/**
 * Why a model stopped: `length` means that the output limit cut the reply off, `context` that it was never asked since
 * the conversation no longer fits it.
 */
export const finishReasons = ['stop', 'length', 'tool_calls', 'refusal', 'context', 'other'] as const;
export type FinishReason = (typeof finishReasons)[number];

/** What an agent said in one step. Only `text` and `toolCalls` are ever scored; `reasoning` is kept and shown. */
export interface Reply {
  readonly kind: 'reply';
  readonly text: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly finish?: FinishReason;
  readonly usage?: Usage;
}

/** What a judge decided when an environment asked for it. `judge` names who judged and is kept in every row. */
export interface Verdict {
  readonly kind: 'verdict';
  readonly judge: string;
  readonly value: unknown;
  /** Of a judge that is a model. */
  readonly usage?: Usage;
}

/** The only things that ever change a state. Runs and transcripts store these and nothing else. */
export type Event = Reply | Verdict;

/** What an episode needs before it can go on. */
export type Need =
  | { readonly kind: 'reply'; readonly tools?: readonly ToolSpec[] }
  | { readonly kind: 'verdict'; readonly judge: string; readonly messages: readonly ChatMessage[] }
  | { readonly kind: 'nothing' };

/** A plain text reply, as scripted policies and transcripts make them. */
export function reply(text: string): Reply {
  return { kind: 'reply', text };
}
