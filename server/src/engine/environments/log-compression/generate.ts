/**
 * The generator. A record depends on the generator version, the split, its case, its number within the case and whether
 * the reference is lossy, and on nothing else: choosing fewer cases leaves those that remain as they are.
 */
import { accept, type Checked, refuse } from '../../problem.ts';
import { openStream, type Stream } from '../../random/stream.ts';
import type { Generated, Listing } from '../environment.ts';
import { FAMILIES, type Family } from './families.ts';
import type { Format, LineMaker } from './formats/format.ts';
import { SAME_WORDS } from './formats/same-word.ts';
import { CASES, type Case, type CriticalLine, type Instance } from './instance.ts';
import type { Options } from './options.ts';
import { PREFIXES } from './prefix.ts';
import { compressedTokens, firstWord, type Remaining } from './reference.ts';
import { estimateTokens, idealRatio } from './scoring.ts';
import { CASE_SIZE, splits } from './splits.ts';

/** Raised whenever the same split and index would give other bytes. */
export const GENERATOR_VERSION = 1;

/** Indices run from 0 to this. */
export const MAX_INDEX = 999_999_999;

/** Where a record stands: its case, and its number within the case from 0. */
interface Place {
  readonly split: string;
  readonly case: Case;
  readonly number: number;
}

/** The record at `index` of `split`: forty of each case, case after case, then again from the first case on. */
export function generate(split: string, index: number, options: Options): Checked<Generated<Instance>> {
  const place = placeOf(split, index, options);
  if (!place.ok) return place;
  return accept({ instance: makeRecord(place.value, options), attempts: 1, reasons: {} });
}

/** Id and case of the record at `index` of `split`, without making it. Errors as of {@link generate}. */
export function listing(split: string, index: number, options: Options): Checked<Listing> {
  const place = placeOf(split, index, options);
  if (!place.ok) return place;
  return accept({ id: recordId(place.value, options), groups: { case: place.value.case } });
}

/** Where the record at `index` of the chosen cases stands. */
function placeOf(splitId: string, index: number, { cases = CASES }: Options): Checked<Place> {
  const split = splits.find(({ id }) => id === splitId);
  if (split === undefined) {
    const known = splits.map(({ id }) => id).join(', ');
    return refuse(`there is no split "${splitId}"; log-compression has ${known}`);
  }
  if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) {
    return refuse(`index ${index} is out of range; give a whole number from 0 to ${MAX_INDEX}`);
  }
  const block = Math.floor(index / CASE_SIZE);
  const number = Math.floor(block / cases.length) * CASE_SIZE + (index % CASE_SIZE);
  return accept({ split: split.id, case: cases[block % cases.length] ?? 'timestamp', number });
}

/** E.g. `hs1-logs-train-req_id-17`. */
function recordId({ split, case: name, number }: Place, { lossy_reference: lossy = false }: Options): string {
  return `hs${GENERATOR_VERSION}-logs-${split}-${name}-${number}${lossy ? '-lossy' : ''}`;
}

function makeRecord(place: Place, options: Options): Instance {
  const { split, case: name, number } = place;
  const family = FAMILIES[name];
  const stream = openStream('hopscope', 'instances', 'logs', GENERATOR_VERSION, split, name, number);
  const isBare = family.bareEvery !== undefined && number % family.bareEvery === family.bareEvery - 1;
  const runs = drawRuns(stream, family, isBare);
  const prefix = family.prefixes(stream);
  // All of the log first, then its lines as parts of it: they are flat and need no memory of their own.
  const texts: string[] = [];
  const starts = [0];
  let length = 0;
  for (const { content, times } of runs) {
    for (let time = 0; time < times; time++) {
      const text = prefix() + content;
      texts.push(text);
      length += text.length + '\n'.length;
      starts.push(length);
    }
  }
  const raw = texts.join('\n');
  const lineAt = (at: number) => raw.slice(starts[at], (starts[at + 1] ?? 0) - 1);
  const critical: CriticalLine[] = [];
  const remaining: Remaining[] = [];
  const contents = new Set<string>();
  let line = 0;
  for (const { content, kind, times } of runs) {
    if (kind !== 'noise') {
      remaining.push({ text: lineAt(line), content, isSignal: kind !== 'neutral', times });
    }
    if (kind === 'error') {
      contents.add(content);
      for (let at = line; at < line + times; at++) critical.push({ line: at + 1, text: lineAt(at) });
    }
    line += times;
  }
  const rawTokens = estimateTokens(raw);
  const lossy = options.lossy_reference ?? false;
  return {
    id: recordId(place, options),
    split,
    case: name,
    raw,
    critical,
    prefix_regex: PREFIXES[name],
    reference_ratio: compressedTokens(remaining, { lossy }) / rawTokens,
    ideal_ratio: idealRatio([...contents], rawTokens),
  };
}

/** A line that is printed several times in a row, as when something is tried again and again. */
interface Run {
  /** White space collapsed but in noise. */
  readonly content: string;
  readonly kind: 'error' | 'noise' | 'neutral' | 'decoy';
  readonly times: number;
}

/** All lines of a log in their order, without prefixes. */
function drawRuns(stream: Stream, family: Family, isBare: boolean): Run[] {
  const { formats, errors } = drawFormats(stream, family);
  const runs: Run[] = [];
  for (const content of drawErrors(stream, family, errors)) {
    for (let left = isBare ? 1 : stream.between(...family.repeats); left > 0; ) {
      const times = Math.min(left, stream.between(1, 4));
      runs.push({ content, kind: 'error', times });
      left -= times;
    }
  }
  for (let left = stream.between(...family.noise); left > 0; left--) {
    const content = stream.pick(stream.pick(formats).noise)(stream);
    runs.push({ content, kind: 'noise', times: 1 });
  }
  // One after the other, so that the reference finds few to group.
  const quiet: QuietLine[] = [];
  for (const format of formats) quiet.push(...quietLines(format));
  stream.shuffle(quiet);
  for (let left = isBare ? 0 : stream.between(...family.neutral); left > 0; left--) {
    const line = quiet[left % quiet.length];
    if (line !== undefined) runs.push({ content: line.make(stream), kind: line.kind, times: 1 });
  }
  return stream.shuffle(runs);
}

interface QuietLine {
  readonly kind: 'neutral' | 'decoy';
  readonly make: LineMaker;
}

const quietOf = new Map<Format, readonly QuietLine[]>();

/** The lines of a format in which nothing is wrong and which no filter takes out. There are a dozen formats. */
function quietLines(format: Format): readonly QuietLine[] {
  const known = quietOf.get(format);
  if (known !== undefined) return known;
  const quiet = [
    ...format.neutral.map((make) => ({ kind: 'neutral', make }) as const),
    ...format.decoys.map((make) => ({ kind: 'decoy', make }) as const),
  ];
  quietOf.set(format, quiet);
  return quiet;
}

function drawFormats(
  stream: Stream,
  family: Family,
): { readonly formats: readonly Format[]; readonly errors: readonly LineMaker[] } {
  if (family.sameWord) {
    const { format, errors } = stream.pick(SAME_WORDS);
    return { formats: [format], errors };
  }
  const formats = family.formats.map((list) => stream.pick(list));
  const errors: LineMaker[] = [];
  for (const format of formats) errors.push(...format.errors);
  return { formats, errors };
}

/** How often two errors of one log begin with the same word though they need not. */
const alike = 0.22;

/** Different contents. Unless the family asks for it, only in some logs two of them begin with the same word. */
function drawErrors(stream: Stream, family: Family, makers: readonly LineMaker[]): string[] {
  const count = stream.between(...family.errors);
  const opening = stream.pick(makers);
  const contents = [opening(stream)];
  const words = contents.map(firstWord);
  while (contents.length < count) {
    const content = stream.pick(makers)(stream);
    const word = firstWord(content);
    if (contents.includes(content) || (!family.sameWord && words.includes(word))) continue;
    contents.push(content);
    words.push(word);
  }
  if (!family.sameWord && stream.chance(alike)) contents[count - 1] = twin(stream, contents, opening);
  return contents;
}

/** Another content that begins like the first one, by the maker of that. */
function twin(stream: Stream, contents: readonly string[], maker: LineMaker): string {
  const word = firstWord(contents[0] ?? '');
  for (;;) {
    const other = maker(stream);
    const content = word + other.slice(firstWord(other).length);
    if (!contents.includes(content)) return content;
  }
}
