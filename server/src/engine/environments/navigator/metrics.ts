/** The figures that one navigator episode contributes to a result table, each a function of its last state. */
import type { Metric } from '../environment.ts';
import { capturedBy, isDegenerate, retention, wordsOf } from './facts.ts';
import { abstains, isCorrect } from './reward.ts';
import type { State } from './state.ts';

/** A metric and how it is read from a state; null where it does not apply, e.g. retention without a compression. */
export interface NavigatorMetric extends Metric {
  of(state: State): number | null;
}

/** Null while the episode goes on: nothing about how it ends is known yet. */
function whenEnded(state: State, value: (state: State) => boolean): number | null {
  return state.ended === null ? null : Number(value(state));
}

function ratio(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

/** Successful reads of chunks that had been read before. */
function countRereads(state: State): number {
  return state.reads.length - new Set(state.reads).size;
}

/** Answered, not correct, and no abstention that is allowed. */
function isWrong(state: State): boolean {
  const { answer, settings } = state;
  return answer !== null && !isCorrect(state) && !abstains(settings.reward, answer);
}

/** 1 for a wrong answer that repeats a recorded distractor, 0 for another one, null unless answered and wrong. */
function distractorCapture(state: State): number | null {
  const { answer } = state;
  return answer !== null && isWrong(state) ? Number(capturedBy(state.instance, answer) !== null) : null;
}

function factRetention(state: State): number | null {
  const { kept, total } = retention(state);
  return ratio(kept, total);
}

/** Summaries' mean length in words, null without a compression. */
function summaryWords(state: State): number | null {
  const words = state.notes.reduce((sum, note) => sum + wordsOf(note), 0);
  return ratio(words, state.notes.length);
}

function lostFact(state: State): boolean {
  const { kept, total } = retention(state);
  return kept < total && !isCorrect(state);
}

export const metrics: readonly NavigatorMetric[] = [
  {
    id: 'correct',
    label: 'correct',
    description: 'Share of episodes that ended with the right answer; for one episode 0 or 1.',
    better: 'higher',
    headline: true,
    of: (state) => whenEnded(state, isCorrect),
  },
  {
    id: 'ceiling_exceeded',
    label: 'ceiling',
    description:
      'Share of episodes that ended because more was loaded than the ceiling allows; for one episode 0 or 1.',
    better: 'lower',
    headline: true,
    of: (state) => whenEnded(state, ({ ended }) => ended === 'ceiling-exceeded'),
  },
  {
    id: 'budget_exhausted',
    label: 'budget',
    description: 'Share of episodes that spent the step budget without an answer; for one episode 0 or 1.',
    better: 'lower',
    headline: true,
    of: (state) => whenEnded(state, ({ ended }) => ended === 'budget-exhausted'),
  },
  {
    id: 'wrong',
    label: 'wrong',
    description: 'Share of episodes that ended with a wrong answer; for one episode 0 or 1.',
    better: 'lower',
    headline: true,
    of: (state) => whenEnded(state, isWrong),
  },
  {
    id: 'answered',
    label: 'answered',
    description: 'Share of episodes that ended with an answer, right or wrong; for one episode 0 or 1.',
    better: 'neither',
    of: (state) => whenEnded(state, ({ ended }) => ended === 'answered'),
  },
  {
    id: 'steps_over_min',
    label: 'steps/min',
    description: 'Steps taken divided by the steps of the shortest correct episode.',
    better: 'lower',
    headline: true,
    of: (state) => ratio(state.steps, state.instance.min_steps),
  },
  {
    id: 'final_step',
    label: 'last step',
    description: 'The step at which the episode ended, counted from 1.',
    better: 'neither',
    of: (state) => (state.ended === null ? null : state.steps),
  },
  {
    id: 'n_reads',
    label: 'reads',
    description: 'Chunks loaded, repeats included.',
    better: 'neither',
    of: (state) => state.reads.length,
  },
  {
    id: 'reads_over_min',
    label: 'reads/min',
    description: 'Chunks loaded, repeats included, divided by the fewest that give the answer.',
    better: 'lower',
    of: (state) => ratio(state.reads.length, state.instance.min_reads),
  },
  {
    id: 'n_rereads',
    label: 're-reads',
    description: 'Chunks loaded that had been loaded before.',
    better: 'lower',
    of: countRereads,
  },
  {
    id: 'n_drop',
    label: 'drops',
    description: 'Successful DROP actions.',
    better: 'neither',
    of: (state) => state.drops,
  },
  {
    id: 'n_compress',
    label: 'compress',
    description: 'Successful COMPRESS actions.',
    better: 'neither',
    of: (state) => state.notes.length,
  },
  {
    id: 'compress_used',
    label: 'compress used',
    description: 'Share of episodes in which at least one COMPRESS succeeded; for one episode 0 or 1.',
    better: 'neither',
    of: (state) => Number(state.notes.length > 0),
  },
  {
    id: 'fact_retention',
    label: 'retention',
    description:
      'Share of the facts in directly compressed evidence chunks whose value stands in the summary, 0 to 1; none without such a compression.',
    better: 'higher',
    of: factRetention,
  },
  {
    id: 'lost_fact',
    label: 'lost a fact',
    description:
      'Share of episodes in which a compression lost a fact and that were not solved; for one episode 0 or 1.',
    better: 'lower',
    of: (state) => whenEnded(state, lostFact),
  },
  {
    id: 'degenerate_summaries',
    label: 'degenerate',
    description: 'Share of summaries of fewer than three words, 0 to 1; none without a compression.',
    better: 'lower',
    of: (state) => ratio(state.notes.filter(isDegenerate).length, state.notes.length),
  },
  {
    id: 'summary_words',
    label: 'words',
    description: 'Mean length of the summaries in words; none without a compression.',
    better: 'neither',
    of: summaryWords,
  },
  {
    id: 'n_errors',
    label: 'errors',
    description: 'Steps that failed, for any reason.',
    better: 'lower',
    of: (state) => state.errors,
  },
  {
    id: 'n_invalid',
    label: 'invalid',
    description: 'Steps whose reply held no action.',
    better: 'lower',
    of: (state) => state.invalid,
  },
  {
    id: 'invalid_rate',
    label: 'invalid/step',
    description: 'Share of the steps whose reply held no action, 0 to 1.',
    better: 'lower',
    of: (state) => ratio(state.invalid, state.steps),
  },
  {
    id: 'distractor_capture',
    label: 'captured',
    description:
      'Share of wrong answers that are a value which a recorded distractor offers or leads to; for one episode 0 or 1.',
    better: 'lower',
    of: distractorCapture,
  },
];

/** Every metric of a state, by id. */
export function measure(state: State): Readonly<Record<string, number | null>> {
  return Object.fromEntries(metrics.map((metric) => [metric.id, metric.of(state)]));
}
