/** Tables of text for a terminal or a file. */
import { visible } from '../engine/text/visible.ts';
import type { Style } from './style.ts';
import { columnsOf, wrapText } from './wrap.ts';

export { counted, fixed, grouped, groupName } from '../engine/text/numbers.ts';

export interface Column {
  readonly title: string;
  /** Numbers stand on the right, names on the left. */
  readonly align: 'left' | 'right';
  /** Tells rows apart, as the first column does: a table in parts repeats it in each of them. */
  readonly isKey?: boolean;
}

/** More groups than this are no breakdown that a person would read; machine output has them. */
const mostGroups = 12;

/** Whether a table shows groups: a single one would only repeat the row above it, and very many would bury it. */
export function showsGroups(groups: readonly unknown[]): boolean {
  return groups.length >= 2 && groups.length <= mostGroups;
}

/** A row of cells, or a rule across the table. */
export type Row = readonly string[] | 'rule';

/** A column with how wide it is and where its cells are. */
interface Laid extends Column {
  readonly at: number;
  readonly width: number;
}

/** So many parts are hard to read side by side: rows are broken if that leaves less than half of them. */
const manyParts = 3;

/** Before the columns of a row whose keys stand on a line above. */
const indent = '  ';

/** Spaces between columns: the usual number, and the one for a table that fits with it only. */
const gaps = [2, 1] as const;

/**
 * The table as lines, each ended by a line feed; trailing blanks are cut. A table that is wider than the style allows comes
 * in parts below each other, each with the columns that tell rows apart and as many others as fit. Where those leave little
 * room for others, each row begins with a line of them.
 */
export function renderTable(columns: readonly Column[], rows: readonly Row[], style: Style): string {
  const shown = rows.map((row) => (row === 'rule' ? row : row.map((cell) => showCell(cell, style))));
  const laid = columns.map((column, at): Laid => {
    const cells = shown.flatMap((row) => (row === 'rule' ? [] : (row[at] ?? '')));
    return { ...column, at, width: Math.max(...[column.title, ...cells].map(columnsOf)) };
  });
  const isFitting = (gap: number) => widthOf(laid, gap) <= style.width;
  const gap = gaps.find(isFitting) ?? gaps[0];
  const keys = laid.filter(({ isKey, at }) => isKey === true || at === 0);
  const others = laid.filter((column) => !keys.includes(column));
  const whole = partsOf(keys, others, gap, style.width);
  const broken = partsOf([], others, gap, style.width - indent.length);
  const isBroken =
    others.some((column) => widthOf([...keys, column], gap) > style.width) ||
    (whole.length >= manyParts && 2 * broken.length < whole.length);
  return (isBroken ? broken : whole)
    .map((part) => renderPart(part, isBroken ? keys : [], gap, shown, style))
    .join('\n');
}

function widthOf(columns: readonly Laid[], gap: number): number {
  return columns.reduce((sum, { width }) => sum + gap + width, -gap);
}

/** Columns that go beside each other: the keys in every part. */
function partsOf(keys: readonly Laid[], others: readonly Laid[], gap: number, width: number): Laid[][] {
  const parts: Laid[][] = [[...keys]];
  for (const column of others) {
    const part = parts.at(-1) ?? [];
    if (part.length === keys.length || widthOf([...part, column], gap) <= width) part.push(column);
    else parts.push([...keys, column]);
  }
  return parts;
}

/** @param above columns on lines of their own above the others. */
function renderPart(
  columns: readonly Laid[],
  above: readonly Laid[],
  gap: number,
  rows: readonly Row[],
  style: Style,
): string {
  const isBroken = above.length > 0;
  const ruleWidth = Math.min(
    style.width,
    Math.max(widthOf(columns, gap) + (isBroken ? indent.length : 0), widthOf(above, gap)),
  );
  const rule = '─'.repeat(ruleWidth);
  const line = (cellOf: (column: Laid) => string): string =>
    columns
      .map((column) => {
        const cell = cellOf(column);
        const blanks = ' '.repeat(column.width - columnsOf(cell));
        return column.align === 'left' ? cell + blanks : blanks + cell;
      })
      .join(' '.repeat(gap))
      .trimEnd();
  const lines = (cellOf: (column: Laid) => string): string[] =>
    isBroken ? [...keyLines(above.map(cellOf), style.width), indent + line(cellOf)] : [line(cellOf)];
  const head = lines(({ title }) => title).map(style.bold);
  const body = rows.flatMap((row) => (row === 'rule' ? style.dim(rule) : lines(({ at }) => row[at] ?? '')));
  return [...head, style.dim(rule), ...body, ''].join('\n');
}

/** The keys of a row on a line; each on one of its own where that is too long. */
function keyLines(keys: readonly string[], width: number): string[] {
  const cells = keys.filter((key) => key !== '');
  const joined = cells.join('  ');
  return columnsOf(joined) <= width ? [joined] : cells;
}

/** The codes that a style puts around text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colour codes begin with
const colourCode = /(\u001b\[(?:1|2|22|31|32|39)m)/;

/** A cell in which nothing moves the cursor. */
function showCell(cell: string, { coloured }: Style): string {
  if (!coloured) return visible(cell);
  const parts = cell.split(colourCode);
  return parts.map((part, i) => (i % 2 === 1 ? part : visible(part))).join('');
}

/** What the columns or rows of a table mean, to stand under it, broken into lines that fit. */
export function renderLegend(
  items: readonly { readonly label: string; readonly description: string }[],
  style: Style,
): string {
  return renderNotes(
    items.map(({ label, description }) => `${label}: ${description}`),
    style,
  );
}

/** Sentences to stand under a table, each on lines of its own. */
export function renderNotes(sentences: readonly string[], style: Style): string {
  return sentences
    .map((sentence) => {
      const lines = wrapText(visible(sentence), style.width, '  ').split('\n');
      return `${lines.map(style.dim).join('\n')}\n`;
    })
    .join('');
}
