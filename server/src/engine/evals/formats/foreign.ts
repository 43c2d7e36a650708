/** What the readers of both public formats share: messages, failures and outcomes as others write them. */
import type { Reply, ToolCall, Usage } from '../../environments/chat.ts';
import type { Outcome } from '../../environments/environment.ts';
import type { ModelFailure, ModelFailureCode } from '../model.ts';
import { passThreshold } from '../run-summary.ts';
import {
  asCount,
  asFields,
  asList,
  asMetrics,
  asNumber,
  asText,
  type Fields,
  isFields,
} from './json-fields.ts';
import { isFailureCode } from './read-step-line.ts';

/** What a reader has to know beyond the line. */
export interface ForeignContext {
  /** Number the episode gets. */
  readonly task: number;
  /** Ids of groupings to look for among the instance's data. */
  readonly groupings: readonly string[];
  /** Which repetition on its instance the line is, given the instance's key. */
  rolloutOf(key: string): number;
}

/** Counts repetitions by the keys of instances, from 0 in the order of the lines. */
export function countRollouts(): ForeignContext['rolloutOf'] {
  const seen = new Map<string, number>();
  return (key) => {
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return before;
  };
}

/** Text of a message whose content is a text or a list of parts; parts that are no text are left out. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asText(asFields(part)['text']) ?? '')
    .join('');
}

/** A message of the assistant as a reply. */
export function toReply(message: Fields, finish: unknown, usage: Usage | null): Reply {
  const reasoning = asText(message['reasoning_content']) ?? asText(message['reasoning']);
  const calls = asList(message['tool_calls']).flatMap(toToolCall);
  const reason = finishReason(finish);
  return {
    kind: 'reply',
    text: contentText(message['content']),
    ...(reasoning === null || reasoning === '' ? {} : { reasoning }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(reason === undefined ? {} : { finish: reason }),
    ...(usage === null ? {} : { usage }),
  };
}

/** Both shapes there are: with the name beside the id, or inside a `function`. */
function toToolCall(value: unknown): ToolCall[] {
  // The older format keeps each call as a text of JSON.
  const call = asFields(typeof value === 'string' ? parseQuietly(value) : value);
  const inner = isFields(call['function']) ? call['function'] : call;
  const name = asText(inner['name']);
  return name === null
    ? []
    : [{ id: asText(call['id']) ?? '', name, arguments: asText(inner['arguments']) ?? '' }];
}

function parseQuietly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function finishReason(value: unknown): Reply['finish'] {
  switch (value) {
    case 'stop':
    case 'length':
    case 'tool_calls':
      return value;
    case 'content_filter':
    case 'refusal':
      return 'refusal';
    default:
      return typeof value === 'string' ? 'other' : undefined;
  }
}

/** The failure a recorded error speaks of: an object with `type` or `error` and `message`, or a text. */
export function toFailure(error: unknown, attempts: number): ModelFailure | null {
  if (typeof error === 'string' && error !== '') return failure('invalid-response', error, attempts, null);
  if (!isFields(error)) return null;
  const status = asCount(error['status_code']);
  const type = asText(error['type']) ?? asText(error['error']) ?? '';
  const message = asText(error['message']) ?? asText(error['error_chain_str']) ?? '';
  const text = message === '' ? type : type === '' || isFailureCode(type) ? message : `${type}: ${message}`;
  return failure(isFailureCode(type) ? type : codeOf(status), text, attempts, status);
}

function codeOf(status: number | null): ModelFailureCode {
  if (status === null) return 'invalid-response';
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'not-found';
  if (status === 429) return 'rate-limit';
  return status >= 500 ? 'server' : 'bad-request';
}

function failure(
  code: ModelFailureCode,
  message: string,
  attempts: number,
  status: number | null,
): ModelFailure {
  return { code, message, advice: '', attempts, retriable: false, ...(status === null ? {} : { status }) };
}

/**
 * The outcome that a reward and metrics speak of. Whether the episode is solved is said by a metric `correct` where
 * there is one, otherwise by a reward that passes in other tools.
 */
export function toOutcome(reward: number, metrics: unknown, stop: string | null, replies: number): Outcome {
  const known = asMetrics(metrics);
  const { correct, steps_used: steps } = known;
  return {
    done: true,
    reward,
    correct: typeof correct === 'number' ? correct >= 1 : reward >= passThreshold,
    stop: stop ?? 'completed',
    steps: steps ?? replies,
    metrics: known,
  };
}

/** The groups an instance belongs to, of those whose ids are asked for, from its own data or a `groups` in it. */
export function toGroups(
  data: Fields,
  groupings: readonly string[],
): Readonly<Record<string, string | number>> {
  const inner = asFields(data['groups']);
  return Object.fromEntries(
    groupings.flatMap((id): [string, string | number][] => {
      const value = inner[id] ?? data[id];
      return typeof value === 'string' || typeof value === 'number' ? [[id, value]] : [];
    }),
  );
}

/** Token counts as the older format sums them up. */
export function toUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const input = asNumber(value['input_tokens']) ?? asNumber(value['prompt_tokens']);
  const output = asNumber(value['output_tokens']) ?? asNumber(value['completion_tokens']);
  if (input === null && output === null) return null;
  // The newer format counts the cached part of the input apart.
  const cachedInput = asNumber(value['cached_input_tokens']);
  const reasoning = asNumber(value['reasoning_tokens']);
  return {
    input: (input ?? 0) + (cachedInput ?? 0),
    output: output ?? 0,
    ...(cachedInput === null ? {} : { cachedInput }),
    ...(reasoning === null ? {} : { reasoning }),
  };
}
