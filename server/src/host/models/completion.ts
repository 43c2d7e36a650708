/** Reads the answer of a chat endpoint: from the JSON of a completion to a reply, whatever the endpoint's dialect. */
import type { FinishReason, Reply, ToolCall, Usage } from '../../engine/environments/chat.ts';
import { isRecord } from '../jsonl.ts';
import { type AttemptFailure, tidy } from './attempt.ts';
import { embeddedFailure } from './http-failure.ts';
import { contentOf, joinReasoning, reasoningOf, splitReasoning } from './reasoning.ts';

type Json = Readonly<Record<string, unknown>>;

export type Read = { readonly reply: Reply } | { readonly failure: AttemptFailure };

/** Understands the body of a successful response. */
export function readCompletion(text: string): Read {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { failure: notJson(text) };
  }
  const failure = embeddedFailure(body);
  if (failure !== null) return { failure };
  const choice = isRecord(body) && Array.isArray(body['choices']) ? body['choices'][0] : undefined;
  const message = isRecord(choice) ? choice['message'] : undefined;
  if (!isRecord(body) || !isRecord(choice) || !isRecord(message)) {
    return { failure: invalid(`No message in the answer: ${text}`) };
  }
  const wrong = choiceFailure(choice);
  if (wrong !== null) return { failure: wrong };
  return { reply: readMessage(message, choice['finish_reason'], body['usage']) };
}

/** The failure of a choice that a gateway reports in the place of a reason to finish. */
export function choiceFailure(choice: Json): AttemptFailure | null {
  const failure = embeddedFailure(choice);
  if (failure !== null || choice['finish_reason'] !== 'error') return failure;
  return { code: 'server', message: 'The model ended with an error.', retriable: true };
}

/** A reply from the message of a choice, or from what pieces of one add up to. */
export function readMessage(message: Json, finishReason: unknown, usage: unknown): Reply {
  const content = contentOf(message['content']);
  const { text, reasoning: tagged } = splitReasoning(content.text);
  const reasoning = joinReasoning(joinReasoning(reasoningOf(message), content.reasoning), tagged);
  const refusal = typeof message['refusal'] === 'string' ? message['refusal'] : '';
  const toolCalls = readToolCalls(message['tool_calls']);
  const finish = refusal === '' ? finishOf(finishReason) : 'refusal';
  const used = readUsage(usage);
  return {
    kind: 'reply',
    text: text === '' ? refusal : text,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(finish === undefined ? {} : { finish }),
    ...(used === undefined ? {} : { usage: used }),
  };
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'refusal',
  refusal: 'refusal',
  safety: 'refusal',
};

function finishOf(reason: unknown): FinishReason | undefined {
  if (typeof reason !== 'string' || reason === '') return undefined;
  const name = reason.toLowerCase();
  return Object.hasOwn(finishReasons, name) ? finishReasons[name] : 'other';
}

/** Calls without a name are none; a missing id gets one, and arguments that came as an object become its text. */
function readToolCalls(calls: unknown): ToolCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call, index) => {
    const target = isRecord(call) && isRecord(call['function']) ? call['function'] : undefined;
    if (!isRecord(call) || typeof target?.['name'] !== 'string') return [];
    return [
      {
        id: typeof call['id'] === 'string' && call['id'] !== '' ? call['id'] : `call_${index}`,
        name: target['name'],
        arguments: argumentsText(target['arguments']),
      },
    ];
  });
}

/** Arguments as text. What nests too deeply to be printed is no object that any tool takes, and neither is null. */
export function argumentsText(given: unknown = ''): string {
  if (typeof given === 'string' || given === null) return given ?? '';
  try {
    return JSON.stringify(given);
  } catch {
    return 'null';
  }
}

/** Token counts; undefined when the endpoint does not give both. Input is all of it, what was cached included. */
function readUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const input = count(usage['prompt_tokens']);
  const output = count(usage['completion_tokens']);
  if (input === undefined || output === undefined) return undefined;
  const cached =
    count(inner(usage['prompt_tokens_details'], 'cached_tokens')) ?? count(usage['prompt_cache_hit_tokens']);
  const reasoning = count(inner(usage['completion_tokens_details'], 'reasoning_tokens'));
  return {
    input,
    output,
    ...(cached === undefined ? {} : { cachedInput: cached }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

function inner(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** JSON that stops short was cut off on its way, which a connection that closes at the end of a body does not tell. */
export function notJson(text: string): AttemptFailure {
  const isCutOff = text.trim() === '' || /^\s*\{/.test(text);
  const what = text.trim() === '' ? 'The answer is empty.' : `The answer is not JSON: ${text}`;
  return { ...invalid(what), retriable: isCutOff };
}

/** An answer that is no completion; `message` may quote all of it. */
export function invalid(message: string): AttemptFailure {
  return { code: 'invalid-response', message: tidy(message), retriable: false };
}
