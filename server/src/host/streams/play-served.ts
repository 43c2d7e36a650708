/** Plays one episode of a stream, whatever it needs: replies of the agent, verdicts of a judge. */
import type { Event, Usage } from '../../engine/environments/chat.ts';
import type { AnyInstance, Environment } from '../../engine/environments/environment.ts';
import type { ModelFailure } from '../../engine/evals/model.ts';
import { type Judge, nextEvent } from '../../engine/evals/next-event.ts';
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

/** What a recorded value says of tokens; nothing where it says nothing. */
export function tokensOf(value: unknown): Tokens {
  const count = (key: keyof Tokens): number => {
    const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : 0;
    return typeof found === 'number' && Number.isFinite(found) ? found : 0;
  };
  return {
    input: count('input'),
    cache_input: count('cache_input'),
    output: count('output'),
    reasoning: count('reasoning'),
    calls: count('calls'),
  };
}

/** The sum of both. */
export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    cache_input: a.cache_input + b.cache_input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    calls: a.calls + b.calls,
  };
}

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

/** `tokens` and `judged` are what was used, whatever came of it. */
export type Served<S> = { readonly tokens: Tokens; readonly judged: Tokens } & (
  | {
      readonly kind: 'ended';
      readonly state: S;
      /** From the start on. */
      readonly states: readonly S[];
    }
  | { readonly kind: 'failed'; readonly failure: ModelFailure }
);

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
  const states = [state];
  let tokens = noTokens;
  let judged = noTokens;
  for (let events = 0; events < maxEvents; events++) {
    const need = environment.next(state);
    if (need.kind === 'nothing') return { kind: 'ended', state, states, tokens, judged };
    const given = await nextEvent(environment, state, need, { responder, judge }, signal);
    if (!given.ok) return { kind: 'failed', failure: given.failure, tokens, judged };
    if (need.kind === 'verdict') judged = withUsage(judged, given.usage);
    else if (!isUnasked(given.event)) tokens = withUsage(tokens, given.usage);
    state = environment.advance(state, given.event);
    states.push(state);
  }
  throw new RangeError('the episode was given up, since nothing ended it');
}

/** No request was answered where the conversation was too long. */
function isUnasked(event: Event): boolean {
  return event.kind === 'reply' && event.finish === 'context';
}
