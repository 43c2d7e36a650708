/** The figures that one episode contributes to a result table. The first three bear the published names. */
import type { Metric } from '../environment.ts';
import { reviewOf } from './review.ts';
import { scoreOf, solvedFrom } from './scored.ts';
import type { Score } from './scoring.ts';
import type { State } from './state.ts';

interface LogMetric extends Metric {
  /** Null while there is no candidate. */
  of(state: State): number | null;
}

/** A metric that needs a score. */
function scored(of: (score: Score, state: State) => number | null): LogMetric['of'] {
  return (state) => {
    const score = scoreOf(state);
    return score === null ? null : of(score, state);
  };
}

export const metrics: readonly LogMetric[] = [
  {
    id: 'fidelity_metric',
    label: 'fidelity',
    description: 'Share of logs of which no critical line was lost; for one episode 0 or 1.',
    better: 'higher',
    headline: true,
    of: scored(({ missing }) => Number(missing.length === 0)),
  },
  {
    id: 'compression_ratio_metric',
    label: 'ratio',
    description: 'Tokens of the compressed log ÷ tokens of the log, whether or not anything was lost.',
    better: 'lower',
    headline: true,
    of: scored(({ ratio }) => ratio),
  },
  {
    id: 'reference_ratio_metric',
    label: 'reference',
    description: 'The same ratio of the reference compressor: what has to be beaten.',
    better: 'neither',
    headline: true,
    of: ({ instance }) => instance.reference_ratio,
  },
  {
    id: 'ideal_ratio',
    label: 'ideal',
    description: 'The same ratio of the critical contents alone, each once: nothing faithful is shorter.',
    better: 'neither',
    of: ({ instance }) => instance.ideal_ratio,
  },
  {
    id: 'correct',
    label: 'correct',
    description: `Share of episodes with a reward of ${solvedFrom} or more: faithful, and at least half way from the reference to the ideal.`,
    better: 'higher',
    headline: true,
    of: scored(({ reward }) => Number(reward >= solvedFrom)),
  },
  {
    id: 'beats_reference',
    label: 'beats reference',
    description: 'Share of logs that were compressed faithfully and shorter than by the reference; 0 or 1.',
    better: 'higher',
    of: scored(({ reward }) => Number(reward > 0)),
  },
  {
    id: 'score_if_faithful',
    label: 'score',
    description: 'The score of the length alone, from −1 to 1: what the reward were if nothing were lost.',
    better: 'higher',
    of: scored(({ score }) => score),
  },
  {
    id: 'lost_lines',
    label: 'lost',
    description: 'Distinct critical contents that the compressed log does not have.',
    better: 'lower',
    of: scored(({ missing }) => missing.length),
  },
  {
    id: 'invented_lines',
    label: 'invented',
    description: 'Lines of the compressed log that the log does not have, counts and remarks among them.',
    better: 'lower',
    of: (state) => reviewOf(state)?.lines.filter(({ kind }) => kind === 'invented').length ?? null,
  },
];

/** Every metric of a state, by id. */
export function measure(state: State): Readonly<Record<string, number | null>> {
  return Object.fromEntries(metrics.map((metric) => [metric.id, metric.of(state)]));
}
