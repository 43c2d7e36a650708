/**
 * A log-compression record in memory is the published schema, field for field: what the original writes can be read,
 * validated, played and scored here, and the reverse.
 */

/** The families of logs, in the order in which the published set has them, forty records each. */
export const CASES = ['timestamp', 'req_id', 'line_num', 'false_positive', 'mixed_noise'] as const;

export type Case = (typeof CASES)[number];

/** A line that must not be lost. */
export interface CriticalLine {
  /** Counted from 1 over the lines of `raw`. */
  readonly line: number;
  /** The line as it stands there, prefix included. */
  readonly text: string;
}

export interface Instance {
  readonly id: string;
  readonly split: string;
  /** One of {@link CASES} in our own records; a file may name others. */
  readonly case: string;
  /** The log; lines end in `\n`. */
  readonly raw: string;
  /** In the order of the log, repeats included. */
  readonly critical: readonly CriticalLine[];
  /** What is taken off the beginning of a line before lines are compared, in Python's syntax; empty for nothing. */
  readonly prefix_regex: string;
  /** Tokens of the reference compressor's output ÷ tokens of `raw`, unrounded. */
  readonly reference_ratio: number;
  /** Tokens of the distinct critical contents ÷ tokens of `raw`, to four decimals. */
  readonly ideal_ratio: number;
}
