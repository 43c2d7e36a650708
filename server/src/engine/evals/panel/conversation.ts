/** What was asked and said in an episode of another program, step by step, from its line. */
import type { Reply } from '../../environments/chat.ts';
import { toReply, toUsage } from '../formats/foreign.ts';
import { asFields, asList, asText, type Fields } from '../formats/json-fields.ts';

/** A message as it was sent; its role may be anything in files of others. */
export interface AskedMessage {
  readonly role: string;
  readonly content: string;
}

/** A reply with the messages that came since the one before it. */
export interface AskedReply {
  readonly asked: readonly AskedMessage[];
  readonly reply: Reply;
}

/** The steps of a line of `traces.jsonl`, in the order in which they were said. */
export function stepsOfTrace(value: unknown): readonly AskedReply[] {
  const row = asFields(value);
  const traces = Array.isArray(row['traces']) ? row['traces'].map(asFields) : [row];
  return traces.flatMap((trace) => {
    const nodes = asList(trace['nodes']).map(asFields);
    const marked = nodes.some((node) => typeof node['sampled'] === 'boolean');
    const calls = new Map(asList(trace['calls']).map((call) => [asFields(call)['node'], asFields(call)]));
    return splitMessages(
      nodes.map((node, at) => {
        const message = asFields(node['message']);
        const isReply = marked ? node['sampled'] === true : message['role'] === 'assistant';
        const call = calls.get(at) ?? {};
        return { message, isReply, finish: call['finish_reason'], usage: toUsage(call['usage']) };
      }),
    );
  });
}

/** The steps of a line of `results.jsonl`. */
export function stepsOfResult(value: unknown): readonly AskedReply[] {
  const row = asFields(value);
  const prompt = messagesOf(row['prompt'], 'user').map((message) => ({ message, isReply: false }));
  const completion = messagesOf(row['completion'], 'assistant').map((message) => ({
    message,
    isReply: message['role'] === 'assistant',
  }));
  return splitMessages([...prompt, ...completion].map((it) => ({ ...it, finish: undefined, usage: null })));
}

/** A list of messages, or the text of the only one. */
function messagesOf(value: unknown, role: string): Fields[] {
  return typeof value === 'string' ? [{ role, content: value }] : asList(value).map(asFields);
}

interface Said {
  readonly message: Fields;
  readonly isReply: boolean;
  readonly finish: unknown;
  readonly usage: ReturnType<typeof toUsage>;
}

function splitMessages(all: readonly Said[]): AskedReply[] {
  const steps: AskedReply[] = [];
  let asked: AskedMessage[] = [];
  for (const { message, isReply, finish, usage } of all) {
    const reply = toReply(message, finish, usage);
    if (isReply) {
      steps.push({ asked, reply });
      asked = [];
    } else {
      asked.push({ role: asText(message['role']) ?? '', content: reply.text });
    }
  }
  return steps;
}
