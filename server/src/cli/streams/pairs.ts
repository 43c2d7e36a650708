/** Agents and methods against the first of them, task by task. */
import { signTest } from '../../engine/stats/exact-tests.ts';
import { mean } from '../../engine/stats/means.ts';
import { bootstrapInterval, differences } from '../../engine/stats/paired.ts';
import type { Tally } from './table.ts';

/** How one agent and method did on the test tasks of a category that the first one played too, in points from 0 to 100. */
export interface Pairing {
  readonly category: string;
  readonly tasks: number;
  /** Above 0 where this one is better than the first. */
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
  /** Tasks on which this one did better, and worse. */
  readonly better: number;
  readonly worse: number;
  /** Of an exact sign test. */
  readonly p: number;
}

/** The pairings of `other`, category by category. @param order of the categories, where they have a place in it */
export function pairings(first: Tally, other: Tally, order: readonly string[]): Pairing[] {
  const earlier = new Map(first.rows.map((row) => [row.task_id, row]));
  const tests = other.rows.filter(({ phase, task_id }) => phase === 'test' && earlier.has(task_id));
  const found = new Set(tests.map(({ category }) => category));
  return [...new Set([...order.filter((it) => found.has(it)), ...found])].map((category): Pairing => {
    const own = tests.filter((row) => row.category === category);
    const gains = differences(
      own.map(({ reward }) => 100 * reward),
      own.map(({ task_id }) => 100 * (earlier.get(task_id)?.reward ?? 0)),
    );
    const better = gains.filter((gain) => gain > 0).length;
    const worse = gains.filter((gain) => gain < 0).length;
    const interval = bootstrapInterval(gains);
    return {
      category,
      tasks: gains.length,
      difference: tidy(mean(gains)),
      interval: interval === null ? null : [tidy(interval[0]), tidy(interval[1])],
      better,
      worse,
      p: signTest(better, worse),
    };
  });
}

/** The categories there are, in the order in which scores have them: everywhere the same. */
export function categoriesOf(tallies: readonly Tally[]): readonly string[] {
  return [...new Set(tallies.flatMap(({ report }) => report.scores.map((it) => it.category)))];
}

/** The values of a field of rows, each once: where tasks came from, or who judged. */
export function named(tallies: readonly Tally[], field: string): string[] {
  const values = tallies.flatMap(({ rows }) =>
    rows.flatMap((row) => (typeof row[field] === 'string' ? row[field] : [])),
  );
  return [...new Set(values)];
}

function tidy(value: number): number;
function tidy(value: number | null): number | null;
/** Without what adding fractions leaves behind. */
function tidy(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(9));
}
