/**
 * Texts with marks. Under a line stand carets below a part of it and then what is said about that part:
 *
 *     ACTION: READ S1
 *                  ^^ error action.read-needs-chunk
 *
 * An empty part is marked by `|` below its position.
 */

export interface Mark {
  /** Of the text without marks, from 0. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** What follows the carets. */
  readonly note: string;
}

/** Takes the marks out of a text. A line break right at its start is left out too, so that it can be written in a block. */
export function readMarks(marked: string): { readonly text: string; readonly marks: readonly Mark[] } {
  const lines: string[] = [];
  const marks: Mark[] = [];
  for (const line of marked.replace(/^\n/, '').split('\n')) {
    const match = /^( *)(\^+|\|) (\S.*)$/.exec(line);
    const [, indent = '', carets = '', note = ''] = match ?? [];
    const start = indent.length;
    const end = carets === '|' ? start : start + carets.length;
    if (match) marks.push({ line: lines.length - 1, start, end, note });
    else lines.push(line);
  }
  return { text: lines.join('\n'), marks };
}
