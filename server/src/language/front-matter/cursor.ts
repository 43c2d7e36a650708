/**
 * What a person is typing in front matter: a key or a value, and of which mapping. Works on the text alone, since YAML
 * that is being typed can mostly not be parsed. Knows mappings in block and in flow style, quotes and comments.
 */

export interface FrontMatterCursor {
  readonly kind: 'key' | 'value';
  /** Of a key: the mapping it belongs to. Of a value: its key, too. */
  readonly path: readonly string[];
  /** What completing it replaces. Offsets are UTF-16 code units of the whole text. */
  readonly start: number;
  readonly end: number;
  /** Of a key: whether a colon follows already. */
  readonly hasColon: boolean;
}

/** A key whose value may go on in lines that are indented further. */
interface OpenKey {
  readonly indent: number;
  readonly key: string;
}

/** A `{` or `[` that is still open, and the key before the value that is being written in it. */
interface Flow {
  readonly isMapping: boolean;
  /** Where the present entry begins. */
  start: number;
  key: string | null;
}

const blockLine = /^( *)("[^"\n]*"|'[^'\n]*'|[\w-]+):(?=[ \t]|$)/;

/** The cursor at `offset` of the YAML that begins at `start` of `text`; null in comments and where nothing can be told. */
export function frontMatterCursor(text: string, start: number, offset: number): FrontMatterCursor | null {
  const open: OpenKey[] = [];
  let at = start;
  for (;;) {
    const lineEnd = endOfLine(text, at);
    const match = blockLine.exec(text.slice(at, Math.min(lineEnd, offset)));
    if (match) {
      const indent = match[1]?.length ?? 0;
      while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
      open.push({ indent, key: unquoted(match[2] ?? '') });
    }
    const valueStart = match ? at + match[0].length : at;
    const scanned = scanValue(text, valueStart, offset);
    if (scanned.comment) return null;
    const keys = open.map(({ key }) => key);
    if (scanned.flows.length > 0) return flowCursor(text, scanned.flows, keys, offset);
    if (scanned.end < offset) {
      at = scanned.end + 1;
      continue;
    }
    if (match) return valueCursor(text, valueStart, keys, offset);
    return keyCursor(text, at, open, offset);
  }
}

/** Goes from `from` to `offset`, or to the end of the line after which no `{` or `[` is open. */
function scanValue(
  text: string,
  from: number,
  offset: number,
): { readonly end: number; readonly flows: readonly Flow[]; readonly comment: boolean } {
  const flows: Flow[] = [];
  let quote = '';
  let comment = false;
  for (let at = from; at < offset; at++) {
    const char = text.charAt(at);
    const top = flows.at(-1);
    if (char === '\n') {
      if (top === undefined) return { end: at, flows, comment: false };
      comment = false;
    } else if (comment) continue;
    else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '#' && /\s/.test(text.charAt(at - 1))) comment = true;
    else if (char === '{' || char === '[') flows.push({ isMapping: char === '{', start: at + 1, key: null });
    else if (char === '}' || char === ']') flows.pop();
    else if (top && char === ',') {
      top.start = at + 1;
      top.key = null;
    } else if (top && char === ':' && top.key === null) {
      top.key = unquoted(text.slice(top.start, at).trim());
      top.start = at + 1;
    }
  }
  return { end: offset, flows, comment };
}

function flowCursor(
  text: string,
  flows: readonly Flow[],
  keys: readonly string[],
  offset: number,
): FrontMatterCursor | null {
  const last = flows.at(-1);
  if (!last?.isMapping) return null;
  const path = [...keys, ...flows.slice(0, -1).flatMap(({ key }) => (key === null ? [] : [key]))];
  const start = skipBlanks(text, last.start, offset);
  if (last.key !== null) {
    let end = offset;
    while (!/[,}\]\n]/.test(text.charAt(end)) && end < text.length) end++;
    return {
      kind: 'value',
      path: [...path, last.key],
      start,
      end: trimmedEnd(text, offset, end),
      hasColon: false,
    };
  }
  return keyAt(text, path, start, offset);
}

function keyCursor(
  text: string,
  lineStart: number,
  open: readonly OpenKey[],
  offset: number,
): FrontMatterCursor | null {
  const start = skipBlanks(text, lineStart, offset);
  const indent = start - lineStart;
  const path = open.filter((it) => it.indent < indent).map(({ key }) => key);
  return keyAt(text, path, start, offset);
}

function keyAt(
  text: string,
  path: readonly string[],
  start: number,
  offset: number,
): FrontMatterCursor | null {
  if (!/^[\w-]*$/.test(text.slice(start, offset))) return null;
  let end = offset;
  while (/[\w-]/.test(text.charAt(end))) end++;
  return { kind: 'key', path, start, end, hasColon: /^[ \t]*:/.test(text.slice(end, end + 20)) };
}

function valueCursor(
  text: string,
  valueStart: number,
  path: readonly string[],
  offset: number,
): FrontMatterCursor | null {
  if (offset === valueStart) return null; // right after the colon, where YAML wants a blank first
  const rest = text.slice(offset, endOfLine(text, offset));
  const comment = rest.search(/(?:^|[ \t])#/);
  const end = trimmedEnd(text, offset, offset + (comment < 0 ? rest.length : comment));
  return { kind: 'value', path, start: skipBlanks(text, valueStart, offset), end, hasColon: false };
}

function skipBlanks(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && /\s/.test(text.charAt(at))) at++;
  return at;
}

function trimmedEnd(text: string, from: number, to: number): number {
  return from + text.slice(from, to).trimEnd().length;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function unquoted(key: string): string {
  return key.replace(/^(["'])(.*)\1$/, '$2');
}
