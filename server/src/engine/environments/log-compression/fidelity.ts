/**
 * The first gate: whether every distinct critical line is still there. A line's content is the line without its prefix,
 * which is taken off once, with white space collapsed. A content is kept exactly when some line of the candidate has
 * just that content; what else the candidate holds does not matter here.
 */
import { codeUnit } from '../../text/code-unit.ts';
import { isPythonSpace } from '../../text/python.ts';
import type { Instance } from './instance.ts';
import { type PrefixMatcher, prefixMatcher } from './prefix.ts';

/** White space runs as single spaces, none at the ends. */
export function collapse(text: string): string {
  let previous = 0x20;
  for (let i = 0; i < text.length; i++) {
    const code = codeUnit(text, i);
    // Most lines hold nothing but single spaces; those are not copied.
    if (code === 0x20 ? previous === 0x20 : code < 0x20 || code >= 0x7f) return collapseSlowly(text);
    previous = code;
  }
  return text.length > 0 && previous === 0x20 ? text.slice(0, -1) : text;
}

function collapseSlowly(text: string): string {
  let result = '';
  let start = -1;
  for (let i = 0; i <= text.length; i++) {
    const isSpace = i === text.length || isPythonSpace(codeUnit(text, i));
    if (!isSpace) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      result += `${result === '' ? '' : ' '}${text.slice(start, i)}`;
      start = -1;
    }
  }
  return result;
}

/** The content of a line. */
export function contentOf(line: string, prefix: PrefixMatcher): string {
  const length = prefix(line);
  return collapse(length === 0 ? line : line.slice(length));
}

/** The matcher of a record's pattern. Records are checked when they are read; an unreadable pattern strips nothing. */
export function prefixOf({ prefix_regex }: Pick<Instance, 'prefix_regex'>): PrefixMatcher {
  const matcher = prefixMatcher(prefix_regex);
  return matcher.ok ? matcher.value : () => 0;
}

/** Contents of the critical lines, each once, in the order in which the log first has them. */
export function distinctContents(
  instance: Pick<Instance, 'critical' | 'prefix_regex'>,
  prefix = prefixOf(instance),
): readonly string[] {
  const contents = new Set<string>();
  let last: string | undefined;
  for (const { text } of instance.critical) {
    const length = prefix(text);
    const rest = length === 0 ? text : text.slice(length);
    // Mostly it is the line before once more, or one that came already.
    if (rest === last || contents.has(rest)) continue;
    last = rest;
    contents.add(collapse(rest));
  }
  return [...contents];
}

/**
 * Those of the distinct critical contents that no line of `candidate` has; the gate holds when there are none.
 */
export function missingContents(
  instance: Pick<Instance, 'critical' | 'prefix_regex'>,
  candidate: string,
): readonly string[] {
  const prefix = prefixOf(instance);
  const kept = new Set(candidate.split('\n').map((line) => contentOf(line, prefix)));
  return distinctContents(instance, prefix).filter((content) => !kept.has(content));
}
