/**
 * The files that other tools read, made from the steps of a run: `traces.jsonl`, `results.jsonl` and `metadata.json`.
 * While a run goes on, the line of every scored episode is added as it comes. When it stops, the files are put in
 * the order of the plan; whatever is missing or out of date is made again from the steps.
 */
import { type FileHandle, open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResultRow } from '../../engine/evals/result-row.ts';
import type { TraceEpisode } from '../../engine/evals/trace-format.ts';
import { errorCode, Failure } from '../failure.ts';
import { mapOrdered } from '../ordered.ts';
import { writeWhole } from './atomic.ts';
import { files } from './folder.ts';
import { type LineIndex, openLineIndex } from './line-index.ts';
import { type LineLog, openLineLog } from './line-log.ts';

/** One episode in both formats. */
export interface DerivedRows {
  readonly trace: TraceEpisode;
  readonly result: ResultRow;
}

export interface DerivedFiles {
  /** Adds a scored episode. What cannot be written now is made up for at the end. */
  add(rows: DerivedRows): void;
  /** No more is added until the files are written in order. */
  close(): void;
}

/** Opens the files of a run that is played. */
export async function openDerivedFiles(folder: string): Promise<DerivedFiles> {
  let traces = await openTail(join(folder, files.traces));
  let results = await openTail(join(folder, files.results));
  return {
    add({ trace, result }) {
      traces = appendTo(traces, trace);
      results = appendTo(results, result);
    },
    close() {
      closeQuietly(traces);
      closeQuietly(results);
      traces = null;
      results = null;
    },
  };
}

/** The log, or null when it takes no more. */
function appendTo(log: LineLog | null, row: object): LineLog | null {
  try {
    log?.append(toLine(row));
    return log;
  } catch {
    closeQuietly(log);
    return null;
  }
}

function closeQuietly(log: LineLog | null): void {
  try {
    log?.close();
  } catch {
    // What is missing is made up for at the end.
  }
}

function toLine(row: object): string {
  return `${JSON.stringify(row)}\n`;
}

/** A log that goes on after the last whole line of a file; null when it cannot be written to. */
async function openTail(path: string): Promise<LineLog | null> {
  try {
    await cutTornLine(path);
    return openLineLog(path);
  } catch {
    return null;
  }
}

/** Takes away what comes after the last line feed of a file. */
async function cutTornLine(path: string): Promise<void> {
  const file = await open(path, 'r').catch((error) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return;
  let end: number;
  try {
    end = (await file.stat()).size;
    const block = Buffer.alloc(64 * 1024);
    for (;;) {
      const from = Math.max(0, end - block.length);
      const { bytesRead } = await file.read(block, 0, end - from, from);
      const feed = block.subarray(0, bytesRead).lastIndexOf(0x0a);
      if (feed >= 0 || from === 0) {
        end = from + feed + 1;
        break;
      }
      end = from;
    }
  } finally {
    await file.close();
  }
  await truncate(path, end);
}

/** What the files are to hold. */
export interface DerivedContent {
  /** Numbers of the scored episodes. */
  readonly scored: ReadonlySet<number>;
  /** Numbers of those with an error. */
  readonly errored: ReadonlySet<number>;
  /** Makes the rows of an episode from the steps of the run. */
  make(task: number): Promise<DerivedRows>;
  readonly metadata: object;
}

/** Episodes that are made again at the same time. */
const window = 4;

/** Which of the files are written, and into which folder. */
export interface DerivedTarget {
  readonly into: string;
  readonly traces: boolean;
  /** With the metadata that belongs to them. */
  readonly results: boolean;
}

/**
 * Puts the files in their final form.
 *
 * @param target by default all of them in the run's own folder.
 * @throws Failure when they cannot be written; what was there before is still there then.
 */
export async function writeDerived(
  folder: string,
  content: DerivedContent,
  target: DerivedTarget = { into: folder, traces: true, results: true },
): Promise<void> {
  const tasks = [...content.scored, ...content.errored].sort((a, b) => a - b);
  const traces = await findRows(join(folder, files.traces), /^\{"id":"[0-9a-f]{8}-(\d+)","ok":true,/);
  const results = await findRows(join(folder, files.results), /^\{"example_id":\d+,"task":(\d+),"ok":true,/);
  const linesOf = async (task: number): Promise<readonly [trace: Uint8Array, result: Uint8Array]> => {
    const isScored = content.scored.has(task);
    const [trace, result] = isScored ? [traces.get(task), results.get(task)] : [];
    if (trace !== undefined && result !== undefined) return Promise.all([trace(), result()]);
    const made = await content.make(task);
    return [Buffer.from(toLine(made.trace)), Buffer.from(toLine(made.result))];
  };
  const fileFor = (name: string, wanted: boolean, write: (file: FileHandle | null) => Promise<void>) =>
    wanted ? writeWhole(join(target.into, name), write) : write(null);
  try {
    await fileFor(files.traces, target.traces, (traceFile) =>
      fileFor(files.results, target.results, async (resultFile) => {
        for await (const [trace, result] of mapOrdered(tasks, window, linesOf)) {
          await traceFile?.writeFile(trace);
          await resultFile?.writeFile(result);
        }
      }),
    );
    await fileFor(files.metadata, target.results, async (file) => {
      await file?.writeFile(`${JSON.stringify(content.metadata, null, 2)}\n`);
    });
  } finally {
    await traces.close();
    await results.close();
  }
}

interface FoundRows {
  get(task: number): (() => Promise<Uint8Array>) | undefined;
  close(): Promise<void>;
}

/** Bytes at the beginning of a line that say which it is. */
const headLength = 80;

/** The lines of a file by the number of their episode; the last one of each counts. */
async function findRows(path: string, head: RegExp): Promise<FoundRows> {
  const places = new Map<number, number>();
  let index: LineIndex | null;
  try {
    index = await openLineIndex(path, 'torn');
    await index.scan(Number.POSITIVE_INFINITY);
    for (let at = 0; at < index.count; at++) {
      const task = head.exec(await index.read(at, headLength))?.[1];
      if (task !== undefined) places.set(Number(task), at);
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    index = null; // not there: everything is made again
  }
  return {
    get(task) {
      const at = places.get(task);
      const source = index;
      if (at === undefined || source === null) return undefined;
      const { offset, length } = source.place(at);
      return () => source.bytes(offset, length + 1);
    },
    async close() {
      await index?.close();
    },
  };
}
