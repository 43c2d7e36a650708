/** Texts in a transcript: as they are where an editor leaves them alone, else as JSON strings. */
import { toJson } from '../prompts/json.ts';
import { type Line, linesOf } from '../prompts/lines.ts';
import type { TextPart } from './transcript.ts';

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

/**
 * The offset in the file of offset `at` in the text of a part, for problems that were found in the text.
 * Lines may be longer in the file (white space at their ends, CR LF) and escaped characters are.
 */
export function fileOffset(file: string, part: TextPart, at: number): number {
  let left = at;
  let end = part.content.start;
  for (const line of linesOf(file.slice(0, part.content.end), part.content.start)) {
    const written = file.slice(line.start, line.end).trimEnd();
    end = line.start + written.length;
    if (!part.escaped) {
      if (left <= written.length) return line.start + left;
      left -= written.length + 1;
      continue;
    }
    const text = unescapeLine(written);
    // A line that is no JSON string counts as it is written.
    const length = text?.length ?? written.length + 1;
    if (left < length) return line.start + (text === null ? left : offsetInJson(written, left));
    left -= length;
  }
  return end;
}

/** Where in a JSON string its code unit number `at` is written. */
function offsetInJson(json: string, at: number): number {
  const unit = /\\u[0-9a-fA-F]{4}|\\.|[\s\S]/g;
  unit.lastIndex = json.indexOf('"') + 1;
  for (let left = at; left > 0; left--) unit.exec(json);
  return unit.lastIndex;
}
