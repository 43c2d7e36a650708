/** The figures of a run. All of them say how many episodes they stand for and how many there should have been. */
import type { Usage } from '../environments/chat.ts';
import { clusteredError } from '../stats/clustered.ts';
import { mean } from '../stats/means.ts';
import { type PassRates, passRates } from '../stats/pass-at-k.ts';
import { countFailures, type FailureCount } from './failures.ts';
import { addUsage } from './fold.ts';
import { type ReplyKind, replyKind } from './model.ts';
import { type Counts, countEpisodes, type Run, type RunEpisode } from './run-data.ts';
import { groupRows, type Mean, type Summary, summarize } from './summarize.ts';

/** The figures over some episodes of a run. */
export interface RunFigures extends Summary {
  readonly counts: Counts;
  /**
   * Mean reward over steps: every step carries the reward of its episode, so long episodes weigh more. This is the headline
   * of tools that take each step for a sample of its own.
   */
  readonly stepWeightedReward: number | null;
}

export interface RunSummary {
  readonly all: RunFigures;
  /** By grouping id, smallest value first. Episodes that were never begun belong to no group. */
  readonly by: Readonly<
    Record<string, readonly { readonly value: string | number; readonly figures: RunFigures }[]>
  >;
  /** Over instances all of whose rollouts are scored; empty rates for a single rollout. */
  readonly pass: PassRates & { readonly threshold: number; readonly instances: number };
  /** How many episodes failed by which cause, `provider-error` and `unfinished` included, most frequent first. */
  readonly causes: Readonly<Record<string, number>>;
  /** Why episodes have no score, in the words of the provider, most frequent first. */
  readonly failures: readonly FailureCount[];
  /** What became of replies before any environment looked at them. */
  readonly replies: Readonly<Record<ReplyKind, number>>;
  readonly usage: Usage | null;
  /** Of the model that judged; absent when none did. It is no part of `usage`. */
  readonly judgeUsage?: Usage;
  /** Requests sent, failed ones included. */
  readonly requests: number;
}

/** A rollout with at least this reward counts as passed, as in other tools. */
export const passThreshold = 0.5;

/** @param groupings ids of what the figures are broken down by. */
export function summarizeRun({ info, episodes }: Run, groupings: readonly string[]): RunSummary {
  const by = groupings.map((id) => {
    const groups = groupRows(episodes, (episode) => episode.groups[id]);
    return [
      id,
      groups.map(([value, members]) => ({ value, figures: figuresOf(members, members.length) })),
    ] as const;
  });
  const judgeUsage = addUsage(episodes.map((episode) => episode.judgeUsage ?? null));
  return {
    all: figuresOf(episodes, info.requested),
    by: Object.fromEntries(by),
    pass: passOf(episodes, info.rollouts),
    causes: causesOf(episodes, info.requested),
    failures: countFailures(episodes),
    replies: replyKinds(episodes),
    usage: addUsage(episodes.map((episode) => episode.usage)),
    ...(judgeUsage === null ? {} : { judgeUsage }),
    requests: episodes.reduce((sum, episode) => sum + episode.attempts, 0),
  };
}

/** The figures over `episodes`, of `requested` that were asked for. Standard errors allow for several rollouts. */
export function figuresOf(episodes: readonly RunEpisode[], requested: number): RunFigures {
  const scored = episodes.flatMap((episode) =>
    episode.outcome === null ? [] : [{ episode, outcome: episode.outcome, groups: episode.groups }],
  );
  const keys = scored.map(({ episode }) => episode.instanceHash ?? episode.instanceId);
  const summary = summarize(scored);
  const clustered = (figure: Mean, values: readonly number[]): Mean => ({
    ...figure,
    error: clusteredError(values, keys),
  });
  const rewards = scored.map(({ outcome }) => outcome.reward);
  const correct = scored.map(({ outcome }) => Number(outcome.correct));
  return {
    ...summary,
    reward: clustered(summary.reward, rewards),
    accuracy: clustered(summary.accuracy, correct),
    counts: countEpisodes(episodes, requested),
    stepWeightedReward: mean(
      scored.flatMap(({ episode, outcome }) => Array.from({ length: episode.steps }, () => outcome.reward)),
    ),
  };
}

function passOf(episodes: readonly RunEpisode[], rollouts: number): RunSummary['pass'] {
  const rewards = new Map<string, number[]>();
  for (const { instanceHash, instanceId, outcome } of episodes) {
    const key = instanceHash ?? instanceId;
    if (outcome !== null) rewards.set(key, [...(rewards.get(key) ?? []), outcome.reward]);
  }
  const complete = [...rewards.values()].filter((list) => list.length === rollouts);
  const passed = complete.map((list) => list.filter((reward) => reward >= passThreshold).length);
  return { ...passRates(rollouts, passed), threshold: passThreshold, instances: complete.length };
}

function causesOf(episodes: readonly RunEpisode[], requested: number): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  const add = (cause: string, number: number) => counts.set(cause, (counts.get(cause) ?? 0) + number);
  for (const { cause } of episodes) if (cause !== null) add(cause, 1);
  if (requested > episodes.length) add('unfinished', requested - episodes.length);
  return Object.fromEntries([...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
}

function replyKinds(episodes: readonly RunEpisode[]): Readonly<Record<ReplyKind, number>> {
  const counts = { reply: 0, refusal: 0, truncated: 0, empty: 0 };
  for (const { events } of episodes) {
    for (const event of events) if (event.kind === 'reply') counts[replyKind(event)]++;
  }
  return counts;
}
