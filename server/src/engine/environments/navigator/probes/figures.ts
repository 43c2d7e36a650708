/** Making figures out of rows. */
import type { ProbeFigure } from '../../probes.ts';
import type { ProbeRow } from './row.ts';

/** Sums `of` over rows. */
export function total(rows: readonly ProbeRow[], of: (row: ProbeRow) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0);
}

/** How many rows `holds` is true of. */
export function countIf(rows: readonly ProbeRow[], holds: (row: ProbeRow) => boolean): number {
  return rows.filter(holds).length;
}

/** Successful reads of an episode. */
export function readsOf({ reads }: ProbeRow): number {
  return reads.onTarget + reads.again + reads.outOfOrder + reads.offTarget;
}

/** A whole number among `n`. */
export function count(id: string, label: string, value: number, n: number, over: string): ProbeFigure {
  return { id, label, kind: 'count', value, n, over };
}

/** `part / n`, null without any. */
export function share(id: string, label: string, part: number, n: number, over: string): ProbeFigure {
  return { id, label, kind: 'share', value: n === 0 ? null : part / n, n, over };
}

/** `sum / n`, null without any. */
export function average(id: string, label: string, sum: number, n: number, over: string): ProbeFigure {
  return { id, label, kind: 'mean', value: n === 0 ? null : sum / n, n, over };
}
