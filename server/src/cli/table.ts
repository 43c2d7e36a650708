/** Tables of text for a terminal or a file. */
import type { Style } from './style.ts';

export { counted, fixed, grouped } from '../engine/text/numbers.ts';

export interface Column {
  readonly title: string;
  /** Numbers stand on the right, names on the left. */
  readonly align: 'left' | 'right';
}

/** A row of cells, or a rule across the table. */
export type Row = readonly string[] | 'rule';

/** The table as lines, each ended by a line feed, columns two spaces apart; trailing blanks are cut. */
export function renderTable(columns: readonly Column[], rows: readonly Row[], style: Style): string {
  const cells = rows.filter((row) => row !== 'rule');
  const widths = columns.map((column, i) =>
    Math.max(...[column.title, ...cells.map((row) => row[i] ?? '')].map(width)),
  );
  const rule = widths.map((w) => '─'.repeat(w)).join('──');
  const line = (row: readonly string[]): string =>
    columns
      .map(({ align }, i) => {
        const cell = row[i] ?? '';
        const blanks = ' '.repeat((widths[i] ?? 0) - width(cell));
        return align === 'left' ? cell + blanks : blanks + cell;
      })
      .join('  ')
      .trimEnd();
  const head = line(columns.map((column) => column.title));
  const body = rows.map((row) => (row === 'rule' ? style.dim(rule) : line(row)));
  return [style.bold(head), style.dim(rule), ...body, ''].join('\n');
}

/** Columns that a text takes: code points, colour codes aside. Our tables hold no wide or combining characters. */
function width(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colour codes begin with
  return [...text.replace(/\u001b\[\d+m/g, '')].length;
}

/** What the columns or rows of a table mean, a line each, to stand under it. */
export function renderLegend(
  items: readonly { readonly label: string; readonly description: string }[],
  style: Style,
): string {
  return items.map(({ label, description }) => `${style.dim(`${label}: ${description}`)}\n`).join('');
}
