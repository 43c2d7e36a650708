/** An episode in the rows of the published logs: what `replay` prints and what the vectors hold. */
import { isCorrect, rewardOf } from './reward.ts';
import type { State, StepError } from './state.ts';

/** What one step did. */
export type StepRecord = {
  readonly ok: boolean;
  readonly error: StepError | null;
  /** Tokens held after the step. */
  readonly used_after: number;
  readonly done: boolean;
  readonly reward: number;
};

/** The info record of a state. */
export type FinalRecord = {
  readonly done: boolean;
  readonly steps_used: number;
  readonly used_tokens: number;
  readonly ceiling_exceeded: boolean;
  readonly budget_exhausted: boolean;
  readonly answered: boolean;
  readonly answer: string | null;
  /** Answered, and the answer matches. */
  readonly correct: boolean;
  readonly reads: readonly number[];
  readonly n_reads: number;
  /** Successful ones only. */
  readonly n_compress: number;
  readonly n_drop: number;
  /** Failed steps of every kind, and those among them whose reply held no action. */
  readonly n_errors: number;
  readonly n_invalid: number;
};

/** The row of the step that led to `state`. @throws RangeError before the first step. */
export function stepRecord(state: State): StepRecord {
  if (state.last === null) throw new RangeError('No step has been taken yet.');
  const { error } = state.last;
  return {
    ok: error === null,
    error,
    used_after: state.used,
    done: state.ended !== null,
    reward: rewardOf(state),
  };
}

/** The info record: how the episode stands, finished or not. */
export function finalRecord(state: State): FinalRecord {
  return {
    done: state.ended !== null,
    steps_used: state.steps,
    used_tokens: state.used,
    ceiling_exceeded: state.ended === 'ceiling-exceeded',
    budget_exhausted: state.ended === 'budget-exhausted',
    answered: state.ended === 'answered',
    answer: state.answer,
    correct: isCorrect(state),
    reads: state.reads,
    n_reads: state.reads.length,
    n_compress: state.notes.length,
    n_drop: state.drops,
    n_errors: state.errors,
    n_invalid: state.invalid,
  };
}
