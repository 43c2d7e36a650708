/**
 * Sends requests to one endpoint through the `openai` package, and lets nothing out but what is meant for it.
 *
 * The package never sees the key, and none of the variables it reads of the environment has an effect: the headers of
 * a request are made here, from nothing. A redirect is an answer like any other and is never followed.
 */
import OpenAI from 'openai';
import { Agent, fetch as undiciFetch } from 'undici';
import { AttemptError, tidy } from './attempt.ts';
import { type Bytes, readStart } from './body.ts';
import { httpFailure } from './http-failure.ts';
import { isSendable } from './keys.ts';
import { networkFailure } from './network-failure.ts';

/** What is sent: all of it. */
export interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** The part of `fetch` that is used, for tests to replace. */
export type Fetch = (url: string, request: Outgoing) => Promise<Response>;

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
   * The response to a request, if it is a success; its body has not been read.
   *
   * @throws AttemptError for everything else; an aborted signal too ends as one.
   */
  send(method: 'get' | 'post', path: string, body: unknown, signal: AbortSignal): Promise<Incoming>;
}

export interface Incoming {
  /** In lower case, without parameters, e.g. `application/json`; empty when the answer does not say. */
  readonly type: string;
  /** Length of the body in bytes where the answer says; it may be compressed. */
  readonly length: number | null;
  readonly body: Bytes | null;
}

/** Longest part of an error's body that is read, in bytes. */
const errorBytes = 64 * 1024;

export function openTransport({ baseUrl, key, fetch = patientFetch, now }: TransportOptions): Transport {
  const { origin } = new URL(baseUrl);
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
    fetch: (url, init) => guarded(String(url), init ?? {}),
  });

  async function guarded(url: string, init: RequestInit): Promise<Response> {
    const { method = 'get', body, signal } = init;
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
    let response: Response;
    try {
      response = await fetch(url, request);
    } catch (error) {
      throw new AttemptError(networkFailure(error));
    }
    if (response.ok) return response;
    const location = response.headers.get('location');
    const isRedirect = response.status >= 300 && response.status < 400;
    const words =
      isRedirect && location !== null
        ? `Redirected (HTTP status ${response.status}) to ${tidy(location)}`
        : await readStart(response.body, errorBytes);
    throw new AttemptError(httpFailure(response, words, now()));
  }

  return {
    async send(method, path, body, signal) {
      try {
        const options = body === undefined ? { signal } : { body, signal };
        const response = await client[method](path, options).asResponse();
        const length = Number.parseInt(response.headers.get('content-length') ?? '', 10);
        return {
          type: (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
          length: Number.isNaN(length) ? null : length,
          body: response.body,
        };
      } catch (error) {
        throw new AttemptError(failureIn(error));
      }
    },
  };
}

const badKey = {
  code: 'auth' as const,
  message:
    'The API key holds characters that no key has, such as a blank, a line break or a typographic mark.',
  retriable: false,
};

/** The failure that the package has wrapped into an error of its own. */
function failureIn(error: unknown): AttemptError['failure'] {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof AttemptError ? cause.failure : networkFailure(error);
}

let agent: Agent | undefined;

/**
 * `fetch` without time limits of its own, which would end slow models after five minutes whatever timeout is set, and
 * with more patience for a connection, which a busy moment of this process can use up.
 */
function patientFetch(url: string, request: Outgoing): Promise<Response> {
  agent ??= new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } });
  return undiciFetch(url, { ...request, dispatcher: agent });
}
