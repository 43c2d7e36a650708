/** Reads transcripts: always a transcript and the places of its parts, and a list of what is wrong. */
import type { Problem } from '../problem.ts';
import { checkFields, type Values } from '../prompts/fields.ts';
import { readFrontMatter } from '../prompts/front-matter.ts';
import { contentStart, linesOf } from '../prompts/lines.ts';
import { toSampling } from '../prompts/sampling.ts';
import { isReservedLine, parseMarker } from './marker.ts';
import { readEvents } from './read-events.ts';
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
 */
export function parseTranscript(text: string): ParsedTranscript {
  const problems: Problem[] = [];
  const lines = linesOf(text, contentStart(text));
  const endsFrontMatter = (line: string) => isReservedLine(line) && parseMarker(line) !== null;
  const { frontMatter, lineCount } = readFrontMatter(text, lines, endsFrontMatter, problems);
  const values = frontMatter === null ? {} : checkFields(frontMatter, transcriptFields, problems);
  const { events, blocks } = readEvents(text, lines.slice(lineCount), problems);
  problems.sort((a, b) => a.start - b.start);
  return { transcript: { ...readHeader(values), events }, layout: { frontMatter, blocks }, problems };
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
