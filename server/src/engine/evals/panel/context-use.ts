/** How full the working context is over the steps of episodes. */
import type { Commentary } from '../../environments/commentary.ts';

/** After one step, over the episodes that got so far. */
export interface ContextStep {
  /** From 1. */
  readonly step: number;
  readonly episodes: number;
  readonly median: number;
  /** The middle half, and the most. */
  readonly low: number;
  readonly high: number;
  readonly most: number;
}

export interface ContextUse {
  readonly unit: string;
  /** The largest limit there is, when episodes differ. */
  readonly limit: number;
  /** Episodes that were looked at, of how many. */
  readonly episodes: number;
  readonly of: number;
  readonly steps: readonly ContextStep[];
}

/** Steps that are drawn at most. */
const mostSteps = 200;

/** @param courses the states of each episode, from the start on. Null where nothing is scarce, or nothing was played. */
export function contextUse<S>(
  { gauge }: Commentary<S>,
  courses: readonly (readonly S[])[],
  of: number,
): ContextUse | null {
  if (gauge === undefined) return null;
  const used: number[][] = [];
  let limit = 0;
  let unit = '';
  for (const states of courses) {
    for (const [step, state] of states.entries()) {
      if (step === 0 || step > mostSteps) continue;
      const now = gauge(state);
      limit = Math.max(limit, now.limit);
      unit = now.unit;
      const list = used[step - 1] ?? [];
      list.push(now.used);
      used[step - 1] = list;
    }
  }
  if (used.length === 0) return null;
  return {
    unit,
    limit,
    episodes: courses.length,
    of,
    steps: used.map((values, at) => {
      const sorted = values.sort((a, b) => a - b);
      const quantile = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
      return {
        step: at + 1,
        episodes: sorted.length,
        median: quantile(0.5),
        low: quantile(0.25),
        high: quantile(0.75),
        most: quantile(1),
      };
    }),
  };
}
