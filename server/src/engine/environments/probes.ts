/**
 * What an environment looks for over many episodes beside their scores: signs that reward was had without doing the task,
 * and where the steps went. Plain data, for reports and machine output.
 */

/** One number of a report, with what it is taken over. */
export interface ProbeFigure {
  /** As in machine output, e.g. `zero_read_rate`. */
  readonly id: string;
  readonly label: string;
  /** How it reads: a whole number of things, a share from 0 to 1, or a mean. */
  readonly kind: 'count' | 'share' | 'mean';
  /** Null where there is nothing to take it over. */
  readonly value: number | null;
  /** How many things it is taken over, in the plural noun `over`; of a count, among how many. */
  readonly n: number;
  /** E.g. `episodes`, `reads`. */
  readonly over: string;
}

export interface ProbeSection {
  /** As in machine output, e.g. `position_bias`. */
  readonly id: string;
  readonly title: string;
  /** What to make of the figures, in one or two sentences. */
  readonly description: string;
  readonly figures: readonly ProbeFigure[];
}

export interface Probes<S> {
  /** What is kept of a finished episode, given its states from the start on: small plain JSON, as it may cross threads. */
  row(states: readonly S[]): unknown;
  /** @param rows of every episode, as {@link Probes.row} gave them; their order does not matter. */
  report(rows: readonly unknown[]): readonly ProbeSection[];
}
