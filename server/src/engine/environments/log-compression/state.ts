/** An episode of one step: the log is shown once, and the first reply is the compressed log. */
import type { Event, Need } from '../chat.ts';
import type { Outcome } from '../environment.ts';
import type { Instance } from './instance.ts';
import { measure } from './metrics.ts';
import type { Options } from './options.ts';
import { scoreOf, solvedFrom } from './scored.ts';

export interface State {
  readonly instance: Instance;
  /** The reply as it was given, untrimmed; null before it. */
  readonly candidate: string | null;
}

export function start(instance: Instance, _options: Options): State {
  return { instance, candidate: null };
}

/** @throws RangeError when the episode is over, and for a verdict, which is never asked for. */
export function advance(state: State, event: Event): State {
  if (state.candidate !== null) throw new RangeError('The episode is over: the log has been compressed.');
  if (event.kind !== 'reply') throw new RangeError('Nobody asked for a verdict.');
  return { ...state, candidate: event.text };
}

export function next({ candidate }: State): Need {
  return candidate === null ? { kind: 'reply' } : { kind: 'nothing' };
}

export function outcome(state: State): Outcome {
  const score = scoreOf(state);
  const reward = score?.reward ?? 0;
  return {
    done: score !== null,
    reward,
    correct: score !== null && reward >= solvedFrom,
    stop: score === null ? 'unfinished' : 'answered',
    steps: score === null ? 0 : 1,
    metrics: measure(state),
  };
}
