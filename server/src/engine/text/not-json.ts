/**
 * Where a text stops being JSON. The parser that is built in says so differently in every version, or not at all.
 *
 * Scanned without recursion, so that deep nesting does no harm.
 */

/** Blanks between tokens, as JSON has them. */
const blanks = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escapes = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const words = ['true', 'false', 'null'];

/**
 * Offset (UTF-16 code units) of the first character that no JSON text could have there, `text.length` when the text
 * only ends too early, or −1 when it is JSON.
 */
export function findNotJson(text: string): number {
  /** Closing brackets that are waited for, innermost last. */
  const open: ('}' | ']')[] = [];
  let at = 0;
  let expected: 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'rest' = 'value';
  for (;;) {
    at = skip(blanks, text, at);
    const inner = open.at(-1);
    const character = text.charAt(at);
    if (expected === 'rest' && inner === undefined) return at === text.length ? -1 : at;
    if (at === text.length) return at;
    const closes = expected === 'rest' || expected.startsWith('first');
    if (closes && character === inner) {
      open.pop();
      at++;
      expected = 'rest';
    } else if (expected === 'rest') {
      if (character !== ',') return at;
      at++;
      expected = inner === '}' ? 'key' : 'value';
    } else if (expected === 'colon') {
      if (character !== ':') return at;
      at++;
      expected = 'value';
    } else if (expected === 'key' || expected === 'first key') {
      if (character !== '"') return at;
      const { end, whole } = quoted(text, at);
      if (!whole) return end;
      at = end;
      expected = 'colon';
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      at++;
      expected = character === '{' ? 'first key' : 'first value';
    } else {
      const { end, whole } = scalar(text, at);
      if (!whole) return end;
      at = end;
      expected = 'rest';
    }
  }
}

/** Where something ends or, when it is not whole, where it goes wrong. */
interface Part {
  readonly end: number;
  readonly whole: boolean;
}

/** The string, number or word at `at`. */
function scalar(text: string, at: number): Part {
  if (text.charAt(at) === '"') return quoted(text, at);
  const end = skip(number, text, at);
  if (end > at) {
    // `1.` and `1e` at the end of the text could go on.
    const isCut = /^(?:\.|[eE][+-]?)$/.test(text.slice(end, end + 3)) && !text.slice(at, end).includes('e');
    return isCut ? { end: text.length, whole: false } : { end, whole: true };
  }
  const word = words.find((it) => text.charAt(at) === it.charAt(0));
  if (word === undefined) return { end: text.slice(at) === '-' ? text.length : at, whole: false };
  let same = 0;
  while (same < word.length && text.charAt(at + same) === word.charAt(same)) same++;
  return { end: at + same, whole: same === word.length };
}

/** The string that opens at `at`. */
function quoted(text: string, at: number): Part {
  let end = at + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code < 0x20) break;
    if (code === 0x22) return { end: end + 1, whole: true };
    if (code !== 0x5c) {
      end++;
      continue;
    }
    const after = skip(escapes, text, end);
    if (after === end) return { end: afterEscape(text, end), whole: false };
    end = after;
  }
  return { end, whole: false };
}

/** The first character after the backslash at `at` that no escape could have there. */
function afterEscape(text: string, at: number): number {
  if (text.charAt(at + 1) !== 'u') return at + 1;
  let end = at + 2;
  while (/[0-9a-fA-F]/.test(text.charAt(end))) end++;
  return end;
}

/** The end of what `pattern` (sticky, and matching nothing at worst) matches at `at`. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
