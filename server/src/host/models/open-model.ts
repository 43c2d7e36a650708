/** A model behind an OpenAI-compatible endpoint: takes turns, tries again what can succeed, keeps to limits. */
import type { Reply } from '../../engine/environments/chat.ts';
import type { Clock } from '../../engine/evals/clock.ts';
import type {
  Model,
  ModelConfig,
  ModelEndpoint,
  ModelFailure,
  ModelRequest,
  ModelResult,
} from '../../engine/evals/model.ts';
import type { Spending } from '../../engine/evals/spending.ts';
import { chatRequest } from '../../engine/prompts/chat-request.ts';
import { explainFailure, type Undertaking } from './advice.ts';
import { ask, type Body } from './ask.ts';
import type { AttemptFailure } from './attempt.ts';
import { waitAfter } from './back-off.ts';
import { originOf } from './base-url.ts';
import type { ReplyCache } from './cache.ts';
import { cancelled } from './deadline.ts';
import { type KeyFinder, replyWithoutKey } from './keys.ts';
import { type Limiter, openLimiter } from './limiter.ts';
import { either } from './signals.ts';
import { type Fetch, openTransport } from './transport.ts';

const defaultTimeoutMs = 300_000;
const defaultAttempts = 5;
const defaultConcurrency = 32;

/** How often a request is sent to something that has given no reply yet and answers what no endpoint does. */
const garbledAttempts = 3;

/** What a model needs of the world around it. */
export interface ModelDeps {
  readonly clock: Clock;
  /** Ends everything under way and everything asked later. */
  readonly signal: AbortSignal;
  /** Asked once, for the origin of the endpoint; no key is sent when absent. */
  readonly keys?: KeyFinder;
  /** From 0 to below 1, for waits. Chance by default. */
  readonly random?: () => number;
  readonly fetch?: Fetch;
  /** The account of the run: requests are refused once a limit of it is reached. */
  readonly spending?: Spending;
  /** To be shared by models of one endpoint; a model has one of its own by default. */
  readonly limiter?: Limiter;
  /** Where replies are kept; no cache when absent. */
  readonly cache?: ReplyCache;
  /** Which requests use the cache: those at temperature 0 (the default) or all. */
  readonly cached?: 'deterministic' | 'all';
  /** What advice speaks of: a run by default. */
  readonly undertaking?: Undertaking;
}

/**
 * Opens a model. Nothing is sent before the first request.
 *
 * @param config with a base URL that `parseBaseUrl` gave
 */
export function openModel(config: ModelConfig, deps: ModelDeps): Model {
  const { clock, random = Math.random, spending, cache } = deps;
  const { attempts = defaultAttempts, timeoutMs = defaultTimeoutMs, baseUrl } = config;
  const endpoint: ModelEndpoint = {
    model: config.model,
    baseUrl,
    ...(config.extraBody === undefined ? {} : { extraBody: config.extraBody }),
  };
  const key = deps.keys?.(originOf(baseUrl)) ?? null;
  const transport = openTransport({
    baseUrl,
    key,
    now: clock.now,
    ...(deps.fetch === undefined ? {} : { fetch: deps.fetch }),
  });
  const limiter = deps.limiter ?? openLimiter(config.concurrency ?? defaultConcurrency);

  const fail = (failure: AttemptFailure, sent: number) =>
    explainFailure(failure, endpoint, key, sent, deps.undertaking);

  let works = false;
  /** How often a request is sent that failed like this. */
  const triesAfter = ({ code, retriable }: AttemptFailure): number => {
    if (retriable) return attempts;
    if (code !== 'invalid-response' || config.retryGarbled !== true) return 1;
    return works ? attempts : Math.min(attempts, garbledAttempts);
  };

  /** Tries until there is a reply or no sense in trying. The caller holds a turn. */
  async function tryOften(request: ModelRequest, body: Body, signal: AbortSignal): Promise<Tried> {
    let asked = 0;
    for (let sent = 0; ; ) {
      const refusal = signal.aborted ? cancelled : limitFailure(spending);
      if (refusal !== null) return { failure: fail(refusal, sent), askedMs: asked };
      const mark = limiter.mark();
      const began = clock.now();
      spending?.request();
      sent++;
      const answer = await ask(transport, body, request, { clock, timeoutMs, signal });
      asked += clock.now() - began;
      if ('reply' in answer) {
        works = true;
        limiter.succeeded();
        account(spending, body, answer.reply);
        return { reply: replyWithoutKey(answer.reply, key), attempts: sent, askedMs: asked };
      }
      const { failure, shown } = answer;
      if (failure.code === 'rate-limit') limiter.refused(mark);
      const wait = waitAfter(sent, failure.retryAfterMs, random());
      if (sent >= triesAfter(failure) || wait === null) {
        return { failure: fail(failure, sent), askedMs: asked };
      }
      if (shown) request.restart?.();
      await clock.sleep(wait, signal);
    }
  }

  return {
    endpoint,
    async complete(request, given) {
      const began = clock.now();
      const body = bodyOf(endpoint, request);
      const question = { baseUrl, body, rollout: request.rollout ?? 0 };
      const store = deps.cached === 'all' || body['temperature'] === 0 ? cache : undefined;
      const { signal, detach } = either(deps.signal, given);
      try {
        const kept = signal.aborted ? undefined : await store?.get(question);
        if (kept !== undefined) return fromCache(kept, request, clock.now() - began);
        const turn = await limiter.enter(signal);
        if (turn === null) {
          return { ok: false, failure: fail(cancelled, 0), waitedMs: clock.now() - began };
        }
        const tried = await tryOften(request, body, signal).finally(() => turn.leave());
        const waitedMs = clock.now() - began - tried.askedMs;
        if ('failure' in tried) return { ok: false, failure: tried.failure, waitedMs };
        await store?.put(question, tried.reply);
        return { ok: true, reply: tried.reply, attempts: tried.attempts, cached: false, waitedMs };
      } finally {
        detach();
      }
    },
  };
}

type Tried =
  | { readonly reply: Reply; readonly attempts: number; readonly askedMs: number }
  | { readonly failure: ModelFailure; readonly askedMs: number };

function limitFailure(spending: Spending | undefined): AttemptFailure | null {
  const message = spending?.exceeded() ?? null;
  return message === null ? null : { code: 'limit', message, retriable: true };
}

/** The body of a request as endpoints take it, with the extra body over it. */
export function bodyOf({ model, baseUrl, extraBody = {} }: ModelEndpoint, request: ModelRequest): Body {
  const { messages, sampling, tools = [] } = request;
  const { max_tokens, ...body }: Record<string, unknown> = chatRequest({ model, messages, sampling, tools });
  // OpenAI's reasoning models refuse the old name, which most others know alone.
  if (max_tokens !== undefined) body[isOpenai(baseUrl) ? 'max_completion_tokens' : 'max_tokens'] = max_tokens;
  Object.assign(body, extraBody);
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

function isOpenai(baseUrl: string): boolean {
  return originOf(baseUrl) === 'https://api.openai.com';
}

function account(spending: Spending | undefined, body: Body, reply: Reply): void {
  if (spending === undefined) return;
  if (reply.usage !== undefined) spending.usage(reply.usage);
  else spending.estimate(JSON.stringify(body).length, reply.text.length + (reply.reasoning ?? '').length);
}

function fromCache(reply: Reply, request: ModelRequest, waitedMs: number): ModelResult {
  const { text, reasoning } = reply;
  if (reasoning !== undefined) request.stream?.({ reasoning });
  if (text !== '') request.stream?.({ text });
  return { ok: true, reply, attempts: 0, cached: true, waitedMs };
}
