/** Reads answers that are no success: what they mean, whether trying again can help, how long to wait. */
import { isRecord } from '../jsonl.ts';
import { type AttemptFailure, tidy } from './attempt.ts';

/** The part of a response that is looked at here. */
interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

/**
 * Understands a response whose status is not a success.
 *
 * @param text its body, as far as it was read
 * @param now for dates in `Retry-After`, in ms since 1970
 */
export function httpFailure({ status, headers }: Answer, text: string, now: number): AttemptFailure {
  const body = parse(text);
  const message = tidy(providerWords(body) ?? plainWords(text)) || `HTTP status ${status}`;
  const wait = retryAfter(headers, now);
  const failure = { ...statusMeaning(status, providerCode(body), message), message, status };
  const said = headers.get('x-should-retry');
  const retriable = said === 'false' ? false : failure.retriable;
  return { ...failure, retriable, ...(wait === null ? {} : { retryAfterMs: wait }) };
}

/** Codes with which providers say that an account is out of money, which no waiting mends. */
const noCredit = /insufficient_quota|insufficient_credit|insufficient_balance|billing|credit/i;
const tooLong = /context_length_exceeded|context length|context window|maximum context|too many tokens/i;
const maxTokensName = /max_completion_tokens/;

type Meaning = Pick<AttemptFailure, 'code' | 'retriable' | 'detail'>;

function statusMeaning(status: number, code: string, message: string): Meaning {
  switch (status) {
    case 401:
    case 403:
      return { code: 'auth', retriable: false };
    case 402:
      return { code: 'rate-limit', retriable: false, detail: 'no-credit' };
    case 404:
    case 405:
    case 410:
      return { code: 'not-found', retriable: false };
    case 408:
      return { code: 'timeout', retriable: true };
    case 413:
      return { code: 'too-large', retriable: false, detail: 'context' };
    case 429:
      return noCredit.test(code)
        ? { code: 'rate-limit', retriable: false, detail: 'no-credit' }
        : { code: 'rate-limit', retriable: true };
    // Not implemented, and no such version of HTTP: the endpoint will not learn it by and by.
    case 501:
    case 505:
      return { code: 'server', retriable: false };
  }
  if (status >= 500) return { code: 'server', retriable: true };
  if (status >= 300 && status < 400) return { code: 'redirect', retriable: false };
  if (tooLong.test(code) || tooLong.test(message)) {
    return { code: 'too-large', retriable: false, detail: 'context' };
  }
  const detail = maxTokensName.test(message) ? { detail: 'max-tokens-name' as const } : {};
  return { code: 'bad-request', retriable: false, ...detail };
}

/**
 * The failure that a successful response holds all the same: some gateways answer 200 and put the error of the
 * provider behind them into the body. Null when there is none.
 */
export function embeddedFailure(body: unknown): AttemptFailure | null {
  if (!isRecord(body) || body['error'] === undefined || body['error'] === null) return null;
  const { error } = body;
  const code = isRecord(error) ? Number(error['code'] ?? error['status']) : Number.NaN;
  const status = Number.isInteger(code) && code >= 400 && code < 600 ? code : 500;
  const message = tidy(providerWords(body) ?? '') || 'The answer holds an error without words.';
  return { ...statusMeaning(status, providerCode(body), message), message, status };
}

/**
 * What a provider says in one of the shapes that are in use; undefined when it says nothing.
 *
 * @param depth how many objects within objects are looked into: no honest error has more
 */
function providerWords(body: unknown, depth = 5): string | undefined {
  if (typeof body === 'string') return body;
  if (depth === 0) return undefined;
  if (Array.isArray(body)) return providerWords(body[0], depth - 1);
  if (!isRecord(body)) return undefined;
  const { error, message, detail, msg } = body;
  const words = [error, message, detail, msg]
    .map((part) => providerWords(part, depth - 1))
    .find((text) => text?.trim());
  // A gateway's own words are general; those of the provider behind it say what happened.
  const behind = isRecord(body['metadata']) ? body['metadata']['raw'] : undefined;
  return typeof behind === 'string' && words !== undefined ? `${words}: ${behind}` : words;
}

function providerCode(body: unknown): string {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : body;
  if (!isRecord(error)) return '';
  return [error['code'], error['type']].filter((value) => typeof value === 'string').join(' ');
}

/** A body that is no JSON: the title of a page of HTML, or the text itself. */
function plainWords(text: string): string {
  if (!/^\s*</.test(text)) return text;
  return /<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * How long the endpoint asks to wait, in ms from now: `retry-after-ms`, or `Retry-After` in seconds or as a date. A
 * date is taken by the endpoint's own clock where its answer has one. Null when it does not say, or not legibly.
 */
function retryAfter(headers: Answer['headers'], now: number): number | null {
  const exact = amount(headers.get('retry-after-ms'));
  if (exact !== null) return exact;
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = amount(value);
  if (seconds !== null) return seconds * 1000;
  // Parsers of dates make something even of "-5"; a date of HTTP has the name of its month.
  const date = /[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return null;
  const theirs = Date.parse(headers.get('date') ?? '');
  return Math.max(0, date - (Number.isNaN(theirs) ? now : theirs));
}

function amount(text: string | null): number | null {
  return text !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
