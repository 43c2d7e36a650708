/** Replies as episodes of `eval --json` hold them: mostly texts, and objects where tools were called. */
import { type Reply, reply, type ToolCall } from '../environments/chat.ts';
import { asFields } from './formats/json-fields.ts';

export type RecordedReply = string | { readonly text: string; readonly tool_calls: readonly ToolCall[] };

/** What of a reply is scored. */
export function recordReply({ text, toolCalls = [] }: Reply): RecordedReply {
  return toolCalls.length === 0 ? text : { text, tool_calls: toolCalls };
}

/** Whether a value is a recorded reply. */
export function isRecordedReply(value: unknown): value is RecordedReply {
  if (typeof value === 'string') return true;
  const { text, tool_calls: calls } = asFields(value);
  return typeof text === 'string' && Array.isArray(calls) && calls.every(isCall);
}

function isCall(value: unknown): boolean {
  const { id, name, arguments: given } = asFields(value);
  return [id, name, given].every((field) => typeof field === 'string');
}

/** The reply again. */
export function toReply(recorded: RecordedReply): Reply {
  if (typeof recorded === 'string') return reply(recorded);
  return { ...reply(recorded.text), toolCalls: recorded.tool_calls };
}
