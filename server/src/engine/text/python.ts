/**
 * Text as Python sees it. The published environments are written in Python, whose notions of white space,
 * lines and digits differ from JavaScript's; scores agree only when these are followed exactly.
 */
import { codeUnit } from './code-unit.ts';

/**
 * True for the white space of Python's `str.strip` and `str.isspace`, by UTF-16 code unit (all of it lies in
 * the basic plane). Unlike JavaScript's `\s` it has U+001C–001F and U+0085, and has not U+FEFF.
 */
export function isPythonSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f);
  if (code < 0x85) return false;
  if (code <= 0xa0) return code === 0x85 || code === 0xa0;
  if (code < 0x1680) return false;
  return (
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Python's `str.strip()`: `text` without white space at both ends. */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isPythonSpace(codeUnit(text, start))) start++;
  while (end > start && isPythonSpace(codeUnit(text, end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

const decimalDigit = /^\p{Nd}$/u;

/**
 * The value 0–9 of a decimal digit of any script, or −1 when the code point is no decimal digit.
 *
 * Unicode assigns decimal digits in runs of ten consecutive code points that begin with the zero, so the value
 * is the distance from the start of the run. Runs may touch (the mathematical digits do), hence modulo ten.
 */
export function digitValue(codePoint: number): number {
  if (codePoint <= 0x7f) return codePoint >= 0x30 && codePoint <= 0x39 ? codePoint - 0x30 : -1;
  if (!decimalDigit.test(String.fromCodePoint(codePoint))) return -1;
  let start = codePoint;
  while (decimalDigit.test(String.fromCodePoint(start - 1))) start--;
  return (codePoint - start) % 10;
}
