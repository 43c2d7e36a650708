/** Reading the lines of `steps.jsonl`, which may be damaged or of a later version. */
import { type Event, finishReasons, type Reply, type ToolCall, type Usage } from '../../environments/chat.ts';
import type { Outcome } from '../../environments/environment.ts';
import { accept, type Checked, refuse } from '../../problem.ts';
import type { ModelFailure, ModelFailureCode } from '../model.ts';
import {
  asCount,
  asFields,
  asGroups,
  asList,
  asMetrics,
  asNumber,
  asText,
  type Fields,
  isFields,
} from './json-fields.ts';
import type { AttemptLine, InstanceNote, StepLine, TaskLine } from './step-lines.ts';

/** Reads a line; the error continues "line 3 …". What a later version may have added is left out. */
export function parseStepLine(text: string): Checked<StepLine> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return refuse('is not valid JSON');
  }
  const fields = asFields(raw);
  const attempt = asCount(fields['attempt']);
  const task = asCount(fields['task']);
  const line =
    attempt === null
      ? null
      : fields['type'] === 'attempt'
        ? readAttempt(fields, attempt)
        : task === null
          ? null
          : readTaskLine(fields, { task, attempt });
  return line === null ? refuse('is no line of a run') : accept(line);
}

function readAttempt(fields: Fields, attempt: number): AttemptLine {
  const { time, version, endpoint } = fields;
  return {
    type: 'attempt',
    attempt,
    time: asNumber(time) ?? 0,
    version: asText(version) ?? '',
    endpoint: asText(endpoint),
  };
}

function readTaskLine(fields: Fields, ids: TaskLine): StepLine | null {
  const step = asCount(fields['step']);
  const time = asNumber(fields['time']) ?? 0;
  switch (fields['type']) {
    case 'begin': {
      const instance = readInstance(asFields(fields['instance']));
      if (instance === null) return null;
      return { type: 'begin', ...ids, rollout: asCount(fields['rollout']) ?? 0, instance };
    }
    case 'event': {
      const event = readEvent(asFields(fields['event']));
      if (event === null || step === null) return null;
      const requests = asCount(fields['requests']) ?? 1;
      const ms = asNumber(fields['ms']) ?? 0;
      return { type: 'event', ...ids, step, event, requests, cached: fields['cached'] === true, time, ms };
    }
    case 'error': {
      const failure = readFailure(asFields(fields['failure']));
      return failure === null || step === null ? null : { type: 'error', ...ids, step, failure, time };
    }
    case 'end': {
      const outcome = readOutcome(asFields(fields['outcome']));
      const steps = asCount(fields['steps']);
      if (outcome === null || steps === null) return null;
      const causeStep = asCount(fields['causeStep']);
      const causeHop = asCount(fields['causeHop']);
      return { type: 'end', ...ids, steps, outcome, cause: asText(fields['cause']), causeStep, causeHop };
    }
    default:
      return null;
  }
}

function readInstance(fields: Fields): InstanceNote | null {
  const { id, hash, split, index, groups, minSteps } = fields;
  if (typeof id !== 'string' || typeof hash !== 'string' || typeof split !== 'string') return null;
  return {
    id,
    hash,
    split,
    index: asCount(index),
    groups: asGroups(groups),
    minSteps: asNumber(minSteps) ?? 0,
  };
}

function readOutcome(fields: Fields): Outcome | null {
  const { reward, correct, stop, steps, metrics } = fields;
  if (typeof reward !== 'number' || typeof correct !== 'boolean' || typeof stop !== 'string') return null;
  return { done: true, reward, correct, stop, steps: asCount(steps) ?? 0, metrics: asMetrics(metrics) };
}

const failureCodes: readonly string[] = [
  'auth',
  'not-found',
  'bad-request',
  'rate-limit',
  'server',
  'connection',
  'timeout',
  'invalid-response',
  'too-large',
  'prompt-too-large',
  'redirect',
  'cancelled',
  'limit',
] satisfies ModelFailureCode[];

export function isFailureCode(text: string): text is ModelFailureCode {
  return failureCodes.includes(text);
}

function readFailure(fields: Fields): ModelFailure | null {
  const { code } = fields;
  if (typeof code !== 'string' || !isFailureCode(code)) return null;
  const status = asCount(fields['status']);
  return {
    code,
    message: asText(fields['message']) ?? '',
    advice: asText(fields['advice']) ?? '',
    attempts: asCount(fields['attempts']) ?? 0,
    retriable: fields['retriable'] === true,
    ...(status === null ? {} : { status }),
  };
}

/** An event as it was recorded; null when it is none. */
export function readEvent(fields: Fields): Event | null {
  if (fields['kind'] === 'verdict') {
    const judge = asText(fields['judge']);
    const usage = readUsage(fields['usage']);
    const used = usage === null ? {} : { usage };
    return judge === null ? null : { kind: 'verdict', judge, value: fields['value'], ...used };
  }
  const text = asText(fields['text']);
  return fields['kind'] !== 'reply' || text === null ? null : readReply(fields, text);
}

function readReply(fields: Fields, text: string): Reply {
  const reasoning = asText(fields['reasoning']);
  const finish = finishReasons.find((known) => known === fields['finish']);
  const usage = readUsage(fields['usage']);
  const calls = fields['toolCalls'];
  return {
    kind: 'reply',
    text,
    ...(reasoning === null ? {} : { reasoning }),
    ...(Array.isArray(calls) ? { toolCalls: asList(calls).flatMap(readToolCall) } : {}),
    ...(finish === undefined ? {} : { finish }),
    ...(usage === null ? {} : { usage }),
  };
}

function readToolCall(value: unknown): ToolCall[] {
  const { id, name, arguments: given } = asFields(value);
  return typeof name === 'string' ? [{ id: asText(id) ?? '', name, arguments: asText(given) ?? '' }] : [];
}

function readUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const cachedInput = asNumber(value['cachedInput']);
  const reasoning = asNumber(value['reasoning']);
  return {
    input: asNumber(value['input']) ?? 0,
    output: asNumber(value['output']) ?? 0,
    ...(cachedInput === null ? {} : { cachedInput }),
    ...(reasoning === null ? {} : { reasoning }),
  };
}
