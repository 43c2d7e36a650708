/** Playing one episode with a scripted agent. */
import type { Event } from '../environments/chat.ts';
import type { AnyInstance, Environment, Outcome, Policy } from '../environments/environment.ts';

/** Everything about a played episode: the events say it all, the rest is folded from them. */
export interface Played<S> {
  readonly events: readonly Event[];
  readonly state: S;
  readonly outcome: Outcome;
}

/** No environment has a budget anywhere near this; it stops one that has none from playing for ever. */
const maxSteps = 100_000;

/**
 * Plays `instance` with `policy` from start to end.
 *
 * Stops early, with an unfinished outcome, when the episode needs something that no scripted agent gives, such as a
 * judge's verdict.
 *
 * @param seed decides every choice the policy leaves to chance: same arguments, same events.
 * @throws RangeError when the environment lets an episode go on without end.
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
    if (events.length === maxSteps) throw new RangeError(`no end after ${maxSteps} steps of ${instance.id}`);
    const event = player(state);
    events.push(event);
    state = environment.advance(state, event);
  }
  return { events, state, outcome: environment.outcome(state) };
}
