/**
 * Lets the endpoint for tests serve: it answers with real tool calls, as a scripted agent would that reads nothing but the
 * request. The episode is folded again from the messages that came, so the server remembers nothing.
 */
import type { ToolCall } from '../../server/src/engine/environments/chat.ts';
import { serving } from '../../server/src/engine/environments/serving/index.ts';
import type { Instance } from '../../server/src/engine/environments/serving/instance.ts';
import { defaultOptions } from '../../server/src/engine/environments/serving/options.ts';
import type { State } from '../../server/src/engine/environments/serving/state.ts';
import { streams } from '../../server/src/engine/environments/serving/stream/index.ts';
import { type Answer, type Respond, type Seen, wrong } from './model-server.ts';

/** What stands before a method's text in the shipped prompt. */
const heading = '# What is known from earlier tasks\n\n';

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: Omit<ToolCall, 'id'> }[];
}

/** Answers every task of the streams as the policy of that id. */
export function servingAnswers(ids: readonly string[], policyId: string): Respond {
  const policy = serving.policies.find(({ id }) => id === policyId);
  if (policy === undefined) throw new Error(`There is no policy ${policyId}.`);
  const tasks = new Map<string, Instance>();
  for (const id of ids) {
    const opened = streams.open(id);
    if (!opened.ok) throw new Error(opened.error);
    for (const task of opened.value.flatMap(({ serving: some, test }) => [...some, ...test])) {
      const text = String(serving.observe(serving.start(task, defaultOptions))['task_text']);
      if (tasks.has(text)) throw new Error(`Two tasks read the same: ${text}`);
      tasks.set(text, task);
    }
  }
  return ({ body }: Seen): Answer => {
    const messages = (body?.['messages'] ?? []) as readonly Message[];
    const [system, user, ...conversation] = messages;
    const task = tasks.get(user?.content ?? '');
    if (task === undefined) return wrong(400, 'No task reads like this.');
    const [, context = ''] = system?.content.split(heading) ?? [];
    let state = serving.start(task, { ...defaultOptions, context });
    for (const message of conversation)
      if (message.role === 'assistant') state = serving.advance(state, replyOf(message));
    const reply = policy.begin(task, '0')(state as State);
    return { said: { text: reply.text, ...(reply.toolCalls ? { toolCalls: reply.toolCalls } : {}) } };
  };
}

function replyOf({ content, tool_calls: calls = [] }: Message) {
  const toolCalls = calls.map(({ id, function: called }) => ({ id, ...called }));
  return { kind: 'reply' as const, text: content, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
}
