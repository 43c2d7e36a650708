/** An episode in flat rows: what `replay` prints. */
import { grade } from './grade.ts';
import { truthsOf } from './instance.ts';
import { isOver, type State } from './state.ts';
import { firstWrongTurn, gradeTurn } from './turns.ts';

/** What one turn made of the inventory. */
export type TurnRecord = {
  readonly turn: number;
  readonly reported: readonly string[] | null;
  readonly truth: readonly string[];
  readonly missing: readonly string[];
  readonly extra: readonly string[];
};

/** How an episode stands. */
export type FinalRecord = {
  readonly done: boolean;
  readonly turns: number;
  readonly reported: readonly string[] | null;
  readonly truth: readonly string[];
  readonly correct: boolean;
  readonly first_wrong_turn: number | null;
};

/** The row of the turn that led to `state`. @throws RangeError before the first one. */
export function turnRecord(state: State): TurnRecord {
  const at = state.turns.length - 1;
  const graded = gradeTurn(state, at);
  if (graded === null) throw new RangeError('No turn has been taken yet.');
  return {
    turn: at + 1,
    reported: state.turns[at]?.reported ?? null,
    truth: truthsOf(state.instance)[at] ?? [],
    missing: graded.missing,
    extra: graded.extra,
  };
}

/** How the episode stands, finished or not. */
export function finalRecord(state: State): FinalRecord {
  const reported = state.turns.at(-1)?.reported ?? null;
  const { truth } = state.instance;
  const done = isOver(state);
  return {
    done,
    turns: state.turns.length,
    reported,
    truth,
    correct: done && grade(reported, truth).reward > 0,
    first_wrong_turn: firstWrongTurn(state),
  };
}
