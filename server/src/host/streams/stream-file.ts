/**
 * The file of a stream: its configuration in the first line, then one line for every episode as it ends, one for what a model
 * answered when a block was learned from, and one for what was paid for and counts for nothing. Lines end with a check over
 * what is before it; a line is taken up only when it is as it was written. The first line also says under `begun` how it was
 * begun, as far as going on with it needs that and nothing depends on it.
 *
 *     {"config": {"scenario": "retail_l1", "method": "rag", "model": "…", …}}
 *     {"scenario": "retail_l1", "phase": "serving", "window": 0, "block": 0, "task_id": "…", "reward": 1, …, "check": "…"}
 *     {"update": {"window": 0, "block": 0, "answer": "…", "tokens": {"input": 812, …}}, "check": "…"}
 *     {"memory": {"window": 0, "block": 0, "text": "…"}, "check": "…"}
 *     {"lost": {"window": 0, "block": 1, "episodes": 5, "tokens": {…}, "judge_tokens": {…}}, "check": "…"}
 */
import { readFileSync, statSync } from 'node:fs';
import { type Begun, readBegun } from '../../engine/evals/stream-begun.ts';
import { hashOf } from '../data/open.ts';
import { errorCode, explain, Failure } from '../failure.ts';
import { isRecord } from '../jsonl.ts';
import { writeWhole } from '../runs/atomic.ts';
import { type LineLog, openLineLog } from '../runs/line-log.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Tokens } from './play-served.ts';

export type StreamConfig = Readonly<Record<string, unknown>>;

/** What every row says; the rest is the environment's. */
export interface EpisodeRow {
  readonly scenario: string;
  readonly phase: 'serving' | 'test';
  readonly window: number;
  readonly timestamp: number;
  readonly task_id: string;
  readonly category: string;
  readonly reward: number;
  /** Number of the serving block in its window; null for test tasks. */
  readonly block: number | null;
  readonly [field: string]: unknown;
}

export interface UpdateLine {
  readonly window: number;
  readonly block: number;
  readonly answer: string | null;
  /** What asking for it took; absent in older files. */
  readonly tokens?: Tokens;
}

/** What a method remembered after a block, for people: nothing is made from it. */
export interface MemoryLine {
  readonly window: number;
  readonly block: number;
  readonly text: string;
}

/** What was paid for and counts for nothing: episodes of blocks that were not finished, and those that failed on the way. */
export interface LostLine {
  readonly window: number;
  /** Null for test tasks. */
  readonly block: number | null;
  /** Episodes that had ended. */
  readonly episodes: number;
  readonly tokens: Tokens;
  readonly judge_tokens: Tokens;
}

export type StreamLine =
  | EpisodeRow
  | { readonly update: UpdateLine }
  | { readonly memory: MemoryLine }
  | { readonly lost: LostLine };

/** What a file held, in the order of its lines. */
export interface Recorded {
  readonly rows: readonly EpisodeRow[];
  readonly updates: readonly UpdateLine[];
  readonly lost: readonly LostLine[];
  /** Rows that are not as they were written: only what they took is of use. */
  readonly changed: readonly EpisodeRow[];
  /** Lines that are none, those that were changed among them. */
  readonly damaged: number;
  /** Null where the file does not say. */
  readonly begun: Begun | null;
}

/** What a file holds that is not there. */
export const nothingRecorded: Recorded = {
  rows: [],
  updates: [],
  lost: [],
  changed: [],
  damaged: 0,
  begun: null,
};

/** The text of a file; null when there is none. @throws Failure for what is no file, or cannot be read. */
function readText(path: string): string | null {
  try {
    // Reading a pipe waits for ever, and a device may have no end.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (!found.isFile()) {
      const what = found.isDirectory() ? 'a folder' : 'a pipe or a device';
      throw new Failure('request', `Cannot read ${path}: it is ${what}; name another folder with --out.`);
    }
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (errorCode(error) === 'ENOENT') return null;
    throw new Failure('request', `Cannot read ${path}: ${explain(error)}.`);
  }
}

/** The configuration in a file of a stream; null where there is none. @throws Failure when it cannot be read. */
export function readStreamConfig(path: string): StreamConfig | null {
  const config = parseLine(readText(path)?.split('\n', 1)[0] ?? '')?.['config'];
  return isRecord(config) ? config : null;
}

/** Reads a file; null when there is nothing in it. @throws Failure when it is another stream's, or cannot be read. */
export function readStreamFile(path: string, config: StreamConfig): Recorded | null {
  const text = readText(path);
  if (text === null || isUnbegun(text)) return null;
  const [first = '', ...lines] = text.split('\n');
  const head = parseLine(first);
  const found = head?.['config'];
  if (!isRecord(found)) {
    const isDamaged = lines.map(parseLine).some((line) => line !== null && isRow(line));
    const why = isDamaged
      ? 'its first line, which says how its rows were made, is damaged'
      : 'it is no file of a stream';
    throw new Failure('request', `Cannot go on with ${path}: ${why}; name another folder with --out.`);
  }
  const differing = differingConfig(found, config);
  if (differing !== null) {
    throw new Failure('request', `${path} was made with ${differing}; name another folder with --out.`);
  }
  return { ...readLines(lines), begun: readBegun(head?.['begun']) };
}

/** A file whose very first line was never finished holds nothing. */
function isUnbegun(text: string): boolean {
  return text.trim() === '' || (!text.includes('\n') && text.startsWith('{"config"') && !text.endsWith('}'));
}

/** The lines after the first. */
function readLines(lines: readonly string[]): Omit<Recorded, 'begun'> {
  const seen = new Set<string>();
  const parsed = lines.flatMap((text) => {
    if (text.trim() === '') return [];
    const line = parseLine(text);
    // The same line twice says nothing more; only losses are counted one by one.
    const isAgain = line !== null && !isLost(line['lost']) && seen.has(text);
    seen.add(text);
    return isAgain ? [] : [line];
  });
  // Older files have no checks at all; in others a line without one has been changed.
  const isChecked = parsed.some((line) => line !== null && Object.hasOwn(line, 'check'));
  const rows: EpisodeRow[] = [];
  const updates: UpdateLine[] = [];
  const lost: LostLine[] = [];
  const changed: EpisodeRow[] = [];
  let damaged = 0;
  for (const line of parsed) {
    const { check, ...content } = line ?? {};
    const isIntact = !isChecked || check === checkOf(JSON.stringify(content));
    const { update, lost: given, memory } = content;
    if (isRow(content)) (isIntact ? rows : changed).push(content);
    else if (isIntact && isUpdate(update)) updates.push(update);
    else if (isIntact && isLost(given)) lost.push(given);
    else if (!isIntact || !isMemory(memory)) damaged++;
  }
  return { rows, updates, lost, changed, damaged: damaged + changed.length };
}

/** Keys that say little by themselves; what stands first is told of first, since it decides others. */
const names: Readonly<Record<string, string>> = {
  scenario: 'another stream',
  model: 'another model',
  prompt: 'another step prompt',
  method: 'another method',
  method_hash: 'another content of the method’s file',
  judge: 'another judge',
  generator_version: 'another version of the generator',
  data: 'other published files',
  extra_body: 'another --extra-body',
  windows: 'other windows',
  options: 'other options',
};

/** In what two configurations differ, e.g. `another judge`; null when they are the same. */
export function differingConfig(a: StreamConfig, b: StreamConfig): string | null {
  const keys = new Set([...Object.keys(names), ...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) {
    if (canonicalJson(a[key] ?? null) !== canonicalJson(b[key] ?? null))
      return names[key] ?? `another ${key}`;
  }
  return null;
}

/** The object in a line; null for anything else. */
export function parseLine(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a line is an episode. */
export function isRow(line: Readonly<Record<string, unknown>>): line is EpisodeRow {
  const { scenario, phase, window, timestamp, task_id, category, reward, block } = line;
  return (
    typeof scenario === 'string' &&
    (phase === 'serving' || phase === 'test') &&
    typeof task_id === 'string' &&
    typeof category === 'string' &&
    [window, timestamp].every((it) => typeof it === 'number') &&
    typeof reward === 'number' &&
    reward >= 0 &&
    reward <= 1 &&
    (block === null || typeof block === 'number')
  );
}

/** Whether a line tells what a method remembered. */
export function isMemory(value: unknown): value is MemoryLine {
  if (!isRecord(value)) return false;
  const { window, block, text } = value;
  return typeof window === 'number' && typeof block === 'number' && typeof text === 'string';
}

/** Whether a line tells of an update. */
export function isUpdate(value: unknown): value is UpdateLine {
  if (!isRecord(value)) return false;
  const { window, block, answer } = value;
  return (
    typeof window === 'number' && typeof block === 'number' && (answer === null || typeof answer === 'string')
  );
}

/** Whether a line tells of what was paid for nothing. */
export function isLost(value: unknown): value is LostLine {
  if (!isRecord(value)) return false;
  const { window, block, episodes, tokens, judge_tokens } = value;
  return (
    typeof window === 'number' &&
    (block === null || typeof block === 'number') &&
    typeof episodes === 'number' &&
    isRecord(tokens) &&
    isRecord(judge_tokens)
  );
}

function checkOf(text: string): string {
  return hashOf(Buffer.from(text)).slice(0, 16);
}

/** A line of the file, with its check and its line feed. */
export function streamLine(content: StreamLine): string {
  const text = JSON.stringify(content);
  return `${text.slice(0, -1)},"check":"${checkOf(text)}"}\n`;
}

/** Writes the file anew with what is kept of it, and opens it for more. @throws Failure */
export async function openStreamFile(
  path: string,
  config: StreamConfig,
  begun: Begun | null,
  kept: readonly StreamLine[],
): Promise<LineLog> {
  await writeWhole(path, async (file) => {
    await file.write(`${JSON.stringify(begun === null ? { config } : { config, begun })}\n`);
    for (const line of kept) await file.write(streamLine(line));
  });
  return openLineLog(path);
}
