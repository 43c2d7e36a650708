/** The score of a state, made once: metrics, causes and commentary all ask for it. */
import { type Score, scoreCandidate } from './scoring.ts';
import type { State } from './state.ts';

/** From this reward on an episode counts as solved: half way from the reference to the ideal. */
export const solvedFrom = 0.5;

const scores = new WeakMap<State, Score>();

/** Null before there is a candidate. */
export function scoreOf(state: State): Score | null {
  if (state.candidate === null) return null;
  const known = scores.get(state);
  if (known !== undefined) return known;
  const score = scoreCandidate(state.instance, state.candidate);
  scores.set(state, score);
  return score;
}
