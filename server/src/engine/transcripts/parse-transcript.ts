/** Reads transcripts: always a transcript and the places of its parts, and a list of what is wrong. */
import type { Problem } from '../problem.ts';
import { checkFields, type Values } from '../prompts/fields.ts';
import { type FrontMatter, readFrontMatter } from '../prompts/front-matter.ts';
import { contentStart, type Line, linesOf } from '../prompts/lines.ts';
import { toSampling } from '../prompts/sampling.ts';
import { isReservedLine, parseMarker } from './marker.ts';
import { type ReadEvents, readEvents } from './read-events.ts';
import {
  type RecordedOutcome,
  type Transcript,
  type TranscriptLayout,
  transcriptFields,
} from './transcript.ts';

export interface ParsedTranscript {
  readonly transcript: Transcript;
  readonly layout: TranscriptLayout;
  readonly problems: readonly Problem[];
}

/** A version of a text that has been parsed. */
export interface PreviousTranscript {
  readonly text: string;
  readonly parsed: ParsedTranscript;
}

/**
 * Reads a transcript. Never throws; what cannot be understood is reported, in the order of the file, and the
 * rest is read as well as possible. Codes: those of the front matter (`front-matter.…`), and
 *
 * - `transcript.text-before-step`: text that belongs to no step
 * - `transcript.unknown-marker`: a line that looks like a marker but is none; it counts as text
 * - `transcript.bad-marker`: something on a marker line that cannot be read
 * - `transcript.step-number`: not the number that is due (`data.expected`)
 * - `transcript.misplaced`: reasoning or a call without a step, or reasoning for the second time
 * - `transcript.bad-escape`: a line of an escaped text that is no JSON string
 * - `transcript.bad-verdict`: a verdict that is no JSON
 *
 * @param previous an earlier version of the same text, whose events in front of the first change are taken over
 */
export function parseTranscript(text: string, previous?: PreviousTranscript): ParsedTranscript {
  const problems: Problem[] = [];
  const lines = linesOf(text, contentStart(text));
  const endsFrontMatter = (line: string) => isReservedLine(line) && parseMarker(line) !== null;
  const { frontMatter, lineCount } = readFrontMatter(text, lines, endsFrontMatter, problems);
  const values = frontMatter === null ? {} : checkFields(frontMatter, transcriptFields, problems);
  const kept = previous && keptOf(text, frontMatter, previous);
  const from = kept ? firstLineFrom(lines, kept.end) : lineCount;
  for (const problem of kept?.problems ?? []) problems.push(problem);
  const { events, blocks } = readEvents(text, lines.slice(from), problems, kept?.read);
  problems.sort((a, b) => a.start - b.start);
  return { transcript: { ...readHeader(values), events }, layout: { frontMatter, blocks }, problems };
}

interface Kept {
  readonly read: ReadEvents;
  /** What was said about them. */
  readonly problems: readonly Problem[];
  /** Where the first event begins that is to be read anew. */
  readonly end: number;
}

/** The events in front of the change: all but the last one whose marker line, with its line break, is still what it was. */
function keptOf(
  text: string,
  frontMatter: FrontMatter | null,
  { text: before, parsed }: PreviousTranscript,
): Kept | undefined {
  const { layout, transcript, problems } = parsed;
  // A line that closes front matter may come late, and then events were none.
  if (frontMatter === null || frontMatter.end !== layout.frontMatter?.end) return undefined;
  const same = commonStart(before, text);
  const count = layout.blocks.findLastIndex(({ text: part }) => part.marker.end < same);
  const end = layout.blocks[count]?.start;
  if (end === undefined || count === 0) return undefined;
  return {
    read: { events: transcript.events.slice(0, count), blocks: layout.blocks.slice(0, count) },
    problems: problems.filter(({ code, start }) => code.startsWith('transcript.') && start < end),
    end,
  };
}

/** How many code units both begin with. */
function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

/** The first of `lines` that begins at `offset` or behind it. */
function firstLineFrom(lines: readonly Line[], offset: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.start ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function readHeader(values: Values): Omit<Transcript, 'events'> {
  const text = (key: string) => asText(values[key]);
  const index = values['index'];
  return {
    environment: text('environment') ?? '',
    instance: text('instance') ?? '',
    instanceHash: text('instance_hash'),
    split: text('split'),
    index: typeof index === 'number' ? index : null,
    instances: text('instances'),
    options: asRecord(values['options']) ?? {},
    prompt: text('prompt'),
    promptHash: text('prompt_hash'),
    model: text('model'),
    policy: text('policy'),
    sampling: toSampling(asRecord(values['sampling']) ?? {}),
    outcome: readOutcome(asRecord(values['outcome'])),
  };
}

function readOutcome(values: Values | null): RecordedOutcome | null {
  if (values === null) return null;
  const { reward, correct, stop, steps } = values;
  const metrics = asRecord(values['metrics']);
  return {
    ...(typeof reward === 'number' ? { reward } : {}),
    ...(typeof correct === 'boolean' ? { correct } : {}),
    ...(typeof stop === 'string' ? { stop } : {}),
    ...(typeof steps === 'number' ? { steps } : {}),
    ...(metrics === null ? {} : { metrics: Object.fromEntries(Object.entries(metrics).filter(isMetric)) }),
  };
}

function isMetric(entry: [string, unknown]): entry is [string, number | null] {
  return typeof entry[1] === 'number' || entry[1] === null;
}

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null ? { ...value } : null;
}
