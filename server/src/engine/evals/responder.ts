/** Who gives the replies of an episode that is being played: a model that reads the step prompt, or a policy. */
import type { AnyInstance, Environment, Policy } from '../environments/environment.ts';
import type { PromptRenderer } from '../prompts/render-prompt.ts';
import type { Sampling } from '../prompts/sampling.ts';
import type { Model, ModelRequest, ModelResult } from './model.ts';

/** Asked for every reply of one episode, in order. */
export interface Responder<S> {
  /** The reply in `state`. Never rejects; an aborted signal gives the failure `cancelled`. */
  reply(state: S, signal: AbortSignal): Promise<ModelResult>;
}

/** What a model is asked, how it is asked left aside. */
export type Question = Pick<ModelRequest, 'messages' | 'tools'>;

/** What a model is asked in a state; null when the prompt passes a limit of rendering. */
export function questionFor<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  prompt: PromptRenderer,
  state: S,
): Question | null {
  const { messages, truncated } = prompt.render(environment.observe(state));
  if (truncated !== null) return null;
  const need = environment.next(state);
  const tools = need.kind === 'reply' ? need.tools : undefined;
  return {
    messages: [...messages, ...environment.conversation(state)],
    ...(tools === undefined ? {} : { tools }),
  };
}

/** Gives the question of a state. */
export type Asker<S> = { ask(state: S): Question | null }['ask'];

/** The same, rendered once for each state: it is sent, and later written down. */
export function openAsker<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  prompt: PromptRenderer,
): Asker<S> {
  const known = new WeakMap<object, Question | null>();
  return (state) => {
    if (typeof state !== 'object' || state === null) return questionFor(environment, prompt, state);
    const ready = known.get(state);
    if (ready !== undefined) return ready;
    const question = questionFor(environment, prompt, state);
    known.set(state, question);
    return question;
  };
}

/** A model behind a step prompt. Every step is a fresh request of the rendered prompt. */
export function modelResponder<S>(
  ask: Asker<S>,
  model: Model,
  sampling: Sampling,
  rollout: number,
): Responder<S> {
  return {
    async reply(state, signal) {
      const question = ask(state);
      if (question !== null) return model.complete({ ...question, sampling, rollout }, signal);
      const message = 'The step prompt prints more than a prompt may hold, so nothing was sent.';
      const advice =
        'Look for a section that repeats too much, or for a list that the agent makes longer and longer.';
      return {
        ok: false,
        failure: { code: 'prompt-too-large', message, advice, attempts: 0, retriable: false },
        waitedMs: 0,
      };
    },
  };
}

/**
 * A policy, which answers at once. One that left things to chance goes on where it stopped: it is asked again for
 * the replies in `earlier` states, and those are thrown away.
 */
export function policyResponder<I extends AnyInstance, S>(
  policy: Policy<I, S>,
  instance: I,
  seed: string,
  earlier: readonly S[],
): Responder<S> {
  const player = policy.begin(instance, seed);
  for (const state of earlier) player(state);
  return {
    reply: async (state) => ({ ok: true, reply: player(state), attempts: 0, cached: false, waitedMs: 0 }),
  };
}

/**
 * What the chance of a policy is seeded with in one repetition on an instance. The first has the seed of the run, so that
 * its episodes are those of a run with a single rollout; the others draw anew.
 *
 * @param rollout from 0
 */
export function rolloutSeed(seed: string, rollout: number): string {
  return rollout === 0 ? seed : `${seed}/rollout-${rollout}`;
}
