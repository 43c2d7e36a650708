/**
 * Where the action stands in a reply. The rules are Python's, since the published parser is written in it: lines
 * also end at VT, FF, U+001C–001E, U+0085, U+2028 and U+2029, and each is stripped of Python's white space.
 *
 * Replies are read from the end, where the action is. Nothing is copied unless the action runs over several
 * lines, so a long thought before it costs nothing.
 */
import { codeUnit } from '../../text/code-unit.ts';
import { isPythonSpace } from '../../text/python.ts';

/** `ACTION:` is what opens a tagged line, in any case. */
export const tagLength = 7;

/** True for the code units at which Python's `str.splitlines` ends a line. */
export function isLineBreak(code: number): boolean {
  if (code <= 0x1e) return (code >= 0x0a && code <= 0x0d) || code >= 0x1c;
  return code === 0x85 || code === 0x2028 || code === 0x2029;
}

/** First index in `start`–`end` that is no white space; `end` when there is none. */
export function skipSpaces(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isPythonSpace(codeUnit(text, at))) at++;
  return at;
}

/** End of `start`–`end` without the white space at its end; `start` when nothing else is there. */
export function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isPythonSpace(codeUnit(text, at - 1))) at--;
  return at;
}

/** End of the line that `at` stands in, its line break excluded; at most `end`. */
export function lineEnd(text: string, at: number, end: number): number {
  let stop = at;
  while (stop < end && !isLineBreak(codeUnit(text, stop))) stop++;
  return stop;
}

/** The last line of a reply that is not blank, stripped; the empty string when all of it is blank. */
export function lastLine(reply: string): string {
  const end = trimEnd(reply, 0, reply.length);
  let start = end;
  while (start > 0 && !isLineBreak(codeUnit(reply, start - 1))) start--;
  return reply.slice(skipSpaces(reply, start, end), end);
}

/**
 * True when the seven characters at `at` are the tag. Upper-casing turns the dotless i (U+0131) into `I`, so it
 * passes; no other character outside ASCII becomes one of the tag's letters.
 */
export function isTag(text: string, at: number): boolean {
  if (codeUnit(text, at + 6) !== 0x3a) return false;
  const i = codeUnit(text, at + 3);
  return (
    (codeUnit(text, at + 5) | 0x20) === 0x6e &&
    (codeUnit(text, at + 4) | 0x20) === 0x6f &&
    ((i | 0x20) === 0x69 || i === 0x131) &&
    (codeUnit(text, at + 2) | 0x20) === 0x74 &&
    (codeUnit(text, at + 1) | 0x20) === 0x63 &&
    (codeUnit(text, at) | 0x20) === 0x61
  );
}

/** True when nothing but white space stands between `at` and the start of its line. */
function opensLine(text: string, at: number, start: number): boolean {
  for (let i = at - 1; i >= start; i--) {
    const code = codeUnit(text, i);
    if (isLineBreak(code)) return true;
    if (!isPythonSpace(code)) return false;
  }
  return true;
}

/** What {@link locateAction} found. Offsets are UTF-16 code units of the reply. */
export interface ActionPlace {
  /** Start of the last tag, or −1 when no line has one. */
  readonly tag: number;
  /** The action without its tag and without outer white space. Equal when there is a tag and nothing else. */
  readonly start: number;
  readonly end: number;
  /** True when line breaks stand between `start` and `end`. Only a tagged action runs over several lines. */
  readonly broken: boolean;
}

/**
 * Finds the action in `start`–`end` of `text`: what follows the last tagged line's tag up to the end, or the last
 * line that is not blank when no line is tagged. Null when all of it is blank.
 */
export function locateAction(text: string, start: number, end: number): ActionPlace | null {
  const stop = trimEnd(text, start, end);
  if (stop === start) return null;
  let lastBreak = -1;
  for (let i = stop - 1; i >= start; i--) {
    const code = codeUnit(text, i);
    if (code > 0x3a && code < 0x85) continue;
    if (code === 0x3a) {
      const tag = i - tagLength + 1;
      if (tag >= start && isTag(text, tag) && opensLine(text, tag, start)) {
        const from = skipSpaces(text, i + 1, stop);
        // Breaks before `from` belong to the white space after the tag.
        return { tag, start: from, end: stop, broken: lastBreak >= from };
      }
    } else if (isLineBreak(code)) {
      if (lastBreak < 0) lastBreak = i;
    }
  }
  const from = skipSpaces(text, lastBreak < 0 ? start : lastBreak + 1, stop);
  return { tag: -1, start: from, end: stop, broken: false };
}

/** The lines of `start`–`end`, each stripped, blank ones left out, as start and end offsets in turn. */
export function lineSpans(text: string, start: number, end: number): number[] {
  const spans: number[] = [];
  for (let at = start; at < end; ) {
    const stop = lineEnd(text, at, end);
    const from = skipSpaces(text, at, stop);
    if (from < stop) spans.push(from, trimEnd(text, from, stop));
    at = stop + 1;
  }
  return spans;
}

/** A broken action as the parser sees it: its stripped lines, joined by one space. */
export function joinLines(text: string, start: number, end: number): string {
  const spans = lineSpans(text, start, end);
  const lines: string[] = [];
  for (let i = 0; i < spans.length; i += 2) lines.push(text.slice(spans[i], spans[i + 1]));
  return lines.join(' ');
}
