/** The shortest correct episode, by counting alone. */

export interface Schedule {
  /** READ, COMPRESS and ANSWER steps together; 0 when unsolvable. */
  readonly steps: number;
  /** Some two consecutive evidence chunks do not fit the ceiling together. */
  readonly compression: boolean;
  readonly solvable: boolean;
}

const UNSOLVABLE: Schedule = { steps: 0, compression: false, solvable: false };

/**
 * Reads the evidence chunks in order; whenever the next does not fit beside what is held, one COMPRESS replaces
 * all of it by a summary of `summary` tokens; one ANSWER ends it.
 *
 * @param chunkTokens tokens of the evidence chunks, in hop order
 * @param ceiling most tokens that may be held
 * @param summary tokens that a summary is assumed to take
 */
export function minimumSchedule(chunkTokens: readonly number[], ceiling: number, summary: number): Schedule {
  let held = 0;
  let steps = 1;
  let compression = false;
  let previous = 0;
  for (const tokens of chunkTokens) {
    if (held + tokens > ceiling) {
      if (held === 0 || summary + tokens > ceiling) return UNSOLVABLE;
      held = summary;
      steps++;
    }
    if (previous + tokens > ceiling) compression = true;
    held += tokens;
    previous = tokens;
    steps++;
  }
  return { steps, compression, solvable: true };
}
