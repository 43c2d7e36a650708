/** Playing one episode of a run, from wherever it stands, with every event recorded before the next is asked for. */
import type { Event } from '../environments/chat.ts';
import type { AnyInstance, Environment } from '../environments/environment.ts';
import { grouped } from '../text/numbers.ts';
import type { Clock } from './clock.ts';
import type { EndLine, StepLine } from './formats/step-lines.ts';
import type { ModelFailure } from './model.ts';
import { type Given, type Judge, nextEvent } from './next-event.ts';
import type { Responder } from './responder.ts';

/** Two ways to stop: `soft` lets the request under way come back, `hard` does not. */
export interface StopSignals {
  readonly soft: { readonly aborted: boolean };
  readonly hard: AbortSignal;
}

/** An episode to be played. */
export interface Episode<I extends AnyInstance, O, S> {
  readonly environment: Environment<I, O, S>;
  readonly instance: I;
  readonly options: O;
  readonly task: number;
  /** Number of the process at work, for the lines it writes. */
  readonly attempt: number;
  /** What was recorded earlier: it is not asked for again. */
  readonly events: readonly Event[];
  /** @param earlier the states in which the recorded replies were given. */
  respond(earlier: readonly S[]): Responder<S>;
  /** Who judges, where the environment asks for verdicts. */
  readonly judge?: Judge | null;
  /** The line is kept when this returns. */
  record(line: StepLine): void;
  readonly clock: Pick<Clock, 'now'>;
  readonly stop: StopSignals;
}

/** How far it got. `states` go from the start to where it stands, one more than there are events. */
export type Progress<S> = { readonly states: readonly S[] } & (
  | { readonly kind: 'ended'; readonly end: EndLine }
  | { readonly kind: 'errored'; readonly failure: ModelFailure }
  | { readonly kind: 'stopped'; readonly failure: ModelFailure | null }
);

/** Stops an episode that nothing else ends. Recorded budgets may be larger; no honest episode comes near. */
const maxSteps = 100_000;

/**
 * Plays an episode to its end, to a failure, or until it is told to stop. A request that is cancelled or not made because
 * a limit is reached leaves no trace: the episode can go on where it stands. Nor does a verdict that would end the episode
 * without a score: that is a failure, and the judge can be asked again.
 *
 * @throws whatever recording throws, since what cannot be kept must not be paid for.
 * @throws RangeError when the environment cannot play its recorded events.
 */
export async function playTask<I extends AnyInstance, O, S>(episode: Episode<I, O, S>): Promise<Progress<S>> {
  const { environment, task, attempt, clock, stop, record } = episode;
  const states = fold(episode);
  let state = states.at(-1) ?? environment.start(episode.instance, episode.options);
  const players = { responder: episode.respond(states.slice(0, -1)), judge: episode.judge ?? null };
  for (;;) {
    const need = environment.next(state);
    if (need.kind === 'nothing') break;
    if (stop.soft.aborted || stop.hard.aborted) return { kind: 'stopped', failure: null, states };
    const time = clock.now();
    const result =
      states.length > maxSteps ? endless() : await nextEvent(environment, state, need, players, stop.hard);
    const step = states.length;
    const fail = (failure: ModelFailure): Progress<S> => {
      record({ type: 'error', task, attempt, step, failure, time: clock.now() });
      return { kind: 'errored', failure, states };
    };
    if (!result.ok) {
      const { failure } = result;
      if (failure.code === 'cancelled' || failure.code === 'limit')
        return { kind: 'stopped', failure, states };
      return fail(failure);
    }
    const next = environment.advance(state, result.event);
    const failure = unscored(environment, next, result);
    if (failure !== null) return fail(failure);
    const { event, attempts: requests, cached, waitedMs } = result;
    const ms = Math.max(0, clock.now() - time - waitedMs);
    record({ type: 'event', task, attempt, step, event, requests, cached, time, ms });
    state = next;
    states.push(state);
  }
  const explanation = environment.explain?.(states) ?? null;
  const end: EndLine = {
    type: 'end',
    task,
    attempt,
    steps: states.length - 1,
    outcome: environment.outcome(state),
    cause: explanation?.cause ?? null,
    causeStep: explanation?.step ?? null,
    causeHop: explanation?.hop ?? null,
  };
  record(end);
  return { kind: 'ended', end, states };
}

/** The states from the start on, through all recorded events. */
function fold<I extends AnyInstance, O, S>(episode: Episode<I, O, S>): S[] {
  const { environment, instance, options, events } = episode;
  return statesOf(environment, instance, options, events);
}

/** Every state of an episode, from the start through all its events. @throws RangeError for an event after its end. */
export function statesOf<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  instance: I,
  options: O,
  events: readonly Event[],
): S[] {
  const states = [environment.start(instance, options)];
  for (const event of events) {
    const last = states.at(-1);
    if (last !== undefined) states.push(environment.advance(last, event));
  }
  return states;
}

function endless(): Given {
  const message = `The episode was given up after ${grouped(maxSteps)} steps, since nothing ended it.`;
  const advice = 'Play with a smaller step budget.';
  return { ok: false, failure: { code: 'bad-request', message, advice, ...unsent }, waitedMs: 0 };
}

const unsent = { attempts: 0, retriable: false };

/** Why an event that ends the episode is not to be kept; null for one that is. */
function unscored<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  state: S,
  { event, attempts }: Given & { readonly ok: true },
): ModelFailure | null {
  if (event.kind !== 'verdict' || environment.next(state).kind !== 'nothing') return null;
  if (environment.streams?.isScored(state) !== false) return null;
  const message = `The judge ${event.judge} gave no score that can be read.`;
  return {
    code: 'invalid-response',
    message,
    advice: 'Resume the run to ask again.',
    attempts,
    retriable: true,
  };
}
