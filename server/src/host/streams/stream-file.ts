/**
 * The file of a stream: its configuration in the first line, then one line for every episode as it ends, and one for what
 * a model answered when a block was learned from. A line is read back only when it is whole.
 *
 *     {"config": {"scenario": "retail_l1", "method": "rag", "model": "…", …}}
 *     {"scenario": "retail_l1", "phase": "serving", "window": 0, "block": 0, "task_id": "…", "reward": 1, …}
 *     {"update": {"window": 0, "block": 0, "answer": "…", "tokens": {…}}}
 *     {"memory": {"window": 0, "block": 0, "text": "…"}}
 *
 * The first line also says under `begun` how it was begun, as far as going on with it needs that and nothing depends on it.
 */
import { readFileSync } from 'node:fs';
import { type Begun, readBegun } from '../../engine/evals/stream-begun.ts';
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

/** What a file held, in the order of its lines. */
export interface Recorded {
  readonly rows: readonly EpisodeRow[];
  readonly updates: readonly UpdateLine[];
  /** Null where the file does not say. */
  readonly begun: Begun | null;
}

/** Reads a file; null when there is none. @throws Failure when it is another stream's, or cannot be read. */
export function readStreamFile(path: string, config: StreamConfig): Recorded | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new Failure('request', `Cannot read ${path}: ${explain(error)}.`);
  }
  const [first, ...lines] = text.split('\n').map(parseLine);
  if (!isRecord(first?.['config'])) throw new Failure('request', `${path} is no file of a stream.`);
  const differing = differingKey(first['config'], config);
  if (differing !== null) {
    throw new Failure(
      'request',
      `${path} was made with ${names[differing] ?? `another ${differing}`}; name another folder with --out.`,
    );
  }
  const rows: EpisodeRow[] = [];
  const updates: UpdateLine[] = [];
  for (const line of lines) {
    if (line === null) continue;
    const update = line['update'];
    if (isRow(line)) rows.push(line);
    else if (isUpdate(update)) updates.push(update);
  }
  return { rows, updates, begun: readBegun(first['begun']) };
}

/** Keys that say little by themselves. */
const names: Readonly<Record<string, string>> = {
  method_hash: 'another content of the method’s file',
  generator_version: 'another version of the generator',
  data: 'other published files',
  extra_body: 'another --extra-body',
  windows: 'other windows',
  options: 'other options',
  prompt: 'another step prompt',
};

/** The first key in which two configurations differ; null when they are the same. */
function differingKey(a: StreamConfig, b: StreamConfig): string | null {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) if (canonicalJson(a[key]) !== canonicalJson(b[key])) return key;
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

/** Writes the file anew with what is kept of it, and opens it for more. @throws Failure */
export async function openStreamFile(
  path: string,
  config: StreamConfig,
  begun: Begun | null,
  kept: readonly object[],
): Promise<LineLog> {
  await writeWhole(path, async (file) => {
    await file.write(`${JSON.stringify(begun === null ? { config } : { config, begun })}\n`);
    for (const line of kept) await file.write(`${JSON.stringify(line)}\n`);
  });
  return openLineLog(path);
}
