/** How output for people looks: colours, and how wide it may be. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  /** Whether these four do anything. */
  readonly coloured: boolean;
  /** Columns that tables and paragraphs have. */
  readonly width: number;
}

type Paint = Omit<Style, 'width'>;

const paint = (on: number, off: number) => (text: string) => `\u001b[${on}m${text}\u001b[${off}m`;

const coloured: Paint = {
  bold: paint(1, 22),
  dim: paint(2, 22),
  good: paint(32, 39),
  bad: paint(31, 39),
  coloured: true,
};

const plain: Paint = { bold: (t) => t, dim: (t) => t, good: (t) => t, bad: (t) => t, coloured: false };

/** Columns where nobody says how many there are. */
const usualWidth = 80;
/** With fewer nothing can be laid out. */
const leastWidth = 20;

/** What is asked of a stream that a person may be looking at. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
}

/**
 * The style for a stream. Nothing is coloured unless a terminal that can show it is at the other end; Node's own test
 * obeys `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb`.
 *
 * @param columns the variable `COLUMNS`, which is believed before the stream.
 */
export function styleFor(stream: Screen, columns = process.env['COLUMNS']): Style {
  return { ...(stream.isTTY && stream.hasColors?.() ? coloured : plain), width: widthOf(stream, columns) };
}

/** Columns of a stream; see {@link styleFor}. */
export function widthOf({ columns = 0 }: Screen, variable = process.env['COLUMNS']): number {
  const wanted = /^[1-9]\d{0,4}$/.test(variable ?? '') ? Number(variable) : columns;
  return wanted > 0 ? Math.max(leastWidth, wanted) : usualWidth;
}
