/** What a run will take at least: requests and tokens, from a few of its instances played by a policy. */
import type { AnyInstance, Environment } from '../environments/environment.ts';
import type { PromptRenderer } from '../prompts/render-prompt.ts';
import { costOf, type Price } from './prices.ts';
import { questionFor } from './responder.ts';

/** Of one episode that takes no detour. */
export interface EpisodeSize {
  readonly requests: number;
  /** Characters of all prompts, in UTF-16 units. */
  readonly promptLength: number;
  readonly replyLength: number;
}

/** What a whole run takes when no episode takes a detour. Models do, and think, so it is a lower bound. */
export interface Estimate {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In US dollars; null where the price is not known. */
  readonly dollars: number | null;
}

/** English text has about as many characters to a token of today's models. */
const charactersPerToken = 4;

/**
 * Plays `instance` with the environment's best-informed policy and measures what a model would have been asked. Null for
 * an environment without policies or a prompt that prints too much.
 */
export function measureEpisode<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  instance: I,
  options: O,
  prompt: PromptRenderer,
): EpisodeSize | null {
  const { policies } = environment;
  const policy = policies.find((it) => it.privileged) ?? policies[0];
  if (policy === undefined) return null;
  const player = policy.begin(instance, '0');
  let state = environment.start(instance, options);
  let size: EpisodeSize = { requests: 0, promptLength: 0, replyLength: 0 };
  while (environment.next(state).kind === 'reply') {
    const question = questionFor(environment, prompt, state);
    if (question === null) return null;
    const reply = player(state);
    size = {
      requests: size.requests + 1,
      promptLength: question.messages.reduce((sum, { content }) => sum + content.length, size.promptLength),
      replyLength: size.replyLength + reply.text.length,
    };
    state = environment.advance(state, reply);
  }
  return size;
}

/** Scales what some episodes take to `episodes`; null without any. */
export function estimateRun(
  sizes: readonly EpisodeSize[],
  episodes: number,
  price: Price | null,
): Estimate | null {
  if (sizes.length === 0) return null;
  const scaled = (of: (size: EpisodeSize) => number): number =>
    Math.ceil((sizes.reduce((sum, size) => sum + of(size), 0) / sizes.length) * episodes);
  const input = Math.ceil(scaled((size) => size.promptLength) / charactersPerToken);
  const output = Math.ceil(scaled((size) => size.replyLength) / charactersPerToken);
  const dollars = price === null ? null : costOf(price, { input, output });
  return { requests: scaled((size) => size.requests), inputTokens: input, outputTokens: output, dollars };
}
