/** Figures over many episodes. Every mean is per episode, never per step. */
import type { AnyInstance, Environment, Outcome } from '../environments/environment.ts';
import { mean, standardError } from '../stats/means.ts';

/** One episode as results keep it. */
export interface EpisodeRow {
  readonly instance: string;
  readonly split: string;
  /** Which group the instance belongs to, by the id of each of its environment's groupings. */
  readonly groups: Readonly<Record<string, string | number>>;
  readonly minSteps: number;
  readonly outcome: Outcome;
}

/** A mean with its standard error (sample deviation with n − 1, over √n); null where there is too little for one. */
export interface Mean {
  readonly n: number;
  readonly mean: number | null;
  readonly error: number | null;
}

export interface Summary {
  readonly episodes: number;
  readonly reward: Mean;
  /** Share of episodes that the environment counts as solved. */
  readonly accuracy: Mean;
  /** By metric id, over the episodes to which the metric applies. */
  readonly metrics: Readonly<Record<string, Mean>>;
  /** How many episodes ended in which way. */
  readonly stops: Readonly<Record<string, number>>;
}

/** One group of a breakdown. */
export interface Group {
  readonly value: string | number;
  readonly summary: Summary;
}

/** What a result table needs to know of an episode that ended in `outcome`. */
export function episodeRow<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  instance: I,
  outcome: Outcome,
): EpisodeRow {
  return {
    instance: instance.id,
    split: instance.split,
    groups: groupsOf(environment, instance),
    minSteps: environment.minSteps(instance),
    outcome,
  };
}

/** The groups that an instance belongs to, by grouping id. */
export function groupsOf<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  instance: I,
): Readonly<Record<string, string | number>> {
  const groupings = environment.groupings ?? [];
  return Object.fromEntries(groupings.map((grouping) => [grouping.id, grouping.of(instance)]));
}

/** Mean and standard error in one. */
function meanOf(values: readonly number[]): Mean {
  return { n: values.length, mean: mean(values), error: standardError(values) };
}

/** The figures over some episodes. Metrics keep the order in which they were first seen. */
export function summarize(rows: readonly Pick<EpisodeRow, 'outcome'>[]): Summary {
  const values = new Map<string, number[]>();
  const stops = new Map<string, number>();
  for (const { outcome } of rows) {
    stops.set(outcome.stop, (stops.get(outcome.stop) ?? 0) + 1);
    for (const [id, value] of Object.entries(outcome.metrics)) {
      const list = values.get(id) ?? [];
      if (value !== null) list.push(value);
      values.set(id, list);
    }
  }
  return {
    episodes: rows.length,
    reward: meanOf(rows.map((row) => row.outcome.reward)),
    accuracy: meanOf(rows.map((row) => (row.outcome.correct ? 1 : 0))),
    metrics: Object.fromEntries([...values].map(([id, list]) => [id, meanOf(list)])),
    stops: Object.fromEntries(stops),
  };
}

/** The figures of each group of one grouping, smallest group value first. */
export function summarizeBy(rows: readonly EpisodeRow[], grouping: string): readonly Group[] {
  return groupRows(rows, (row) => row.groups[grouping]).map(([value, group]) => ({
    value,
    summary: summarize(group),
  }));
}

/** Sorts things into groups: numbers by size, texts by code unit, numbers first. Things without a group are left out. */
export function groupRows<T>(
  rows: readonly T[],
  groupOf: (row: T) => string | number | undefined,
): readonly (readonly [string | number, readonly T[]])[] {
  const groups = new Map<string | number, T[]>();
  for (const row of rows) {
    const value = groupOf(row);
    if (value === undefined) continue;
    const group = groups.get(value);
    if (group) group.push(row);
    else groups.set(value, [row]);
  }
  return [...groups].sort(([a], [b]) => compareGroups(a, b));
}

function compareGroups(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
