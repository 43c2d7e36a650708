/**
 * The id list of an action: `12, [13] S1`. Pieces are separated by commas and white space; square and round
 * brackets around a piece are tolerated. The first piece that is no id ends the list.
 */
import { codeUnit } from '../../text/code-unit.ts';
import { digitValue, isPythonSpace } from '../../text/python.ts';

/** Python refuses to convert longer digit strings to a number; such a piece is no id. */
const maxDigits = 4300;

/** From this many ids on, duplicates are looked up in a set: a reply may hold millions of ids. */
const manyIds = 16;

function isSeparator(code: number): boolean {
  return code === 0x2c || isPythonSpace(code);
}

function isBracket(code: number): boolean {
  return code === 0x5b || code === 0x5d || code === 0x28 || code === 0x29;
}

/** Start of the next piece at or after `at`; `end` when there is none. */
export function pieceStart(text: string, at: number, end: number): number {
  let i = at;
  while (i < end && isSeparator(codeUnit(text, i))) i++;
  return i;
}

/** End of the piece that starts at `at`. */
export function pieceEnd(text: string, at: number, end: number): number {
  let i = at;
  while (i < end && !isSeparator(codeUnit(text, i))) i++;
  return i;
}

/**
 * The id that the piece `start`–`end` stands for: a plain decimal number without leading zeros for a chunk, `S`
 * and digits as written for a summary. The empty string for a piece of nothing but brackets, which is skipped;
 * null for a piece that is no id.
 *
 * Digits may be of any script. What follows them must be the piece's end or a closing bracket.
 */
export function idOf(text: string, start: number, end: number): string | null {
  let from = start;
  let to = end;
  while (from < to && isBracket(codeUnit(text, from))) from++;
  while (to > from && isBracket(codeUnit(text, to - 1))) to--;
  if (from === to) return '';

  const isSummary = (codeUnit(text, from) | 0x20) === 0x73;
  const digits = isSummary ? from + 1 : from;
  let stop = digits;
  while (stop < to && isAsciiDigit(codeUnit(text, stop))) stop++;
  if (stop < to && codeUnit(text, stop) > 0x7f) return idOfAnyScript(text, isSummary, digits, to);
  if (stop === digits || !endsId(text, stop, to)) return null;
  if (isSummary) return `S${text.slice(digits, stop)}`;
  return stop - digits > maxDigits ? null : plainNumber(text, digits, stop);
}

/** The same for digits outside ASCII, some of which are two code units long. */
function idOfAnyScript(text: string, isSummary: boolean, digits: number, to: number): string | null {
  const values: number[] = [];
  let stop = digits;
  while (stop < to) {
    const codePoint = text.codePointAt(stop) ?? 0;
    const value = digitValue(codePoint);
    if (value < 0) break;
    values.push(value);
    stop += codePoint > 0xffff ? 2 : 1;
  }
  if (stop === digits || !endsId(text, stop, to)) return null;
  if (isSummary) return `S${text.slice(digits, stop)}`;
  if (values.length > maxDigits) return null;
  return plainNumber(values.join(''), 0, values.length);
}

function isAsciiDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** True when an id may end at `at`: the piece is over, or a closing bracket follows (`[12][13]`, `1)x`). */
function endsId(text: string, at: number, to: number): boolean {
  if (at === to) return true;
  const code = codeUnit(text, at);
  return code === 0x5d || code === 0x29;
}

/** ASCII digits without leading zeros; `0` for zeros only. */
function plainNumber(text: string, start: number, end: number): string {
  let from = start;
  while (from < end - 1 && codeUnit(text, from) === 0x30) from++;
  return text.slice(from, end);
}

/** The first id of `start`–`end`, or null when the first piece that is not mere brackets is no id. */
export function firstId(text: string, start: number, end: number): string | null {
  for (let at = pieceStart(text, start, end); at < end; ) {
    const stop = pieceEnd(text, at, end);
    const id = idOf(text, at, stop);
    if (id !== '') return id;
    at = pieceStart(text, stop, end);
  }
  return null;
}

/** The ids of `start`–`end` up to the first piece that is none, duplicates removed, first position kept. */
export function readIds(text: string, start: number, end: number): string[] {
  const ids: string[] = [];
  let seen: Set<string> | null = null;
  for (let at = pieceStart(text, start, end); at < end; ) {
    const stop = pieceEnd(text, at, end);
    const id = idOf(text, at, stop);
    if (id === null) break;
    if (id !== '' && !(seen === null ? ids.includes(id) : seen.has(id))) {
      ids.push(id);
      seen?.add(id);
      if (ids.length === manyIds) seen = new Set(ids);
    }
    at = pieceStart(text, stop, end);
  }
  return ids;
}
