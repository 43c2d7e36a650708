/** The columns of result tables. */
import type { Metric } from '../environment.ts';
import type { State } from './state.ts';

export const metrics: readonly Metric[] = [
  {
    id: 'hidden_score',
    label: 'hidden',
    description: 'Points from 0 to 100 on tasks that the documents do not answer.',
    better: 'higher',
    headline: true,
  },
  {
    id: 'specified_score',
    label: 'specified',
    description: 'Points from 0 to 100 on tasks that the documents answer.',
    better: 'higher',
    headline: true,
  },
  {
    id: 'tool_calls',
    label: 'calls',
    description: 'Tool calls that were carried out, finish left aside.',
    better: 'lower',
    headline: true,
  },
  {
    id: 'invalid_turns',
    label: 'invalid',
    description: 'Replies that counted for nothing, such as those without a call.',
    better: 'lower',
    headline: true,
  },
  {
    id: 'world_right',
    label: 'world',
    description: 'Whether the database at the end is the right one, 0 or 1.',
    better: 'higher',
  },
  {
    id: 'answer_right',
    label: 'answer',
    description: 'Whether the finish says what it should, 0 or 1.',
    better: 'higher',
  },
  {
    id: 'coverage',
    label: 'coverage',
    description: 'Of a pitch: the share of what the customers like that it mentions, from 0 to 1.',
    better: 'higher',
  },
  {
    id: 'invented',
    label: 'invented',
    description: 'Of a pitch: claims about subjects that no fact covers, at most 5.',
    better: 'lower',
  },
];

/** The metrics of a state; null where one does not apply. */
export function metricsOf(state: State): Readonly<Record<string, number | null>> {
  const { instance, stop, verified, pitch } = state;
  const isScored = stop !== null && stop !== 'judge-error';
  const right = verified?.world && verified.answer ? 100 : 0;
  const score = isScored ? (pitch?.points.score ?? right) : null;
  return {
    hidden_score: instance.category === 'hidden' ? score : null,
    specified_score: instance.category === 'hidden' ? null : score,
    tool_calls: state.calls,
    invalid_turns: state.turns.filter(({ kind }) => kind === 'invalid').length,
    world_right: verified === null ? null : Number(verified.world),
    answer_right: verified === null ? null : Number(verified.answer),
    coverage: pitch?.points.coverage ?? null,
    invented: pitch?.points.invented ?? null,
  };
}
