/** Probes of how episodes ended and what was answered. */
import type { ProbeFigure, ProbeSection } from '../../probes.ts';
import { count, countIf, readsOf, share } from './figures.ts';
import { type ProbeRow, positionBuckets } from './row.ts';

/** How episodes ended. */
export function outcomes(rows: readonly ProbeRow[]): ProbeSection {
  const n = rows.length;
  const stops = [...new Set(rows.map((row) => row.stop))].sort();
  return {
    id: 'outcomes',
    title: 'How episodes ended',
    description: 'An answer that is not right counts as answered all the same.',
    figures: [
      share(
        'accuracy',
        'correct',
        countIf(rows, (row) => row.correct),
        n,
        'episodes',
      ),
      ...stops.map((stop) =>
        share(
          stop,
          stop,
          countIf(rows, (row) => row.stop === stop),
          n,
          'episodes',
        ),
      ),
    ],
  };
}

/** Answers without a read. */
export function guessing(rows: readonly ProbeRow[]): ProbeSection {
  const blind = rows.filter((row) => readsOf(row) === 0);
  const n = blind.length;
  return {
    id: 'guess_without_reading',
    title: 'Answers without reading',
    description:
      'Correct answers without a read mean that the answer can be guessed, or stands in the prompt.',
    figures: [
      share('zero_read_rate', 'episodes without a read', n, rows.length, 'episodes'),
      share(
        'accuracy_given_zero_reads',
        'correct among them',
        countIf(blind, (row) => row.correct),
        n,
        'episodes',
      ),
      share(
        'answered_given_zero_reads',
        'answered among them',
        countIf(blind, (row) => row.answered),
        n,
        'episodes',
      ),
    ],
  };
}

/** Accuracy by where the answer and the first hop stand. */
export function position(rows: readonly ProbeRow[]): ProbeSection {
  const fifths = (of: (row: ProbeRow) => number | null, id: string, label: string): ProbeFigure[] =>
    Array.from({ length: positionBuckets }, (_, fifth) => {
      const here = rows.filter((row) => of(row) === fifth);
      const correct = countIf(here, (row) => row.correct);
      return share(
        `${id}_${fifth}`,
        `correct, ${label} in fifth ${fifth + 1}`,
        correct,
        here.length,
        'episodes',
      );
    });
  const answers = fifths((row) => row.answerFifth, 'answer_bucket', 'answer');
  const known = answers.flatMap(({ value }) => (value === null ? [] : [value]));
  const spread = known.length === 0 ? null : Math.max(...known) - Math.min(...known);
  return {
    id: 'position_bias',
    title: 'Position in the document',
    description: 'Accuracy should not depend on where in the document the answer or the first hop stands.',
    figures: [
      ...answers,
      ...fifths((row) => row.firstFifth, 'first_hop_bucket', 'first hop'),
      {
        id: 'answer_position_accuracy_spread',
        label: 'largest less smallest, by answer',
        kind: 'mean',
        value: spread,
        n: rows.length,
        over: 'episodes',
      },
    ],
  };
}

/** Wrong answers that repeat a distractor. */
export function capture(rows: readonly ProbeRow[]): ProbeSection {
  const wrong = rows.filter((row) => row.wrong);
  const captured = wrong.flatMap((row) => (row.captured === null ? [] : [row.captured]));
  const kinds = [...new Set(captured)].sort();
  return {
    id: 'distractor_capture',
    title: 'Wrong answers that a distractor gave',
    description: 'Shares of the wrong answers that repeat what a recorded distractor offers or leads to.',
    figures: [
      count('wrong_answers', 'wrong answers', wrong.length, rows.length, 'episodes'),
      share('distractor_capture_rate', 'from a distractor', captured.length, wrong.length, 'wrong answers'),
      ...kinds.map((kind) =>
        count(
          kind,
          kind.replaceAll('_', ' '),
          captured.filter((it) => it === kind).length,
          wrong.length,
          'wrong answers',
        ),
      ),
    ],
  };
}
