/** Texts in a transcript: as they are where an editor leaves them alone, else as JSON strings. */
import { toJson } from '../prompts/json.ts';
import type { Line } from '../prompts/lines.ts';

/** Controls but tab and line feed, other line ends, the byte order mark, halves of surrogate pairs. */
const unsafe = /[^\P{Cc}\t\n]|[\u2028\u2029\ufeff]|\p{Surrogate}/u;
const blankAtEndOfLine = /[^\S\n]$/m;
const brokenLine = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+/g;

/**
 * True when `text` comes back from an editor as it went in: without white space at the end of a line or of the
 * text, without blank lines around it, with no line end but LF and no character that is not for reading.
 * (JavaScript's `m` flag takes a lone CR and U+2028 for line ends too; both are unsafe anyway.)
 */
export function isPlain(text: string): boolean {
  return !text.startsWith('\n') && !text.endsWith('\n') && !unsafe.test(text) && !blankAtEndOfLine.test(text);
}

/** The lines of an escaped text, one JSON string for each line of `text` with its line end. */
export function escapeLines(text: string): string[] {
  return (text.match(brokenLine) ?? []).map((line) => toJson(line));
}

/** The text of an escaped line, or null when the line is not a JSON string. */
export function unescapeLine(line: string): string | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** What counts of the lines of a text: those from the first to the last that are not blank. */
export function withoutBlankLines(file: string, lines: readonly Line[]): readonly Line[] {
  const written = (line: Line) => file.slice(line.start, line.end).trim() !== '';
  const first = lines.findIndex(written);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(written) + 1);
}
