/** The figures of a run for a panel: plain data of bounded size, whatever the run. */
import { wilson95, z95 } from '../../stats/wilson.ts';
import { clip } from '../../text/clip.ts';
import { addUsage } from '../fold.ts';
import { type Counts, countEpisodes, type Run, type RunEpisode } from '../run-data.ts';
import { figuresOf, type RunFigures, summarizeRun } from '../run-summary.ts';
import { groupRows, type Mean } from '../summarize.ts';
import type { EnvironmentNote } from './environment-note.ts';
import { type OutcomeKind, outcomeOf, outcomes } from './rows.ts';

/** A mean with its standard error and 95 % interval; null where there is too little for one. */
export interface Estimate extends Mean {
  readonly interval: readonly [low: number, high: number] | null;
}

export interface GroupFigures {
  readonly value: string | number;
  readonly counts: Counts;
  readonly reward: Estimate;
  readonly accuracy: Estimate;
  readonly outcomes: Readonly<Record<OutcomeKind, number>>;
}

/** How many episodes took so many times the fewest steps, from `from` on and below `to`; null for no upper end. */
export interface StepsBucket {
  readonly from: number;
  readonly to: number | null;
  readonly correct: number;
  readonly wrong: number;
}

export interface PanelFigures {
  readonly counts: Counts;
  /** Mean reward per episode. */
  readonly reward: Estimate;
  /** Share of correct episodes; of several rollouts, standard errors allow for that. */
  readonly accuracy: Estimate;
  /** Mean over steps, each with the reward of its episode. */
  readonly stepWeightedReward: number | null;
  /** By k; empty for a single rollout. */
  readonly pass: readonly { readonly k: number; readonly some: number; readonly all: number }[];
  readonly passInstances: number;
  readonly passThreshold: number;
  readonly rollouts: number;
  /** Most frequent first; failures that nobody explained have the cause ``. */
  readonly causes: readonly { readonly cause: string; readonly count: number }[];
  /** Causes left out of the list because there are too many, and their episodes. */
  readonly otherCauses: { readonly causes: number; readonly episodes: number } | null;
  readonly groups: readonly {
    readonly id: string;
    readonly label: string;
    readonly values: readonly GroupFigures[];
  }[];
  readonly metrics: readonly {
    readonly id: string;
    readonly label: string;
    readonly description: string;
    readonly figure: Mean;
  }[];
  /** Of scored episodes whose fewest steps are known. */
  readonly stepsOverMin: readonly StepsBucket[];
  /** Replies that were refused, cut off or empty. */
  readonly replies: Readonly<Record<'refusal' | 'truncated' | 'empty', number>>;
  readonly requests: number;
  readonly tokens: { readonly input: number; readonly output: number } | null;
}

/** Longest lists that are shown; what is more is another kind of data than these lists are for. */
const mostListed = 40;

/** The figures of a run as far as it is read. */
export function panelFigures(
  run: Run,
  { groupings, metrics }: Pick<EnvironmentNote, 'groupings' | 'metrics'>,
): PanelFigures {
  const { info, episodes } = run;
  const summary = summarizeRun(run, []);
  const { all, pass, replies } = summary;
  const usage = addUsage([summary.usage, summary.judgeUsage ?? null]);
  const causes = causesOf(run);
  const shown = causes.slice(0, mostListed);
  const others = causes.slice(mostListed);
  return {
    counts: all.counts,
    ...estimates(all, info.rollouts),
    stepWeightedReward: all.stepWeightedReward,
    pass: Object.entries(pass.pass_at_k).map(([k, some]) => ({
      k: Number(k),
      some,
      all: pass.pass_all_k[k] ?? 0,
    })),
    passInstances: pass.instances,
    passThreshold: pass.threshold,
    rollouts: info.rollouts,
    causes: shown.map(({ cause, count }) => ({ cause: clip(cause, 120), count })),
    otherCauses:
      others.length === 0
        ? null
        : { causes: others.length, episodes: others.reduce((sum, { count }) => sum + count, 0) },
    groups: groupings.map(({ id, label }) => ({
      id,
      label,
      values: groupRows(episodes, (episode) => episode.groups[id])
        .slice(0, mostListed)
        .map(([value, members]) => groupFigures(value, members, info.rollouts)),
    })),
    metrics: metrics.flatMap(({ id, label, description }) => {
      const figure = all.metrics[id];
      return figure === undefined || figure.n === 0 ? [] : [{ id, label, description, figure }];
    }),
    stepsOverMin: stepsOverMin(episodes),
    replies: { refusal: replies.refusal, truncated: replies.truncated, empty: replies.empty },
    requests: summary.requests,
    tokens: usage === null ? null : { input: usage.input, output: usage.output },
  };
}

function groupFigures(
  value: string | number,
  members: readonly RunEpisode[],
  rollouts: number,
): GroupFigures {
  const figures = figuresOf(members.map(withoutMetrics), members.length);
  const counts = Object.fromEntries(outcomes.map((kind) => [kind, 0]));
  for (const episode of members) {
    const kind = outcomeOf(episode);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const { correct = 0, wrong = 0, errored = 0, unfinished = 0 } = counts;
  return {
    value: typeof value === 'string' ? clip(value, 40) : value,
    counts: countEpisodes(members, members.length),
    ...estimates(figures, rollouts),
    outcomes: { correct, wrong, errored, unfinished },
  };
}

/** Means of metrics are taken over all episodes alone, and cost more than all else. */
function withoutMetrics(episode: RunEpisode): RunEpisode {
  const { outcome } = episode;
  return outcome === null ? episode : { ...episode, outcome: { ...outcome, metrics: {} } };
}

/** A share of independent episodes has a Wilson interval; all else the mean and so many standard errors around it. */
function estimates(
  { reward, accuracy }: RunFigures,
  rollouts: number,
): Pick<PanelFigures, 'reward' | 'accuracy'> {
  const around = ({ mean, error }: Mean): Estimate['interval'] =>
    mean === null || error === null ? null : [mean - z95 * error, mean + z95 * error];
  const solved = Math.round((accuracy.mean ?? 0) * accuracy.n);
  const wide = around(accuracy);
  const share =
    rollouts === 1
      ? wilson95(solved, accuracy.n)
      : wide && ([Math.max(0, wide[0]), Math.min(1, wide[1])] as const);
  return { reward: { ...reward, interval: around(reward) }, accuracy: { ...accuracy, interval: share } };
}

/** Episodes that failed, by cause; those that were never begun are unfinished. */
function causesOf({ info, episodes }: Run): readonly { readonly cause: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  const add = (cause: string, count: number) => counts.set(cause, (counts.get(cause) ?? 0) + count);
  for (const episode of episodes) if (outcomeOf(episode) !== 'correct') add(episode.cause ?? '', 1);
  const missing = info.requested - episodes.length;
  if (missing > 0) add('unfinished', missing);
  return [...counts]
    .map(([cause, count]) => ({ cause, count }))
    .sort((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1));
}

/** Beginnings of the buckets, in multiples of the fewest steps. */
const bucketStarts = [0, 1, 1.25, 1.5, 2, 3] as const;

function stepsOverMin(episodes: readonly RunEpisode[]): readonly StepsBucket[] {
  const buckets = bucketStarts.map((from, at) => ({
    from,
    to: bucketStarts[at + 1] ?? null,
    correct: 0,
    wrong: 0,
  }));
  let counted = 0;
  for (const { outcome, minSteps, steps } of episodes) {
    if (outcome === null || minSteps === null || minSteps <= 0) continue;
    const ratio = steps / minSteps;
    const bucket = buckets.findLast(({ from }) => ratio >= from);
    if (bucket === undefined) continue;
    counted++;
    if (outcome.correct) bucket.correct++;
    else bucket.wrong++;
  }
  return counted === 0 ? [] : buckets;
}
