/** What a method has learned, in figures: scores of settings, averages over all of them, and curves along the stream. */
import { mean } from '../../../stats/means.ts';
import type { AverageInfo, CurvePoint, StreamReport, StreamRow, StreamScore } from '../../streams.ts';
import { type Category, type Domain, type Scenario, scenarios } from '../scenarios.ts';

const categories: readonly Category[] = ['hidden', 'fully_specified'];

/** The averages and the settings that each is over. */
const averages: readonly (AverageInfo & {
  readonly category: Category;
  readonly domains: readonly Domain[];
})[] = [
  {
    id: 'avg_h',
    label: 'Avg. H',
    description:
      'Mean of the scores on hidden test tasks of the nine full scenarios, each with all its tasks.',
    category: 'hidden',
    domains: ['retail', 'banking', 'pitch'],
  },
  {
    id: 'avg_f',
    label: 'Avg. F',
    description:
      'Mean of the scores on fully specified test tasks of the six full scenarios that have some, each with all its tasks.',
    category: 'fully_specified',
    domains: ['retail', 'banking'],
  },
];

/** What the averages are called. */
export const averageInfos: readonly AverageInfo[] = averages.map(({ id, label, description }) => ({
  id,
  label,
  description,
}));

/**
 * Scores rows; only those of test tasks count, except in the curves.
 *
 * @param list the scenarios that averages are over, all of one source.
 */
export function scoreStreams(
  rows: readonly StreamRow[],
  list: readonly Scenario[] = scenarios,
): StreamReport {
  const scores = list.flatMap(({ id }) =>
    categories.flatMap((category): StreamScore[] => {
      const own = rows.filter((it) => it.stream === id && it.phase === 'test' && it.category === category);
      return own.length === 0 ? [] : [{ stream: id, category, score: points(own), tasks: own.length }];
    }),
  );
  const full = list.filter(({ size }) => size === 'full');
  return {
    scores,
    averages: Object.fromEntries(
      averages.map(({ id, category, domains }) => {
        const over = full.filter(({ domain }) => domains.includes(domain));
        return [id, average(scores, category, over)];
      }),
    ),
    curves: curvesOf(rows),
  };
}

function points(rows: readonly StreamRow[]): number {
  return tidy(100 * (mean(rows.map(({ reward }) => reward)) ?? 0));
}

/** Without what adding fractions leaves behind: 30 and not 30.000000000000004. */
function tidy(score: number): number {
  return Number(score.toFixed(9));
}

/** Unweighted, and only when every setting is there with all its tasks. */
function average(
  scores: readonly StreamScore[],
  category: Category,
  over: readonly Scenario[],
): number | null {
  const found = over.map((scenario) => {
    const score = scores.find((it) => it.stream === scenario.id && it.category === category);
    return score !== undefined && score.tasks === tasksOf(scenario, category) ? score.score : null;
  });
  return found.includes(null) ? null : tidy(mean(found.map((score) => score ?? 0)) ?? 0);
}

/** Test tasks of a category. */
function tasksOf({ windows }: Scenario, category: Category): number {
  return windows.reduce((sum, it) => sum + (category === 'hidden' ? it.hidden : it.specified), 0);
}

/** Points of a curve of serving tasks are over so many tasks of the stream each. */
const CURVE_STEP = 12;

function curvesOf(rows: readonly StreamRow[]): CurvePoint[] {
  const groups = new Map<string, StreamRow[]>();
  const firsts = new Map<string, number>();
  for (const { stream, window, phase, timestamp } of rows) {
    if (phase !== 'serving') continue;
    const key = `${stream}/${window}`;
    firsts.set(key, Math.min(firsts.get(key) ?? timestamp, timestamp));
  }
  for (const row of rows) {
    const first = firsts.get(`${row.stream}/${row.window}`) ?? 0;
    const step = row.phase === 'test' ? 0 : Math.floor((row.timestamp - first) / CURVE_STEP);
    const key = JSON.stringify([row.stream, row.phase, row.category, row.window, step]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  const curves = [...groups.values()].flatMap((group): CurvePoint[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { stream, phase, category, window } = first;
    const position = group.reduce((last, { timestamp }) => Math.max(last, timestamp), 0);
    return [{ stream, phase, category, window, position, score: points(group), tasks: group.length }];
  });
  return curves.sort((a, b) =>
    a.stream === b.stream ? a.position - b.position : a.stream < b.stream ? -1 : 1,
  );
}
