/**
 * `traces.jsonl` and `results.jsonl` while a run is played: the lines of every scored episode are added as it ends. When the run
 * stops, `derived.ts` puts them in their final form.
 */
import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../failure.ts';
import { type DerivedRows, toLine } from './derived.ts';
import { files } from './folder.ts';
import { type LineLog, openLineLog } from './line-log.ts';

export interface DerivedFiles {
  /** Adds the scored episode of that number. What cannot be written now is made up for at the end. */
  add(task: number, rows: DerivedRows): void;
  /** No more is added until the files are written in order. */
  close(): void;
}

/** Characters of lines that wait for those before them; more are written out of order. */
const mostWaiting = 48 * 2 ** 20;

/**
 * Opens the files of a run that is played. Lines wait until the episodes before theirs are over, so that files which are
 * begun and finished without a stop need not be written a second time.
 *
 * @param order numbers of the episodes that are going to be played.
 */
export async function openDerivedFiles(folder: string, order: readonly number[]): Promise<DerivedFiles> {
  let traces = await openTail(join(folder, files.traces));
  let results = await openTail(join(folder, files.results));
  const waiting = new Map<number, readonly [trace: string, result: string]>();
  let size = 0;
  /** Position in `order` of the episode whose lines come next. */
  let next = 0;

  function write([trace, result]: readonly [trace: string, result: string]): void {
    size -= trace.length + result.length;
    traces = appendTo(traces, trace);
    results = appendTo(results, result);
  }

  function writeWaiting(): void {
    for (const [, lines] of [...waiting].sort(([a], [b]) => a - b)) write(lines);
    waiting.clear();
  }

  return {
    add(task, { trace, result }) {
      const lines = [toLine(trace), toLine(result)] as const;
      waiting.set(task, lines);
      size += lines[0].length + lines[1].length;
      for (;;) {
        const ready = order[next] ?? -1;
        const first = waiting.get(ready);
        if (first === undefined) break;
        waiting.delete(ready);
        write(first);
        next++;
      }
      if (size > mostWaiting) writeWaiting();
    },
    close() {
      writeWaiting();
      closeQuietly(traces);
      closeQuietly(results);
      traces = null;
      results = null;
    },
  };
}

/** The log, or null when it takes no more. */
function appendTo(log: LineLog | null, line: string): LineLog | null {
  try {
    log?.append(line);
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
