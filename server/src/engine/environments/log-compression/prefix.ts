/**
 * The pattern by which a record says what in front of a line does not belong to its content: a time, a request id, a
 * line number. Patterns are Python's, so `\s`, `\d` and `\w` mean here what they mean there.
 *
 * Patterns that come with a file are matched in time linear in the line (RE2's method): a hostile one would otherwise
 * stop the editor. Those that our own records have are known to be harmless and go through the built-in matcher.
 */
import { RE2JS } from 're2js';
import { accept, type Checked, refuse } from '../../problem.ts';
import type { Case } from './instance.ts';

/** The patterns of our records, by case. */
export const PREFIXES: Readonly<Record<Case, string>> = {
  timestamp: String.raw`^\s*\d{1,2}:\d{2}:\d{2}\.?\d*\s*`,
  req_id: String.raw`^\s*req-[\w-]+\s*:?\s*`,
  line_num: String.raw`^\s*(?:line\s+)?\d+\s*[:|]\s*`,
  false_positive: '',
  mixed_noise: String.raw`^\s*\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?Z?\s*`,
};

/** How many code units of a line its prefix takes; 0 when the pattern does not match at its start. */
export type PrefixMatcher = (line: string) => number;

const known = new Set(Object.values(PREFIXES));
const matchers = new Map<string, Checked<PrefixMatcher>>();
/** Patterns that are kept compiled. A file has one or a few. */
const mostKept = 100;
const longestPattern = 1000;

/** Compiles a pattern; the error continues "prefix_regex ". */
export function prefixMatcher(pattern: string): Checked<PrefixMatcher> {
  const kept = matchers.get(pattern);
  if (kept !== undefined) return kept;
  const made = compile(pattern);
  if (matchers.size >= mostKept) matchers.clear();
  matchers.set(pattern, made);
  return made;
}

function compile(pattern: string): Checked<PrefixMatcher> {
  if (pattern === '') return accept(() => 0);
  if (pattern.length > longestPattern) return refuse(`must have at most ${longestPattern} characters`);
  const source = withPythonClasses(pattern);
  if (known.has(pattern)) {
    const expression = new RegExp(source, 'uy');
    return accept((line) => {
      expression.lastIndex = 0;
      return expression.test(line) ? expression.lastIndex : 0;
    });
  }
  try {
    const expression = RE2JS.compile(source);
    return accept((line) => {
      const matcher = expression.matcher(line);
      return matcher.lookingAt() ? matcher.end() : 0;
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refuse(`is no regular expression without look-around and back references: ${why}`);
  }
}

/** White space as Python's `\s` has it; characters stand for themselves, which both matchers read alike. */
const space = '\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000';
const classes: Readonly<Record<string, string>> = {
  s: space,
  d: String.raw`\p{Nd}`,
  w: String.raw`\p{L}\p{N}_`,
};

/** The pattern with Python's character classes spelt out. */
function withPythonClasses(pattern: string): string {
  let result = '';
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '\\') {
      const escaped = pattern.charAt(++at);
      const members = classes[escaped.toLowerCase()];
      if (members === undefined) result += character + escaped;
      else if (escaped !== escaped.toLowerCase()) result += inClass ? character + escaped : `[^${members}]`;
      else result += inClass ? members : `[${members}]`;
      continue;
    }
    if (character === '[' && !inClass) {
      inClass = true;
      // A bracket that comes first in a class stands for itself.
      const [opening = '['] = /^\[\^?\]?/.exec(pattern.slice(at, at + 3)) ?? [];
      result += opening.replace(']', '\\]');
      at += opening.length - 1;
      continue;
    }
    if (character === ']' && inClass) inClass = false;
    result += character;
  }
  return result;
}
