/** Lines of a text with their places in it. */

export interface Line {
  readonly start: number;
  /** Where the line break begins. */
  readonly end: number;
  /** Where the next line begins; equal to `end` only for a last line without a line break. */
  readonly next: number;
}

/**
 * The lines of `text` from `from` on. A line ends with LF, CR LF or a lone CR, since an editor takes each of
 * them for a line break and makes them alike when it opens a file. The last line may be empty.
 */
export function linesOf(text: string, from = 0): Line[] {
  const lines: Line[] = [];
  const lineBreak = /\r\n|\r|\n/g;
  let start = from;
  for (lineBreak.lastIndex = from; ; ) {
    const found = lineBreak.exec(text);
    if (found === null) {
      lines.push({ start, end: text.length, next: text.length });
      return lines;
    }
    lines.push({ start, end: found.index, next: lineBreak.lastIndex });
    start = lineBreak.lastIndex;
  }
}

/** Where the content of a file begins: after the byte order mark, if there is one. */
export function contentStart(text: string): number {
  return text.charCodeAt(0) === 0xfeff ? 1 : 0;
}
