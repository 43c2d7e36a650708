/** What a model is asked, as the body of an OpenAI-compatible chat request. */
import type { ChatMessage, ToolSpec } from '../environments/chat.ts';
import type { Sampling } from './sampling.ts';

export interface ChatQuestion {
  /** Left out of the body when null. */
  readonly model: string | null;
  readonly messages: readonly ChatMessage[];
  readonly sampling: Sampling;
  readonly tools: readonly ToolSpec[];
}

/** The body as plain JSON. Keys of sampling are those of the file, which are those of endpoints. */
export function chatRequest({
  model,
  messages,
  sampling,
  tools,
}: ChatQuestion): Readonly<Record<string, unknown>> {
  return {
    ...(model === null ? {} : { model }),
    messages: messages.map(toMessage),
    ...sampling,
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
  };
}

function toMessage(message: ChatMessage): Readonly<Record<string, unknown>> {
  const { role, content } = message;
  if (role === 'tool') return { role, tool_call_id: message.toolCallId, content };
  if (role !== 'assistant') return { role, content };
  // Models that reason are to be given their reasoning back; endpoints that know no such field pass over it.
  const { reasoning } = message;
  const said = { role, content, ...(reasoning === undefined ? {} : { reasoning_content: reasoning }) };
  if (message.toolCalls === undefined) return said;
  const calls = message.toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: given },
  }));
  return { ...said, tool_calls: calls };
}
