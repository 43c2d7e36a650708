/**
 * What a table of results has to know of an environment, as plain data: whoever has the environments tells it the thread that
 * reads runs, which loads them only when an episode is played again.
 */
import type { Environment, Metric } from '../../environments/environment.ts';

export interface EnvironmentNote {
  readonly id: string;
  readonly title: string;
  readonly groupings: readonly { readonly id: string; readonly label: string }[];
  readonly metrics: readonly Metric[];
}

/** What is to be known of an environment. */
export function environmentNote({ id, title, groupings = [], metrics }: Environment): EnvironmentNote {
  return {
    id,
    title,
    groupings: groupings.map((grouping) => ({ id: grouping.id, label: grouping.label })),
    metrics: metrics.map(({ id: metric, label, description, better, headline = false }) => ({
      ...{ id: metric, label, description, better, headline },
    })),
  };
}

/** Ids of all that episodes of other programs may be broken down by. */
export function groupingsIn(notes: readonly EnvironmentNote[]): readonly string[] {
  return [...new Set(notes.flatMap(({ groupings }) => groupings.map(({ id }) => id)))];
}
