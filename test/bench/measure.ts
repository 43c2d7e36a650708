/** Fair timing in one process: subjects take turns with the unit, and medians are compared. */

/** One line of the printed table. */
export interface Row {
  readonly what: string;
  /** What was measured, with its unit. */
  readonly figure: string;
  /** What it is held against, e.g. `<= 7`. */
  readonly target: string;
  readonly reached: boolean;
}

/** Values that are computed go here, so that no engine may leave the computing out. */
let sink = 0;

/** Takes the value of a measured computation, so that it cannot be optimised away. */
function keep(value: number): void {
  sink = (sink + value) % 1_000_003;
}

/** What {@link keep} gathered: print it once. */
export function kept(): number {
  return sink;
}

/** The unit of every ratio: one plain sum over the code units of a text. */
export function sumOver(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i);
  return sum;
}

/** The middle value; of an even number of values the upper middle one. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** The value that a share of `values` does not exceed, e.g. 0.95. */
export function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
}

/** Times one call in milliseconds. */
function time(run: () => number): number {
  const start = performance.now();
  keep(run());
  return performance.now() - start;
}

/**
 * Runs `unit` and `subject` in turns and returns the medians of both in milliseconds.
 *
 * @param rounds timed rounds, after a tenth as many that are thrown away
 * @param subject gets the number of the round
 */
export function compare(
  rounds: number,
  unit: () => number,
  subject: (round: number) => number,
): { unit: number; subject: number } {
  const units: number[] = [];
  const subjects: number[] = [];
  for (let round = -Math.ceil(rounds / 10); round < rounds; round++) {
    const u = time(unit);
    const s = time(() => subject(round));
    if (round < 0) continue;
    units.push(u);
    subjects.push(s);
  }
  return { unit: median(units), subject: median(subjects) };
}

/** A row whose figure must not exceed `most`. */
export function atMost(what: string, figure: number, most: number, unit: string, digits = 2): Row {
  return {
    what,
    figure: `${figure.toFixed(digits)} ${unit}`,
    target: `<= ${most}`,
    reached: figure <= most,
  };
}

/** A row whose figure must reach `least`. */
export function atLeast(what: string, figure: number, least: number, unit: string, digits = 0): Row {
  return {
    what,
    figure: `${figure.toFixed(digits)} ${unit}`,
    target: `>= ${least}`,
    reached: figure >= least,
  };
}

/** A row that is shown beside others without a target of its own. */
export function untargeted(what: string, figure: number, unit: string, digits = 1): Row {
  return { what, figure: `${figure.toFixed(digits)} ${unit}`, target: '', reached: true };
}

/** The table as text, columns aligned; a missed target is marked. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, figure, target, reached }) => [
    what,
    figure,
    target,
    target === '' ? '' : reached ? 'reached' : 'MISSED',
  ]);
  const all = [['what', 'figure', 'target', ''], ...cells];
  const widths = [0, 1, 2, 3].map((c) => Math.max(...all.map((row) => (row[c] ?? '').length)));
  return all
    .map((row) =>
      row.map((cell, c) => (c === 1 ? cell.padStart(widths[c] ?? 0) : cell.padEnd(widths[c] ?? 0))),
    )
    .map((row) => row.join('  ').trimEnd())
    .join('\n');
}
