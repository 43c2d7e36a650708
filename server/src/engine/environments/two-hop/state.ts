/** An episode of two-hop as a fold over the one reply it takes. */
import type { Event, FinishReason, Need } from '../chat.ts';
import type { Outcome } from '../environment.ts';
import { applicable, FIGURES, type Grade, grade } from './grade.ts';
import type { Instance } from './instance.ts';
import { measure } from './metrics.ts';
import type { Options, Weights } from './options.ts';

export interface State {
  readonly instance: Instance;
  readonly weights: Weights;
  /** Null until there is a reply. */
  readonly answered: Answered | null;
}

export interface Answered {
  readonly reply: string;
  /** Why the model stopped, where that is known. */
  readonly finish: FinishReason | null;
  readonly grade: Grade;
}

/** The state before the reply. */
export function start(instance: Instance, { weights }: Options): State {
  return { instance, weights, answered: null };
}

/**
 * Folds the reply in, which ends the episode.
 *
 * @throws RangeError when the episode is over, and for a verdict, since no judge is ever asked here.
 */
export function advance(state: State, event: Event): State {
  if (state.answered !== null) throw new RangeError('The episode is over: it takes no further event.');
  if (event.kind !== 'reply') throw new RangeError('A two-hop episode takes a reply only, no verdict.');
  const { text, finish = null } = event;
  return { ...state, answered: { reply: text, finish, grade: grade(state.instance, text) } };
}

/** One reply. */
export function next(state: State): Need {
  return state.answered === null ? { kind: 'reply' } : { kind: 'nothing' };
}

/** How the episode stands. */
export function outcome(state: State): Outcome {
  const { answered } = state;
  return {
    done: answered !== null,
    reward: answered === null ? 0 : rewardOf(answered.grade, state.weights),
    correct: answered?.grade.correct === 1,
    stop: answered === null ? 'unfinished' : 'answered',
    steps: answered === null ? 0 : 1,
    metrics: measure(state),
  };
}

/** The figures times their weights; those that say nothing about the reply count nothing. */
function rewardOf(figures: Grade, weights: Weights): number {
  return FIGURES.reduce((sum, name) => sum + weights[name] * (applicable(figures[name]) ?? 0), 0);
}
