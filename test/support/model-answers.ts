/** What the endpoint of {@link startModelServer} sends: replies in the shapes that real endpoints use. */
import type { ToolCall, Usage } from '../../server/src/engine/environments/chat.ts';

/** Where the reasoning goes: the fields and forms of the endpoints there are. */
export type ReasoningPlace =
  | 'reasoning_content'
  | 'reasoning'
  | 'reasoning_details'
  | 'parts'
  | 'think'
  | 'think-without-opening';

/** A reply of the model behind the endpoint. */
export interface Said {
  readonly text: string;
  readonly reasoning?: string;
  readonly reasoningIn?: ReasoningPlace;
  readonly toolCalls?: readonly ToolCall[];
  readonly refusal?: string;
  /** As endpoints spell it; `stop` (or `tool_calls`) when absent. */
  readonly finish?: string | null;
  /** Counted by length when absent; null for an endpoint that tells none. */
  readonly usage?: Usage | null;
  /** Code units in each piece of a stream; 7 when absent. */
  readonly piece?: number;
}

/** The part of a chat request that shapes the answer. */
export interface Asked {
  readonly model: string;
  readonly messages: readonly unknown[];
  readonly includeUsage: boolean;
}

/** A completion in one piece. */
export function completion(said: Said, asked: Asked): Readonly<Record<string, unknown>> {
  const { toolCalls = [], refusal } = said;
  const message = {
    role: 'assistant',
    ...spoken(said),
    ...(refusal === undefined ? {} : { refusal }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(toCall) }),
  };
  const usage = usageOf(said, asked);
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: asked.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(said) }],
    ...(usage === null ? {} : { usage }),
  };
}

/** The same reply as the events of a stream, the last one `[DONE]`. */
export function events(said: Said, asked: Asked): string[] {
  const { piece = 7, toolCalls = [], refusal } = said;
  const { content, ...fields } = spoken(said);
  const deltas: Readonly<Record<string, unknown>>[] = [{ role: 'assistant', content: '' }];
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value === 'string') deltas.push(...cut(value, piece).map((part) => ({ [field]: part })));
    else deltas.push({ [field]: value });
  }
  if (typeof content === 'string') deltas.push(...cut(content, piece).map((part) => ({ content: part })));
  else if (content !== null) deltas.push({ content });
  for (const [index, call] of toolCalls.entries()) {
    const { id, name } = call;
    deltas.push({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
    const parts = cut(call.arguments, piece);
    deltas.push(...parts.map((part) => ({ tool_calls: [{ index, function: { arguments: part } }] })));
  }
  if (refusal !== undefined) deltas.push(...cut(refusal, piece).map((part) => ({ refusal: part })));
  const chunk = (rest: object) =>
    JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: asked.model, ...rest });
  const usage = asked.includeUsage ? usageOf(said, asked) : null;
  return [
    ...deltas.map((delta) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] })),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: finishOf(said) }] }),
    ...(usage === null ? [] : [chunk({ choices: [], usage })]),
    '[DONE]',
  ];
}

/** Content and reasoning, in the fields of the endpoint that is played. */
function spoken({ text, reasoning, reasoningIn = 'reasoning_content', toolCalls, refusal }: Said): {
  readonly content: unknown;
  readonly [field: string]: unknown;
} {
  const content = text === '' && (toolCalls !== undefined || refusal !== undefined) ? null : text;
  if (reasoning === undefined) return { content };
  switch (reasoningIn) {
    case 'reasoning_content':
    case 'reasoning':
      return { [reasoningIn]: reasoning, content };
    case 'reasoning_details':
      return { reasoning_details: [{ type: 'reasoning.text', text: reasoning }], content };
    case 'parts':
      return {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: reasoning }] },
          { type: 'text', text },
        ],
      };
    case 'think':
      return { content: `<think>\n${reasoning}\n</think>\n\n${text}` };
    case 'think-without-opening':
      return { content: `${reasoning}\n</think>\n\n${text}` };
  }
}

function finishOf({ finish, toolCalls = [] }: Said): string | null {
  return finish === undefined ? (toolCalls.length > 0 ? 'tool_calls' : 'stop') : finish;
}

function usageOf({ usage, text, reasoning = '' }: Said, { messages }: Asked): object | null {
  if (usage === null) return null;
  const {
    input,
    output,
    cachedInput,
    reasoning: thought,
  } = usage ?? {
    input: JSON.stringify(messages).length,
    output: text.length + reasoning.length,
  };
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cachedInput === undefined ? {} : { prompt_tokens_details: { cached_tokens: cachedInput } }),
    ...(thought === undefined ? {} : { completion_tokens_details: { reasoning_tokens: thought } }),
  };
}

function toCall({ id, name, arguments: given }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: given } };
}

function cut(text: string, size: number): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += size) parts.push(text.slice(at, at + size));
  return parts;
}
