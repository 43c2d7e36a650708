/**
 * The fields of an entry and where they stand.
 *
 * A field is a capitalised label of letters and spaces, a colon, a value without full stop or brackets, an optional
 * bracket, a full stop. From ` Notes: ` on, nothing counts. As a pattern:
 *
 *     ([A-Z][A-Za-z ]*): ([^.[\]]+?)(?: \[([^\]]*)\])?\.
 *
 * It is scanned by hand because documents may come from anywhere, and matching the pattern takes time by the square
 * of a hostile line's length.
 */

/** A stretch of a line, `start` inclusive and `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One field of a line. */
export interface FieldSpan {
  readonly label: string;
  readonly value: Span;
  /** The value before that, when the entry tells of one. */
  readonly superseded: Span | null;
}

/** All fields of `line` from offset `from` on, in text order. Takes time by the length of the line. */
export function scanFields(line: string, from: number): FieldSpan[] {
  const spans: FieldSpan[] = [];
  const notes = line.indexOf(' Notes: ', from);
  const text = notes < 0 ? line : line.slice(0, notes);
  let begin = from;
  // Both only ever move forward.
  let stop = -1;
  let close = -1;
  for (let colon = text.indexOf(': ', from); colon >= 0; colon = text.indexOf(': ', colon)) {
    const start = colon + ': '.length;
    if (stop < start) stop = findStop(text, start);
    if (stop === text.length) break;
    const labelStart = findLabel(text, begin, colon);
    colon++;
    if (labelStart < 0) continue;
    const hasBracket = text.startsWith(' [', stop - 1);
    const end = hasBracket ? stop - 1 : stop;
    if (hasBracket && close < stop) close = indexOrEnd(text, ']', stop);
    const point = hasBracket ? close + 1 : stop;
    if (end <= start || text.charAt(point) !== '.') continue;
    const label = text.slice(labelStart, start - ': '.length);
    const change = readChange(text, start, end);
    if (change) spans.push({ label, ...change });
    else
      spans.push({
        label,
        value: { start, end },
        superseded: hasBracket ? readBracket(text, stop + 1, close) : null,
      });
    begin = point + 1;
    colon = begin;
  }
  return spans;
}

/** Where the label before `colon` begins: at the first capital of the letters and blanks before it; −1 for none. */
function findLabel(text: string, begin: number, colon: number): number {
  let found = -1;
  for (let at = colon - 1; at >= begin; at--) {
    const code = text.charCodeAt(at);
    if (code >= 0x41 && code <= 0x5a) found = at;
    else if (code !== 0x20 && !(code >= 0x61 && code <= 0x7a)) break;
  }
  return found;
}

/** The first full stop or bracket at or after `at`, or the end. */
function findStop(text: string, at: number): number {
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x2e || code === 0x5b || code === 0x5d) return i;
  }
  return text.length;
}

function indexOrEnd(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found < 0 ? text.length : found;
}

const yearsAtEnd = / from \d{4} to \d{4}$/;
const yearsLength = ' from 2015 to 2017'.length;
const lineEnd = /[\n\r\u2028\u2029]/;
const then = ', then ';
const previously = 'previously ';

/** Whether ` from 2015 to 2017` stands right before `at`, after at least one character from `start` on. */
function hasYears(text: string, start: number, at: number): boolean {
  return at - yearsLength > start && yearsAtEnd.test(text.slice(at - yearsLength, at));
}

/** A value of the form `old from 2015 to 2017, then value`. */
function readChange(text: string, start: number, end: number): Omit<FieldSpan, 'label'> | undefined {
  const body = text.slice(start, end);
  for (let at = body.lastIndexOf(then); at > 0; at = body.lastIndexOf(then, at - 1)) {
    const valueStart = at + then.length;
    if (valueStart === body.length || !hasYears(body, 0, at)) continue;
    if (lineEnd.test(body)) return undefined;
    return {
      value: { start: start + valueStart, end },
      superseded: { start, end: start + at - yearsLength },
    };
  }
  return undefined;
}

/** What a bracket after a value tells: `current since 2017; previously old from 2015 to 2017`. */
function readBracket(text: string, start: number, end: number): Span | null {
  if (!hasYears(text, start, end)) return null;
  const last = end - yearsLength;
  const told = text.slice(start, last);
  let line = told.length;
  while (line > 0 && !lineEnd.test(told.charAt(line - 1))) line--;
  const from = told.indexOf(previously, line) + previously.length;
  const found = from >= previously.length && from < told.length;
  return found ? { start: start + from, end: last } : null;
}
