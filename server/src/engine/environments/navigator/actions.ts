/**
 * The navigator's action grammar: what a reply asks for.
 *
 *     READ id      COMPRESS id[, id...] :: summary      DROP id[, id...]      ANSWER text
 *
 * The action stands on the last line that begins with `ACTION:` and runs to the end of the reply; with no such line,
 * the last line that is not blank is taken. Every leniency of the published parser is kept, and no other.
 */
import { codeUnit } from '../../text/code-unit.ts';
import { firstId, readIds } from './action-ids.ts';
import { joinLines, locateAction, skipSpaces } from './action-lines.ts';

export type Verb = 'READ' | 'COMPRESS' | 'DROP' | 'ANSWER';

export type ParseCode =
  | 'empty-reply'
  | 'unknown-verb'
  | 'no-ids'
  | 'missing-separator'
  | 'empty-summary'
  | 'empty-answer'
  | 'read-needs-chunk';

export interface ParsedAction {
  readonly kind: Verb;
  /** Chunk ids as decimal numbers, summary ids as `S1`; one for READ, at least one for COMPRESS and DROP, else none. */
  readonly ids: readonly string[];
  /** The summary or the answer, never empty; null for READ and DROP. */
  readonly text: string | null;
}

interface ActionError {
  readonly kind: 'error';
  readonly code: ParseCode;
}

export type Action = ParsedAction | ActionError;

const none: readonly string[] = [];

/** One object per error, so that a reply without an action allocates nothing. */
const errors: Readonly<Record<ParseCode, ActionError>> = {
  'empty-reply': { kind: 'error', code: 'empty-reply' },
  'unknown-verb': { kind: 'error', code: 'unknown-verb' },
  'no-ids': { kind: 'error', code: 'no-ids' },
  'missing-separator': { kind: 'error', code: 'missing-separator' },
  'empty-summary': { kind: 'error', code: 'empty-summary' },
  'empty-answer': { kind: 'error', code: 'empty-answer' },
  'read-needs-chunk': { kind: 'error', code: 'read-needs-chunk' },
};

/** The action that a reply asks for, or why there is none. Never throws; linear in the reply's length. */
export function parseAction(reply: string): Action {
  const place = locateAction(reply, 0, reply.length);
  if (place === null) return errors['empty-reply'];
  if (!place.broken) return parseActionLine(reply, place.start, place.end);
  const line = joinLines(reply, place.start, place.end);
  return parseActionLine(line, 0, line.length);
}

/** Parses an action that stands in `start`–`end` of `text`, without tag, line breaks and outer white space. */
export function parseActionLine(text: string, start: number, end: number): Action {
  const verb = verbAt(text, start, end);
  if (verb === null) return errors['unknown-verb'];
  const rest = start + verb.length;
  switch (verb) {
    case 'READ': {
      const id = firstId(text, rest, end);
      if (id === null) return errors['no-ids'];
      if (id.startsWith('S')) return errors['read-needs-chunk'];
      return { kind: verb, ids: [id], text: null };
    }
    case 'DROP': {
      const ids = readIds(text, rest, end);
      return ids.length === 0 ? errors['no-ids'] : { kind: verb, ids, text: null };
    }
    case 'COMPRESS': {
      const separator = separatorAt(text, rest, end);
      if (separator < 0) return errors['missing-separator'];
      const from = skipSpaces(text, separator + 2, end);
      if (from === end) return errors['empty-summary'];
      const ids = readIds(text, rest, separator);
      return ids.length === 0 ? errors['no-ids'] : { kind: verb, ids, text: text.slice(from, end) };
    }
    case 'ANSWER': {
      const from = skipSpaces(text, rest, end);
      return from === end ? errors['empty-answer'] : { kind: verb, ids: none, text: text.slice(from, end) };
    }
  }
}

export const verbs: readonly Verb[] = ['READ', 'COMPRESS', 'DROP', 'ANSWER'];

/** The verb at `start`, in any case and followed by a word boundary, or null. It is as long there as its name. */
export function verbAt(text: string, start: number, end: number): Verb | null {
  for (const verb of verbs) {
    if (matchesVerb(text, start, verb)) {
      const stop = start + verb.length;
      return stop <= end && (stop === end || !isWordAt(text, stop)) ? verb : null;
    }
  }
  return null;
}

/** Compares ignoring case. Python's case folding lets the long s (U+017F) stand for S; no other letter has such a twin. */
function matchesVerb(text: string, at: number, verb: Verb): boolean {
  for (let i = 0; i < verb.length; i++) {
    const wanted = codeUnit(verb, i);
    const code = codeUnit(text, at + i);
    if (code !== wanted && code !== (wanted | 0x20) && !(code === 0x17f && wanted === 0x53)) return false;
  }
  return true;
}

const wordCharacter = /^[\p{L}\p{N}_]/u;

/** True when the character at `at` continues a word: categories L and N of any script, and `_`. */
function isWordAt(text: string, at: number): boolean {
  const code = codeUnit(text, at);
  if (code <= 0x40) return code >= 0x30 && code <= 0x39;
  return code === 0x5f || wordCharacter.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

/** Start of the first `::` between `start` and `end`, or −1. */
export function separatorAt(text: string, start: number, end: number): number {
  const at = text.indexOf('::', start);
  return at >= 0 && at + 2 <= end ? at : -1;
}

/** An action in one line of the grammar's own spelling, as the ledger quotes it. */
export function canonicalAction(action: ParsedAction): string {
  if (action.kind === 'ANSWER') return `ANSWER ${action.text ?? ''}`;
  const head = `${action.kind} ${action.ids.join(', ')}`;
  return action.text === null ? head : `${head} :: ${action.text}`;
}
