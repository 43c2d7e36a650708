/**
 * The reference compressor: what a careful script makes of a log, and the zero of the score. Five stages, each a pure
 * function from entries to entries:
 *
 * 1. strip: colour codes, what a carriage return has overwritten, blanks at line ends, empty lines;
 * 2. filter: lines of noise, unless they hold a signal;
 * 3. dedup: the first of equal lines stays as it was printed, and how many there were is remembered;
 * 4. group: other than signal lines that begin with the same word become the first of them from three on;
 * 5. truncate: at most forty lines, none above 160 characters. Signal lines are exempt from both.
 */
import { collapse } from './fidelity.ts';
import { NOISE, PREFIX, SIGNAL } from './patterns.ts';
import { tokensOfLength } from './scoring.ts';

/** A line that the filter has let through. */
export interface Remaining {
  readonly text: string;
  /** Without prefix, white space collapsed: what is the same for equal lines. */
  readonly content: string;
  readonly isSignal: boolean;
  /** How often it is printed in a row. */
  readonly times: number;
}

/** The first of equal lines. */
interface Entry extends Remaining {
  /** How often the line is printed in all. */
  count: number;
  /** Lines that it stands for beside its own. */
  more: number;
}

export interface ReferenceOptions {
  /** Groups signal lines too, and so loses errors that begin alike: what careless compressors do. */
  readonly lossy: boolean;
}

const mostLines = 40;
const longestLine = 160;
const groupFrom = 3;

/** The reference compressor's output for `raw`; lines end in `\n`, the last one in nothing. */
export function compress(raw: string, options?: ReferenceOptions): string {
  return afterFilter(filter(strip(raw)), options)
    .map(print)
    .join('\n');
}

/**
 * The tokens of that output, given what the filter lets through. The generator knows which of its lines are noise and which
 * contents it wrote, so it comes in here, and nothing is written down to be counted; tests hold that to be the same.
 *
 * @param lines of the basic plane only.
 */
export function compressedTokens(lines: readonly Remaining[], options?: ReferenceOptions): number {
  let length = -1;
  for (const { text, count, more } of afterFilter(lines, options)) {
    length += text.length + '\n'.length;
    if (count > 1) length += times(count).length;
    if (more > 0) length += others(more).length;
  }
  return tokensOfLength(Math.max(0, length));
}

function afterFilter(
  lines: readonly Remaining[],
  { lossy }: ReferenceOptions = { lossy: false },
): readonly Entry[] {
  return truncate(group(dedup(lines), lossy));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: such codes begin with one.
const colours = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

/** Stages work on lines until there is something to remember about them. */
function strip(raw: string): string[] {
  const lines = (raw.includes('\u001b') ? raw.replace(colours, '') : raw).split('\n');
  return (raw.includes('\r') ? lines.map(lastPrinted) : lines).map((line) => line.trimEnd()).filter(Boolean);
}

/** What is to be seen of a line on a screen: a carriage return goes back to its start. */
function lastPrinted(line: string): string {
  const text = line.replace(/\r+$/, '');
  return text.slice(text.lastIndexOf('\r') + 1);
}

function filter(lines: readonly string[]): Remaining[] {
  const remaining: Remaining[] = [];
  for (const text of lines) {
    const isSignal = SIGNAL.test(text);
    if (!isSignal && NOISE.test(text)) continue;
    remaining.push({ text, content: collapse(text.replace(PREFIX, '')), isSignal, times: 1 });
  }
  return remaining;
}

function dedup(lines: readonly Remaining[]): Entry[] {
  const first = new Map<string, Entry>();
  for (const { text, content, isSignal, times } of lines) {
    const known = first.get(content);
    if (known === undefined) first.set(content, { text, content, isSignal, times, count: times, more: 0 });
    else known.count += times;
  }
  return [...first.values()];
}

function group(entries: readonly Entry[], lossy: boolean): Entry[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.isSignal && !lossy) continue;
    const word = firstWord(entry.content);
    const members = groups.get(word);
    if (members === undefined) groups.set(word, [entry]);
    else members.push(entry);
  }
  const gone = new Set<Entry>();
  for (const [first, ...others] of groups.values()) {
    const isLossy = lossy && first?.isSignal;
    if (first === undefined || others.length + 1 < (isLossy ? 2 : groupFrom)) continue;
    first.more = others.length;
    for (const other of others) gone.add(other);
  }
  return entries.filter((entry) => !gone.has(entry));
}

/** The first word of a content; all of it when it has no other. */
export function firstWord(content: string): string {
  const end = content.indexOf(' ');
  return end < 0 ? content : content.slice(0, end);
}

function truncate(entries: readonly Entry[]): Entry[] {
  let room = mostLines - entries.filter(({ isSignal }) => isSignal).length;
  return entries.filter(({ isSignal }) => isSignal || room-- > 0).map(shorten);
}

function shorten(entry: Entry): Entry {
  if (entry.isSignal || entry.text.length <= longestLine) return entry;
  const points = [...entry.text];
  return points.length <= longestLine
    ? entry
    : { ...entry, text: `${points.slice(0, longestLine).join('')}…` };
}

/** Counts stand on lines of their own, so that they cost the content of no line. */
function print({ text, count, more }: Entry): string {
  return `${text}${count > 1 ? times(count) : ''}${more > 0 ? others(more) : ''}`;
}

const times = (count: number) => `\n  (x${count})`;
const others = (more: number) => `\n  (+${more} more)`;
