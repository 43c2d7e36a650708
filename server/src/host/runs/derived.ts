/**
 * The files that other tools read, made from the steps of a run: `traces.jsonl`, `results.jsonl` and `metadata.json`.
 * While a run goes on, the line of every scored episode is added as it comes. When it stops, the files are put in
 * the order of the plan; whatever is missing or out of date is made again from the steps.
 */
import type { FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ResultRow } from '../../engine/evals/formats/result-row.ts';
import type { TraceEpisode } from '../../engine/evals/formats/trace-format.ts';
import { Failure } from '../failure.ts';
import { mapOrdered } from '../ordered.ts';
import { writeWhole } from './atomic.ts';
import { files } from './folder.ts';
import { type LineIndex, openLineIndex } from './line-index.ts';

/** One episode in both formats. */
export interface DerivedRows {
  readonly trace: TraceEpisode;
  readonly result: ResultRow;
}

/** A row as a line of its file. */
export function toLine(row: object): string {
  return `${JSON.stringify(row)}\n`;
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
  // As they are when a run was played without a stop: then there is nothing to be done.
  const isInOrder = resolve(target.into) === resolve(folder) && traces.holds(tasks) && results.holds(tasks);
  const isWanted = content.errored.size > 0 || !isInOrder;
  try {
    await fileFor(files.traces, target.traces && isWanted, (traceFile) =>
      fileFor(files.results, target.results && isWanted, async (resultFile) => {
        if (!isWanted) return;
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
  /** Whether the lines of these episodes are all there is in the file, in that order. */
  holds(tasks: readonly number[]): boolean;
  close(): Promise<void>;
}

/** Bytes at the beginning of a line that say which it is. */
const headLength = 80;

/** The lines of a file by the number of their episode; the last one of each counts. */
async function findRows(path: string, head: RegExp): Promise<FoundRows> {
  const places = new Map<number, number>();
  const found: (number | null)[] = [];
  let isTorn = true;
  let index: LineIndex | null;
  try {
    index = await openLineIndex(path, 'torn');
    await index.scan(Number.POSITIVE_INFINITY);
    for (let at = 0; at < index.count; at++) {
      const task = head.exec(await index.read(at, headLength))?.[1];
      found.push(task === undefined ? null : Number(task));
      if (task !== undefined) places.set(Number(task), at);
    }
    isTorn = !(await endsWhole(index));
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
    holds: (tasks) =>
      !isTorn && found.length === tasks.length && found.every((task, at) => task === tasks[at]),
    async close() {
      await index?.close();
    },
  };
}

/** Whether nothing stands after the last whole line of a file. */
async function endsWhole(index: LineIndex): Promise<boolean> {
  if (index.count === 0) return index.size === 0;
  const { offset, length } = index.place(index.count - 1);
  return offset + length + 1 === index.size;
}
