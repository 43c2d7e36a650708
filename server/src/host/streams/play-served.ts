/** Plays one episode of a stream, whatever it needs: replies of the agent, verdicts of a judge. */
import type { ChatMessage, Event, Usage } from '../../engine/environments/chat.ts';
import type { AnyInstance, Environment } from '../../engine/environments/environment.ts';
import type { ModelFailure, ModelResult } from '../../engine/evals/model.ts';
import type { Responder } from '../../engine/evals/responder.ts';

/** Tokens as endpoints counted them, and how many requests were answered. */
export interface Tokens {
  readonly input: number;
  readonly cache_input: number;
  readonly output: number;
  readonly reasoning: number;
  readonly calls: number;
}

export const noTokens: Tokens = { input: 0, cache_input: 0, output: 0, reasoning: 0, calls: 0 };

/** The sum with one more answered request. */
export function withUsage(tokens: Tokens, usage: Usage | undefined): Tokens {
  return {
    input: tokens.input + (usage?.input ?? 0),
    cache_input: tokens.cache_input + (usage?.cachedInput ?? 0),
    output: tokens.output + (usage?.output ?? 0),
    reasoning: tokens.reasoning + (usage?.reasoning ?? 0),
    calls: tokens.calls + 1,
  };
}

/** Asks a model that judges; the name it is known by goes into rows. */
export interface Judge {
  readonly name: string;
  ask(messages: readonly ChatMessage[], signal: AbortSignal): Promise<ModelResult>;
}

export type Served<S> =
  | { readonly kind: 'ended'; readonly state: S; readonly tokens: Tokens; readonly judged: Tokens }
  | { readonly kind: 'failed'; readonly failure: ModelFailure };

/** Stops an episode that nothing else ends. */
const maxEvents = 100_000;

/** Plays from the start to the end, or to the first failure that is not the conversation's own length. */
export async function playServed<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  instance: I,
  options: O,
  responder: Responder<S>,
  judge: Judge | null,
  signal: AbortSignal,
): Promise<Served<S>> {
  let state = environment.start(instance, options);
  let tokens = noTokens;
  let judged = noTokens;
  for (let events = 0; events < maxEvents; events++) {
    const need = environment.next(state);
    if (need.kind === 'nothing') return { kind: 'ended', state, tokens, judged };
    let event: Event;
    if (need.kind === 'reply') {
      const result = await responder.reply(state, signal);
      if (result.ok) {
        event = result.reply;
        tokens = withUsage(tokens, result.reply.usage);
      } else if (isOverflow(result.failure)) {
        event = { kind: 'reply', text: '', finish: 'context' };
      } else return { kind: 'failed', failure: result.failure };
    } else {
      const result = await (judge?.ask(need.messages, signal) ?? noJudge());
      if (!result.ok) return { kind: 'failed', failure: result.failure };
      judged = withUsage(judged, result.reply.usage);
      event = { kind: 'verdict', judge: judge?.name ?? '', value: result.reply.text };
    }
    state = environment.advance(state, event);
  }
  throw new RangeError('the episode was given up, since nothing ended it');
}

/** An endpoint that refuses a conversation for its length says so with a status; our own limits have none. */
function isOverflow({ code, status }: ModelFailure): boolean {
  return code === 'too-large' && status !== undefined;
}

async function noJudge(): Promise<ModelResult> {
  const failure: ModelFailure = {
    code: 'bad-request',
    message: 'The episode needs a judge, and none was named.',
    advice: 'Name a model that judges.',
    attempts: 0,
    retriable: false,
  };
  return { ok: false, failure, waitedMs: 0 };
}
