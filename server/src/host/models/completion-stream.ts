/** Reads a reply that comes piece by piece, and hands the pieces on as they come. */
import type { ModelDelta } from '../../engine/evals/model.ts';
import { isRecord } from '../jsonl.ts';
import type { AttemptFailure } from './attempt.ts';
import { argumentsText, choiceFailure, notJson, type Read, readMessage } from './completion.ts';
import { embeddedFailure } from './http-failure.ts';
import { contentOf, reasoningOf } from './reasoning.ts';

type Json = Readonly<Record<string, unknown>>;

interface OpenCall {
  readonly index: unknown;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/**
 * Adds up the chunks of a streamed completion.
 *
 * Reasoning between tags is shown as text while it comes and taken out at the end. A stream that ends without a reason
 * to finish and without `[DONE]` was cut off, however well each chunk was formed.
 *
 * @param events the data of each event
 * @param show told of every piece of text or reasoning
 */
export async function readCompletionStream(
  events: AsyncIterable<string>,
  show: (delta: ModelDelta) => void,
): Promise<Read> {
  let text = '';
  let reasoning = '';
  let refusal = '';
  let finish: unknown;
  let usage: unknown;
  let calls: readonly OpenCall[] = [];
  let isDone = false;
  for await (const data of events) {
    if (data.trim() === '[DONE]') {
      isDone = true;
      break;
    }
    const chunk = parse(data);
    if (chunk === null) return { failure: notJson(data) };
    const failure = failureIn(chunk);
    if (failure !== null) return { failure };
    usage = chunk['usage'] ?? usage;
    const choice = firstChoice(chunk);
    if (choice === null) continue;
    finish = choice['finish_reason'] ?? finish;
    const delta = choice['delta'];
    if (!isRecord(delta)) continue;
    const content = contentOf(delta['content']);
    const thought = reasoningOf(delta) + content.reasoning;
    text += content.text;
    reasoning += thought;
    if (typeof delta['refusal'] === 'string') refusal += delta['refusal'];
    calls = addCalls(calls, delta['tool_calls']);
    if (content.text !== '') show({ text: content.text });
    if (thought !== '') show({ reasoning: thought });
  }
  if (!isDone && finish === undefined) return { failure: cutOff };
  const message = {
    content: text,
    reasoning_content: reasoning,
    ...(refusal === '' ? {} : { refusal }),
    tool_calls: calls.map(({ id, name, arguments: given }) => ({ id, function: { name, arguments: given } })),
  };
  return { reply: readMessage(message, finish, usage) };
}

const cutOff: AttemptFailure = {
  code: 'connection',
  message: 'The answer was cut off before its end.',
  retriable: true,
};

function parse(data: string): Json | null {
  try {
    const value: unknown = JSON.parse(data);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function firstChoice(chunk: Json): Json | null {
  const choice = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined;
  return isRecord(choice) ? choice : null;
}

function failureIn(chunk: Json): AttemptFailure | null {
  const failure = embeddedFailure(chunk);
  if (failure !== null) return failure;
  const choice = firstChoice(chunk);
  return choice === null ? null : choiceFailure(choice);
}

/** Adds the pieces of tool calls to those there are: by index, where an endpoint gives one, else by a new id. */
function addCalls(calls: readonly OpenCall[], pieces: unknown): readonly OpenCall[] {
  if (!Array.isArray(pieces)) return calls;
  const added = [...calls];
  for (const piece of pieces) {
    if (!isRecord(piece)) continue;
    const target = isRecord(piece['function']) ? piece['function'] : {};
    const { index } = piece;
    const id = typeof piece['id'] === 'string' ? piece['id'] : '';
    const name = typeof target['name'] === 'string' ? target['name'] : '';
    const text = argumentsText(target['arguments']);
    const continues = index === undefined && (id === '' || added.at(-1)?.id === id);
    const at = continues ? added.length - 1 : added.findIndex((call) => call.index === index);
    const open = index === undefined && !continues ? undefined : added[at];
    if (open === undefined) added.push({ index, id, name, arguments: text });
    else
      added[at] = {
        ...open,
        id: open.id || id,
        name: open.name || name,
        arguments: open.arguments + text,
      };
  }
  return added;
}
