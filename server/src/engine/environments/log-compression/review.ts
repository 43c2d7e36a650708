/**
 * What a candidate kept, lost and invented, line by line: for a person, and for the cause of a failure. The score knows
 * only whether a content stands there as it is; here is looked for what became of those that do not.
 */
import { contentOf, distinctContents, prefixOf } from './fidelity.ts';
import { firstWord } from './reference.ts';
import type { State } from './state.ts';

/**
 * How a critical content got lost, by what is left of it: it stands in a line with something around it; only its beginning
 * does; most of its words do; a line that begins alike stands for it; nothing does.
 */
export const LOSSES = ['decorated', 'cut', 'reworded', 'merged', 'dropped'] as const;

export type Loss = (typeof LOSSES)[number];

/** A distinct critical content. */
export interface ReviewedContent {
  readonly content: string;
  /** The line of the log that has it first, from 1, and how many do. */
  readonly line: number;
  readonly times: number;
  /** Null when it is kept. */
  readonly loss: Loss | null;
  /** What is left of it: position in {@link Review.lines}; null for nothing. */
  readonly at: number | null;
}

/**
 * `critical`: has a critical content, for the first time. `repeat`: has one that a line above has. `other`: is a line of the
 * log that is not critical. `damaged`: is what is left of a critical content. `invented`: is none of the log's lines.
 */
type LineKind = 'critical' | 'repeat' | 'other' | 'damaged' | 'invented' | 'blank';

export interface ReviewedLine {
  /** UTF-16 code units of the candidate, without the line feed. */
  readonly start: number;
  readonly end: number;
  readonly kind: LineKind;
  /** Code units of the prefix that the line kept. */
  readonly prefix: number;
  readonly content: string;
}

export interface Review {
  readonly contents: readonly ReviewedContent[];
  readonly lines: readonly ReviewedLine[];
}

const reviews = new WeakMap<State, Review>();

/** Null before there is a candidate. */
export function reviewOf(state: State): Review | null {
  if (state.candidate === null) return null;
  const known = reviews.get(state);
  if (known !== undefined) return known;
  const review = makeReview(state, state.candidate);
  reviews.set(state, review);
  return review;
}

/** A reply can be of any size: remnants are looked for in so many lines of at most so many code units. */
const mostSearched = 1000;
const longestSearched = 2000;

function makeReview({ instance }: State, candidate: string): Review {
  const prefix = prefixOf(instance);
  const critical = new Set(distinctContents(instance));
  const known = new Set(instance.raw.split('\n').map((line) => contentOf(line, prefix)));
  const seen = new Set<string>();
  const lines: ReviewedLine[] = [];
  let start = 0;
  for (const text of candidate.split('\n')) {
    const content = contentOf(text, prefix);
    const kind = kindOf(content, critical, known, seen);
    seen.add(content);
    lines.push({ start, end: start + text.length, kind, prefix: prefix(text), content });
    start += text.length + 1;
  }
  return findRemnants(instance, prefix, lines, critical, seen);
}

function kindOf(
  content: string,
  critical: ReadonlySet<string>,
  known: ReadonlySet<string>,
  seen: ReadonlySet<string>,
): LineKind {
  if (content === '') return 'blank';
  if (critical.has(content)) return seen.has(content) ? 'repeat' : 'critical';
  return known.has(content) ? 'other' : 'invented';
}

function findRemnants(
  { critical: criticalLines }: State['instance'],
  prefix: ReturnType<typeof prefixOf>,
  lines: ReviewedLine[],
  critical: ReadonlySet<string>,
  seen: ReadonlySet<string>,
): Review {
  const places = new Map<string, { line: number; times: number }>();
  for (const { line, text } of criticalLines) {
    const content = contentOf(text, prefix);
    const place = places.get(content);
    if (place === undefined) places.set(content, { line, times: 1 });
    else place.times++;
  }
  const searched = lines.flatMap(({ kind, content }, at) =>
    kind === 'invented' && at < mostSearched && content.length <= longestSearched
      ? [new Searched(at, content)]
      : [],
  );
  const kept = [...critical].filter((content) => seen.has(content));
  const openings = new Set(kept.map(firstWord));
  const contents = [...critical].map((content): ReviewedContent => {
    const { line, times } = places.get(content) ?? { line: 0, times: 0 };
    if (seen.has(content)) return { content, line, times, loss: null, at: null };
    const remnant = findRemnant(content, searched);
    if (remnant !== null) return { content, line, times, ...remnant };
    const isMerged =
      openings.has(firstWord(content)) || searched.some((it) => beginsAlike(it.content, content));
    return { content, line, times, loss: isMerged ? 'merged' : 'dropped', at: null };
  });
  for (const { at } of contents) {
    const line = at === null ? undefined : lines[at];
    if (at !== null && line !== undefined) lines[at] = { ...line, kind: 'damaged' };
  }
  return { contents, lines };
}

/** A line that may be what is left of a critical one. Its words are made out when they are first asked for. */
class Searched {
  readonly at: number;
  readonly content: string;
  #words: ReadonlySet<string> | undefined;

  constructor(at: number, content: string) {
    this.at = at;
    this.content = content;
  }

  get words(): ReadonlySet<string> {
    this.#words ??= wordsOf(this.content);
    return this.#words;
  }
}

/** The line that has most of a content which no line has as it is. */
function findRemnant(
  content: string,
  lines: readonly Searched[],
): { readonly loss: Loss; readonly at: number } | null {
  const around = content === '' ? undefined : lines.find((line) => line.content.includes(content));
  if (around !== undefined) return { loss: 'decorated', at: around.at };
  const beginning = lines.find((line) => isBeginning(line.content.replace(/(?:\.\.\.|…)$/, ''), content));
  if (beginning !== undefined) return { loss: 'cut', at: beginning.at };
  const words = wordsOf(content);
  let best: { readonly loss: Loss; readonly at: number } | null = null;
  let most = enoughWords;
  for (const line of lines) {
    const share = [...words].filter((word) => line.words.has(word)).length / Math.max(1, words.size);
    if (share < most || (best !== null && share === most)) continue;
    most = share;
    best = { loss: 'reworded', at: line.at };
  }
  return best;
}

/** Share of a content's words from which on a line counts as the same in other words. */
const enoughWords = 0.6;

/** A third of a content, and some characters of it, are enough to know it by. */
function isBeginning(text: string, content: string): boolean {
  return text.length >= 8 && text.length * 3 >= content.length && content.startsWith(text);
}

/** Whether a line says that there is more of the kind. */
function beginsAlike(line: string, content: string): boolean {
  return firstWord(line) === firstWord(content) && /\d/.test(line);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
}
