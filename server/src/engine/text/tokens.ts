/**
 * The token counter that ceilings, costs and offsets are counted with.
 *
 * A token is a maximal run of word characters, or any one character that is neither a word character nor white
 * space. Word characters are the Unicode categories L and N, and `_`; combining marks are not, so each is a
 * token and splits the run it stands in. Counting is by code point. White space is Python's.
 *
 * Letters added to Unicode after version 14 count as letters here as soon as the JavaScript engine knows them;
 * the published environment does not know them. Our own documents contain none.
 */
import { codeUnit } from './code-unit.ts';
import { isPythonSpace } from './python.ts';

// Classes of characters, as fields of one number: sums over a block of 512 characters keep each class in bits
// of its own, so that a single addition counts all of them.
const BLOCK = 512;
const SPACE = 0;
const WORD = 1;
const OTHER = 1 << 10;
/** Not looked up yet, or the first half of a surrogate pair: the table alone does not tell. */
const SLOW = 1 << 20;

const wordCharacter = /^[\p{L}\p{N}_]$/u;

/** Class of every UTF-16 code unit; filled for what our own documents use, the rest on first sight. */
const classes = new Int32Array(0x10000).fill(SLOW);
for (let code = 0; code < 0x2100; code++) classes[code] = classify(code);

function classify(codePoint: number): number {
  if (codePoint <= 0xffff && isPythonSpace(codePoint)) return SPACE;
  return wordCharacter.test(String.fromCodePoint(codePoint)) ? WORD : OTHER;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Class of the code point that begins at `index`. A lone surrogate is a token of its own. */
function classAt(text: string, index: number): number {
  const known = classes[codeUnit(text, index)] as number;
  if (known !== SLOW) return known;
  const codePoint = text.codePointAt(index) ?? 0;
  const found = classify(codePoint);
  if (codePoint <= 0xffff && !isHighSurrogate(codePoint)) classes[codePoint] = found;
  return found;
}

/** Number of tokens in `text`, 0 or more. One pass and no allocation for text of the basic plane. */
export function countTokens(text: string): number {
  const table = classes;
  const length = text.length;
  let count = 0;
  let previous = SPACE;
  let i = 0;
  while (i < length) {
    const end = Math.min(length, i + BLOCK);
    let sum = 0;
    let pairs = 0;
    for (; i < end; i++) {
      const now = table[String.prototype.charCodeAt.call(text, i)] as number; // see codeUnit
      sum = (sum + now) | 0;
      pairs = (pairs + (now & previous)) | 0;
      previous = now;
    }
    if (sum >= SLOW) return countSlowly(text);
    // Others count one each; words one for every word character that does not follow another one.
    count += (sum >> 10) + (sum & 1023) - (pairs & 1023);
  }
  return count;
}

/** The same by code point, which also fills the table for characters met for the first time. */
function countSlowly(text: string): number {
  let count = 0;
  let previous = SPACE;
  for (let i = 0; i < text.length; i++) {
    const now = classAt(text, i);
    if ((text.codePointAt(i) ?? 0) > 0xffff) i++;
    if (now === OTHER || (now === WORD && previous !== WORD)) count++;
    previous = now;
  }
  return count;
}

/**
 * The longest prefix of `text` that has at most `max` tokens and ends with a token. A text of at most `max`
 * tokens comes back unchanged, outer white space included; `max` of 0 or less gives the empty string.
 */
export function truncateTokens(text: string, max: number): string {
  if (max <= 0) return '';
  let count = 0;
  let previous = SPACE;
  let tokenEnd = 0;
  for (let i = 0; i < text.length; i++) {
    const now = classAt(text, i);
    if ((text.codePointAt(i) ?? 0) > 0xffff) i++;
    if (now === OTHER || (now === WORD && previous !== WORD)) {
      if (count === max) return text.slice(0, tokenEnd);
      count++;
    }
    if (now !== SPACE) tokenEnd = i + 1;
    previous = now;
  }
  return text;
}
