/** Playing one episode with a scripted agent. */
import type { Event } from '../environments/chat.ts';
import type { AnyInstance, Environment, Outcome, Policy } from '../environments/environment.ts';
import { grouped } from '../text/numbers.ts';

/** Everything about a played episode: the events say it all, the rest is folded from them. */
export interface Played<S> {
  readonly events: readonly Event[];
  readonly state: S;
  readonly outcome: Outcome;
}

/** Stops an episode that nothing else ends. Recorded budgets may be larger; no honest episode comes near. */
const maxSteps = 100_000;

/** An episode that would go on for ever, or as good as; the message is half a sentence. */
export class EndlessEpisode extends RangeError {
  override readonly name = 'EndlessEpisode';
}

/**
 * Plays `instance` with `policy` from start to end.
 *
 * Stops early, with an unfinished outcome, when the episode needs something that no scripted agent gives, such as a
 * judge's verdict.
 *
 * @param seed decides every choice the policy leaves to chance: same arguments, same events.
 * @throws EndlessEpisode when the environment lets an episode go on without end.
 */
export function playEpisode<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  instance: I,
  options: O,
  policy: Policy<I, S>,
  seed: string,
): Played<S> {
  const player = policy.begin(instance, seed);
  const events: Event[] = [];
  let state = environment.start(instance, options);
  while (environment.next(state).kind === 'reply') {
    if (events.length === maxSteps) {
      const episode = `the episode of ${policy.id} on ${instance.id}`;
      throw new EndlessEpisode(
        `${episode} was given up after ${grouped(maxSteps)} steps, since nothing ended it`,
      );
    }
    const event = player(state);
    events.push(event);
    state = environment.advance(state, event);
  }
  return { events, state, outcome: environment.outcome(state) };
}
