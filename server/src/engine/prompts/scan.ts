/** Finds the tags of a template: the lowest layer of the parser, which knows lines and braces but no nesting. */
import type { Problem } from '../problem.ts';
import type { Name, Range } from './template.ts';

type TagKind = 'variable' | 'open' | 'inverted' | 'close' | 'comment' | 'unsupported';

export interface Tag extends Range {
  readonly kind: TagKind;
  /** What follows the braces: `#`, `^`, `/`, `!`, `&`, `{`, an unsupported sign, or nothing. */
  readonly sigil: string;
  readonly name: Name;
  readonly closed: boolean;
  /** Where the literal text before the tag ends and where the one after it begins (standalone-line rule). */
  readonly textEnd: number;
  readonly textStart: number;
}

const kinds: Readonly<Record<string, TagKind>> = {
  '#': 'open',
  '^': 'inverted',
  '/': 'close',
  '!': 'comment',
  '&': 'variable',
  '{': 'variable',
  '>': 'unsupported',
  '<': 'unsupported',
  '=': 'unsupported',
  $: 'unsupported',
};

const whatIsLeftOut: Readonly<Record<string, string>> = {
  '>': 'Partials',
  '<': 'Parent templates',
  '=': 'Changes of delimiter',
  $: 'Blocks',
};

const legalName = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u;

/**
 * The tags of `text` in order. Offsets are into `text` plus `offset`.
 *
 * A tag whose closing braces are missing ends where the next tag begins, or with its line, so that one slip
 * does not swallow the rest of the text. Only comments run over several lines.
 */
export function scanTags(text: string, offset: number, problems: Problem[]): Tag[] {
  const tags: Tag[] = [];
  // Nothing is searched for beyond this, so that many unclosed tags cannot make the scan quadratic.
  const lastClosing = text.lastIndexOf('}}');
  let at = text.indexOf('{{');
  while (at >= 0) {
    const tag = scanTag(text, at, lastClosing, offset, problems);
    tags.push(tag);
    at = text.indexOf('{{', tag.end - offset);
  }
  return tags;
}

function scanTag(text: string, start: number, lastClosing: number, offset: number, problems: Problem[]): Tag {
  const at = text[start + 2] === '{' ? start + 2 : skipSpace(text, start + 2);
  const sign = text.charAt(at);
  const sigil = Object.hasOwn(kinds, sign) && (sign !== '{' || at === start + 2) ? sign : '';
  const kind = kinds[sigil] ?? 'variable';
  const from = at + sigil.length;
  const closing = sigil === '{' ? '}}}' : '}}';
  const content =
    kind === 'comment' && from <= lastClosing ? findComment(text, from) : findContent(text, from, closing);
  const end = content.closed ? content.end + closing.length : content.end;
  const name = readName(text, from, content.end, offset);

  if (!content.closed) {
    const message = `This tag is never closed: ${closing} is missing.`;
    problems.push(problem('template.unclosed-tag', message, start + offset, end + offset));
  } else if (kind === 'unsupported') {
    const message = `${whatIsLeftOut[sigil] ?? 'Such tags'} are not part of this template language.`;
    problems.push(problem('template.unsupported', message, start + offset, end + offset));
  } else if (kind !== 'comment') {
    checkName(name, start + offset, end + offset, problems);
  }

  const alone = kind === 'variable' || !content.closed ? null : standaloneLine(text, start, end);
  return {
    kind,
    sigil,
    name,
    closed: content.closed,
    start: start + offset,
    end: end + offset,
    textEnd: (alone?.start ?? start) + offset,
    textStart: (alone?.end ?? end) + offset,
  };
}

/** Where the content of a tag ends; `closed` tells whether the closing braces stand there. */
interface Content {
  readonly end: number;
  readonly closed: boolean;
}

function findComment(text: string, from: number): Content {
  const end = text.indexOf('}}', from);
  return { end, closed: end >= 0 };
}

function findContent(text: string, from: number, closing: string): Content {
  // As in Mustache, white space around the name may include line breaks.
  const afterName = skipSpace(text, nameEnd(text, skipSpace(text, from)));
  if (text.startsWith(closing, afterName)) return { end: afterName, closed: true };
  let at = from;
  while (at < text.length && !isLineEnd(text, at) && !text.startsWith('{{', at)) {
    if (text.startsWith(closing, at)) return { end: at, closed: true };
    // {{{name}} is a slip for {{{name}}}: the tag ends at the braces that are there.
    if (text.startsWith('}}', at)) return { end: at + 2, closed: false };
    at++;
  }
  return { end: trimEnd(text, from, at), closed: false };
}

function nameEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isSpace(text.charCodeAt(at)) && text[at] !== '}' && text[at] !== '{') at++;
  return at;
}

function readName(text: string, from: number, to: number, offset: number): Name {
  const start = Math.min(skipSpace(text, from), to);
  let end = trimEnd(text, start, to);
  // Only in an unclosed {{{name}} does the content include braces.
  while (end > start && text[end - 1] === '}') end--;
  const name = text.slice(start, end);
  const legal = name === '.' || legalName.test(name);
  return {
    text: name,
    path: legal && name !== '.' ? name.split('.') : [],
    legal,
    start: start + offset,
    end: end + offset,
  };
}

/** Words that other template languages put into such tags. */
const borrowed = /^(?:if|unless|each|with|else|elif|for|end|this)\b/;

function checkName(name: Name, start: number, end: number, problems: Problem[]): void {
  if (name.legal) return;
  if (name.text === '') {
    problems.push(problem('template.empty-name', 'This tag has no name.', start, end));
    return;
  }
  const hint = borrowed.test(name.text)
    ? 'There are no helpers: {{#name}}…{{/name}} is both condition and loop, {{^name}}…{{/name}} the other case.'
    : 'Names consist of letters, digits, _ and -, joined by full stops.';
  const message = `"${shorten(name.text)}" is not a name. ${hint}`;
  problems.push(problem('template.bad-name', message, name.start, name.end));
}

function problem(code: string, message: string, start: number, end: number): Problem {
  return { code, severity: 'error', message, start, end };
}

function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}

/**
 * The whole line, its line break included, when nothing but blanks stands beside the tag on the line(s) it
 * covers: such a line leaves no trace in the output.
 */
function standaloneLine(text: string, start: number, end: number): { start: number; end: number } | null {
  let from = start;
  while (from > 0 && isBlank(text.charCodeAt(from - 1))) from--;
  if (from > 0 && !isLineEnd(text, from - 1)) return null;
  let to = end;
  while (to < text.length && isBlank(text.charCodeAt(to))) to++;
  if (to === text.length) return { start: from, end: to };
  if (!isLineEnd(text, to)) return null;
  return { start: from, end: text.startsWith('\r\n', to) ? to + 2 : to + 1 };
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x0a || code === 0x0d;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

function trimEnd(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}
