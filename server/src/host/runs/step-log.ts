/** `steps.jsonl`: reading what a run has done so far, mending its end after a kill, and going on. */
import { open, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { RunFold } from '../../engine/evals/fold.ts';
import { parseStepLine } from '../../engine/evals/formats/read-step-line.ts';
import { printStepLine, type StepLine } from '../../engine/evals/formats/step-lines.ts';
import type { Checked } from '../../engine/problem.ts';
import { explain, Failure } from '../failure.ts';
import { readLines } from '../jsonl.ts';
import { files } from './folder.ts';
import { openLineLog } from './line-log.ts';

export interface StepLog {
  /** Everything recorded, brought up to date by every {@link append}. */
  readonly fold: RunFold;
  /** The line is kept when this returns. @throws Failure when it cannot be. */
  append(line: StepLine): void;
  close(): void;
}

/**
 * Opens the log of a run for one process, which must have the run locked. A line that was torn when an earlier process was
 * killed is cut off; one that lacks nothing but its line feed is kept.
 *
 * @param problem told, in one sentence, of every line that had to be left out.
 * @throws Failure when the file cannot be read or written.
 */
export async function openStepLog(folder: string, problem: (sentence: string) => void): Promise<StepLog> {
  const path = join(folder, files.steps);
  const fold = new RunFold();
  let last: { readonly offset: number; readonly good: boolean } | null = null;
  if (await exists(path)) {
    for await (const read of readStepLines(path)) {
      last = { offset: read.offset, good: read.ok };
      if (read.ok) fold.add(read.line);
      else if (!(await isTail(path, read.offset + read.length)))
        problem(`${path} line ${read.number} ${read.error}.`);
    }
  }
  if (last !== null && !(await endsInLineFeed(path))) await mend(path, last);
  const log = openLineLog(path);
  return {
    fold,
    append(line) {
      log.append(printStepLine(line));
      fold.add(line);
    },
    close: log.close,
  };
}

/** A line of the file, or why it is none as "line 3 …". */
type ReadStepLine = { readonly number: number; readonly offset: number; readonly length: number } & (
  | { readonly ok: true; readonly line: StepLine }
  | { readonly ok: false; readonly error: string }
);

/** The lines of a log, the torn one at its end included. @throws Failure when it cannot be read. */
export async function* readStepLines(path: string, signal?: AbortSignal): AsyncGenerator<ReadStepLine> {
  for await (const line of readLines(path, signal)) {
    const { number, offset, length } = line;
    const parsed: Checked<StepLine> = line.ok ? parseStepLine(line.text) : line;
    if (parsed.ok) yield { number, offset, length, ok: true, line: parsed.value };
    else yield { number, offset, length, ok: false, error: parsed.error };
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

/** Whether nothing comes after byte `end`, not even a line feed. */
async function isTail(path: string, end: number): Promise<boolean> {
  const { size } = await stat(path);
  return end >= size;
}

async function endsInLineFeed(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return size === 0 || buffer[0] === 0x0a;
  } finally {
    await file.close();
  }
}

/** Makes the file end in a line feed, without the last line unless that is whole. */
async function mend(path: string, last: { readonly offset: number; readonly good: boolean }): Promise<void> {
  try {
    if (!last.good) return await truncate(path, last.offset);
    const file = await open(path, 'a');
    try {
      await file.write('\n');
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new Failure('run', `Cannot mend the end of ${path}: ${explain(error)}.`);
  }
}
