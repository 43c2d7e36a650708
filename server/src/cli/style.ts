/** Colours for people. Nothing is coloured unless a terminal that can show it is at the other end. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

const paint = (on: number, off: number) => (text: string) => `\u001b[${on}m${text}\u001b[${off}m`;

const coloured: Style = { bold: paint(1, 22), dim: paint(2, 22), good: paint(32, 39), bad: paint(31, 39) };

const plain: Style = { bold: (t) => t, dim: (t) => t, good: (t) => t, bad: (t) => t };

/** The style for a stream. Node's own test obeys `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb`. */
export function styleFor(stream: { readonly isTTY?: boolean; hasColors?(): boolean }): Style {
  return stream.isTTY && stream.hasColors?.() ? coloured : plain;
}
