/** How a reply is scored, as the published evaluation does it: by what the reply contains. */
import { isPythonSpace, strip } from '../../text/python.ts';
import type { Instance } from './instance.ts';

/** The published figures of one reply: 1, 0, or −1 where nothing can be said; null where one is not taken at all. */
export interface Grade {
  readonly correct: number;
  /** Null with reasoning, where nobody expects the bare answer. */
  readonly strict_answer: number | null;
  readonly first_hop_mentioned: number;
  readonly valid_cot: number;
  /** A count. */
  readonly answer_spam: number;
  readonly answered: number;
}

export const FIGURES = [
  'correct',
  'strict_answer',
  'first_hop_mentioned',
  'valid_cot',
  'answer_spam',
  'answered',
] as const satisfies readonly (keyof Grade)[];

/** A published figure; null where it is −1 or not taken, which says that it does not apply. */
export function applicable(figure: number | null): number | null {
  return figure === -1 ? null : figure;
}

/** What scoring needs to know of an instance. */
export type Graded = Pick<Instance, 'split' | 'answer' | 'answers' | 'bridge'>;

/** Scores `reply`. */
export function grade({ split, answer, answers, bridge }: Graded, reply: string): Grade {
  const text = reply.toLowerCase();
  const gold = answer.toLowerCase();
  const answerAt = text.indexOf(gold);
  const bridgeAt = bridge === null ? -1 : text.indexOf(bridge.toLowerCase());
  return {
    correct: Number(answerAt >= 0),
    strict_answer: split === 'cot' ? null : Number(plain(reply) === gold),
    first_hop_mentioned: bridge === null ? -1 : Number(bridgeAt >= 0),
    valid_cot: bridge === null ? -1 : Number(answerAt >= 0 && bridgeAt >= 0 && bridgeAt < answerAt),
    answer_spam: otherAnswers({ answer, answers }, reply).length,
    answered: Number(strip(reply) !== ''),
  };
}

/**
 * The other answers of the relation that a text names as words of their own, whatever their case. Literal: an answer
 * that is a word of the right one counts as well.
 */
export function otherAnswers(
  { answer, answers }: Pick<Graded, 'answer' | 'answers'>,
  reply: string,
): readonly string[] {
  const text = reply.toLowerCase();
  return answers.filter((other) => other !== answer && standsAlone(text, other.toLowerCase()));
}

/** Whether `name` is somewhere in `text` with no letter, digit or underscore on either side. */
export function standsAlone(text: string, name: string): boolean {
  return placeOfName(text, name) >= 0;
}

/** Where `name` first stands alone in `text`, in UTF-16 code units; −1 when nowhere. */
export function placeOfName(text: string, name: string): number {
  if (name === '') return -1;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!wordEndsAt(text, at) && !wordBeginsAt(text, at + name.length)) return at;
  }
  return -1;
}

/** Python's `\w`, which knows letters and digits of all scripts but no combining marks. */
const wordBefore = /[\p{L}\p{N}_]$/u;
const wordAfter = /^[\p{L}\p{N}_]/u;

// A character takes at most two code units. Nearly all are ASCII, and a reply may hold a name a million times.

function wordEndsAt(text: string, at: number): boolean {
  if (at === 0) return false;
  const code = text.charCodeAt(at - 1);
  return code < 0x80 ? isAsciiWord(code) : wordBefore.test(text.slice(Math.max(0, at - 2), at));
}

function wordBeginsAt(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const code = text.charCodeAt(at);
  return code < 0x80 ? isAsciiWord(code) : wordAfter.test(text.slice(at, at + 2));
}

function isAsciiWord(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f
  );
}

/** Lower-case, with every run of white space, full stops, commas and exclamation marks as one blank, none at the ends. */
function plain(text: string): string {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !separates(text.charCodeAt(at))) continue;
    if (at > start) parts.push(text.slice(start, at));
    start = at + 1;
  }
  return parts.join(' ').toLowerCase();
}

function separates(code: number): boolean {
  return code === 0x2e || code === 0x2c || code === 0x21 || isPythonSpace(code);
}
