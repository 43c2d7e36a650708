/**
 * How much a chunk looks like the question: the surface cue that a reader without a plan would follow.
 *
 * A word is a run of ASCII letters and hyphens that starts with a letter and is at least two long, in lower
 * case; it ends only where the run ends, so `Novak-Oakes` is one word and holds neither of its halves.
 */
import { codeUnit } from '../../text/code-unit.ts';
import type { Chunk } from './instance.ts';

/**
 * Words that say nothing about what is asked. The published list is not public beyond its length of 27; this one
 * is ours and gives the published overlap of every question the generators ask, which use only four of them.
 */
const stopWords: ReadonlySet<string> = new Set(
  (
    'an and are as at be by does for from how in is it of on or ' +
    'that the this to was were what when which who'
  ).split(' '),
);

const word = /[A-Za-z][A-Za-z-]+/g;

const hyphen = 45;

/** By UTF-16 code unit: 1 to 26 for ASCII letters of either case, 32 for the hyphen, 0 for what ends a word. */
const classes = new Uint8Array(65536);
for (let letter = 1; letter <= 26; letter++) {
  classes[letter + 64] = letter;
  classes[letter + 96] = letter;
}
classes[hyphen] = 32;

/** The distinct content words of a question in order of appearance: its words less the stop words. */
export function contentWords(question: string): readonly string[] {
  const words = new Set<string>();
  for (const [found] of question.matchAll(word)) {
    const lower = found.toLowerCase();
    if (!stopWords.has(lower)) words.add(lower);
  }
  return [...words];
}

/**
 * The share, 0 to 1, of `words` (see {@link contentWords}) that occur as words of `text`; 0 if there are none.
 *
 * One pass over the text without building its words: the validator asks this about a whole document.
 */
export function overlap(words: readonly string[], text: string): number {
  if (words.length === 0) return 0;
  let missing = words;
  let initials = initialsOf(missing);
  let at = 0;
  while (at < text.length) {
    const first = classes[codeUnit(text, at)] ?? 0;
    if (first === 0 || first === 32) {
      at++;
      continue;
    }
    const start = at;
    do at++;
    while (at < text.length && classes[codeUnit(text, at)] !== 0);
    if ((initials & (1 << first)) === 0) continue;
    const rest = without(missing, text, start, at);
    if (rest === missing) continue;
    missing = rest;
    if (missing.length === 0) return 1;
    initials = initialsOf(missing);
  }
  return (words.length - missing.length) / words.length;
}

/**
 * Whether the chunk at `index` alone has the highest overlap of all `chunks`; false if there is no such chunk.
 *
 * Those near it are compared first: they share its section and so most of its words, and the first that
 * does as well settles the matter, so that a document is almost never read to its end.
 */
export function leadsAlone(words: readonly string[], chunks: readonly Chunk[], index: number): boolean {
  const chunk = chunks[index];
  if (chunk === undefined) return false;
  const lead = overlap(words, chunk.text);
  for (let distance = 1; distance < chunks.length; distance++) {
    for (const other of [chunks[index - distance], chunks[index + distance]]) {
      if (other !== undefined && overlap(words, other.text) >= lead) return false;
    }
  }
  return true;
}

/** `words` less the one that `text` spells from `start` to `end`; the same array if it spells none of them. */
function without(words: readonly string[], text: string, start: number, end: number): readonly string[] {
  const found = words.findIndex((each) => spells(text, start, end, each));
  return found < 0 ? words : words.toSpliced(found, 1);
}

/** The first letters of `words` as a bit set, so that most words of a text are passed over unread. */
function initialsOf(words: readonly string[]): number {
  let bits = 0;
  for (const each of words) bits |= 1 << (codeUnit(each, 0) & 31);
  return bits;
}

/** Whether `text` from `start` to `end` is `lower` in any case. Bit 32 lowers letters and keeps the hyphen. */
function spells(text: string, start: number, end: number, lower: string): boolean {
  if (end - start !== lower.length) return false;
  for (let i = 0; i < lower.length; i++) {
    if ((codeUnit(text, start + i) | 32) !== codeUnit(lower, i)) return false;
  }
  return true;
}
