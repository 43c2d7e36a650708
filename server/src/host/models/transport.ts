/**
 * Sends requests to one endpoint through the `openai` package, and lets nothing out but what is meant for it.
 *
 * The package never sees the key, and none of the variables it reads of the environment has an effect: the headers of
 * a request are made here, from nothing. A redirect is an answer like any other and is never followed. Nor does the
 * package see a body: those are read elsewhere, since it would read one of any size for as long as it takes.
 */
import OpenAI from 'openai';
import { AttemptError, type AttemptFailure, tidy } from './attempt.ts';
import { type Bytes, readStart } from './body.ts';
import { httpFailure } from './http-failure.ts';
import { isSendable } from './keys.ts';
import { networkFailure } from './network-failure.ts';
import { patientFetch } from './patient-fetch.ts';

/** What is sent: all of it. */
export interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** What comes back, its body unread. */
export interface Incoming {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: Bytes | null;
}

/** As the function of that name, which can be passed for it. Must not follow redirects. */
export type Fetch = (url: string, request: Outgoing) => Promise<Incoming>;

export interface TransportOptions {
  readonly baseUrl: string;
  /** Sent to the origin of the base URL and nowhere else. */
  readonly key: string | null;
  readonly fetch?: Fetch;
  /** Ms since 1970. */
  readonly now: () => number;
}

export interface Transport {
  /**
   * The answer to a request, if it is a success.
   *
   * @throws AttemptError for everything else; an aborted signal too ends as one.
   */
  send(method: 'get' | 'post', path: string, body: unknown, signal: AbortSignal): Promise<Incoming>;
}

/** Longest part of an error's body that is read, in bytes. */
const errorBytes = 64 * 1024;

export function openTransport({ baseUrl, key, fetch = patientFetch, now }: TransportOptions): Transport {
  const { origin } = new URL(baseUrl);
  /** The answers, by the empty ones that the package gets in their place. */
  const answers = new WeakMap<Response, Incoming>();
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: 'set below',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    // Ours covers the body too. The package's, which does not, is set out of the way.
    timeout: 2 ** 31 - 1,
    async fetch(url, init) {
      const answer = await guarded(String(url), init ?? {});
      const empty = new Response(null);
      answers.set(empty, answer);
      return empty;
    },
  });

  async function guarded(url: string, { method = 'get', body, signal }: RequestInit): Promise<Incoming> {
    if (key !== null && !isSendable(key)) throw new AttemptError(badKey);
    const request: Outgoing = {
      method: method.toUpperCase(),
      headers: {
        accept: 'application/json',
        'user-agent': 'hopscope',
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(key !== null && new URL(url).origin === origin ? { authorization: `Bearer ${key}` } : {}),
      },
      ...(typeof body === 'string' ? { body } : {}),
      redirect: 'manual',
      signal: signal ?? new AbortController().signal,
    };
    let answer: Incoming;
    try {
      answer = await fetch(url, request);
    } catch (error) {
      throw new AttemptError(networkFailure(error));
    }
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw new AttemptError(httpFailure(answer, await wordsOf(answer), now()));
  }

  return {
    async send(method, path, body, signal) {
      try {
        const options = body === undefined ? { signal } : { body, signal };
        const answer = answers.get(await client[method](path, options).asResponse());
        if (answer !== undefined) return answer;
      } catch (error) {
        throw new AttemptError(failureIn(error));
      }
      throw new AttemptError(networkFailure(undefined));
    },
  };
}

/** What an answer that is no success says of itself. */
async function wordsOf({ status, headers, body }: Incoming): Promise<string> {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null) return await readStart(body, errorBytes);
  await readStart(body, 1);
  return `Redirected (HTTP status ${status}) to ${tidy(location)}`;
}

const badKey: AttemptFailure = {
  code: 'auth',
  message:
    'The API key holds characters that no key has, such as a blank, a line break or a typographic mark.',
  retriable: false,
};

/** The failure that the package has wrapped into an error of its own. */
function failureIn(error: unknown): AttemptFailure {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof AttemptError ? cause.failure : networkFailure(error);
}
