/**
 * A file of lines that only ever grows, written so that what was appended is there whatever happens next, and so that a write
 * that fails leaves no part of a line.
 *
 * Lines are written before `append` returns control: handing some kilobytes to the system costs less than waiting for another
 * thread to do it, and nothing can come in between. Only forcing them to the disk is left to another thread.
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';
import { errorCode, explain, Failure } from '../failure.ts';

export interface LineLog {
  /**
   * The line, which ends in a line feed, is handed to the system: from then on only the loss of the whole machine can lose it.
   *
   * @throws Failure when it cannot be written, or the file is no longer at its place; nothing can be appended then.
   */
  append(line: string): void;
  /** Forces everything to the disk. @throws Failure when that is not possible. */
  close(): void;
}

/** What tells a file from another one at the same place. */
interface Identity {
  readonly ino: number;
  readonly dev: number;
}

/** What a log needs of an open file; tests give it a disk that is full. */
export interface LogFile {
  /** @returns how many bytes were taken. */
  write(bytes: Buffer, offset: number, length: number, position: number): number;
  truncate(length: number): void;
  /** Forces what was written to the disk while other things go on. */
  sync(done: (error: unknown) => void): void;
  syncNow(): void;
  close(): void;
  stat(): Identity & { readonly size: number };
}

/** Times in ms. */
export interface LineLogSettings {
  /** Longest time that lines are only in the system's memory. */
  readonly syncEvery?: number;
  /** Longest time that a deleted file goes unnoticed. */
  readonly lookEvery?: number;
}

/** Opens the file at `path`, which is created when it is not there, for appending. @throws Failure */
export function openLineLog(path: string, settings?: LineLogSettings): LineLog {
  let file: number;
  try {
    file = openFile(path);
  } catch (error) {
    throw new Failure('request', `Cannot write ${path}: ${explain(error)}.`);
  }
  return startLineLog(path, fileOf(file), settings);
}

/** Not in append mode: a failed write has to be cut off again, and Windows does not cut files open for appending. */
function openFile(path: string): number {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return openSync(path, 'wx+');
  }
}

function fileOf(file: number): LogFile {
  return {
    write: (bytes, offset, length, position) => writeSync(file, bytes, offset, length, position),
    truncate: (length) => ftruncateSync(file, length),
    sync: (done) => fdatasync(file, done),
    syncNow: () => fdatasyncSync(file),
    close: () => closeSync(file),
    stat: () => fstatSync(file),
  };
}

/** Bytes of memory that is kept for encoding lines. */
const largestScratch = 4 * 2 ** 20;

/** The log over an open file; new lines come after what is in it. */
export function startLineLog(
  path: string,
  file: LogFile,
  { syncEvery = 1_000, lookEvery = 50 }: LineLogSettings = {},
): LineLog {
  const own = file.stat();
  let end = own.size;
  let broken: Failure | null = null;
  let synced = performance.now();
  let looked = Number.NEGATIVE_INFINITY;
  let syncing = false;
  let scratch = Buffer.allocUnsafe(64 * 1024);

  function look(): void {
    if (performance.now() - looked < lookEvery) return;
    const now: Identity | undefined = statSync(path, { throwIfNoEntry: false });
    if (now?.ino !== own.ino || now.dev !== own.dev) {
      throw new Failure('run', `${path} has been deleted or moved, so nothing more can be kept in it.`);
    }
    looked = performance.now();
  }

  function write(bytes: Buffer): void {
    try {
      for (let at = 0; at < bytes.length; ) at += file.write(bytes, at, bytes.length - at, end + at);
      end += bytes.length;
    } catch (error) {
      attempt(() => file.truncate(end));
      throw error;
    }
  }

  /** The bytes of a line, in memory that the next one takes over. */
  function encode(line: string): Buffer {
    const most = line.length * 3; // UTF-8 needs no more for a UTF-16 unit
    if (most > largestScratch) return Buffer.from(line);
    if (most > scratch.length) scratch = Buffer.allocUnsafe(most);
    return scratch.subarray(0, scratch.write(line));
  }

  function syncSometimes(): void {
    if (syncing || performance.now() - synced < syncEvery) return;
    syncing = true;
    file.sync((error) => {
      syncing = false;
      synced = performance.now();
      if (error) broken ??= new Failure('run', `Cannot write ${path}: ${explain(error)}.`);
    });
  }

  return {
    append(line) {
      if (broken !== null) throw broken;
      try {
        look();
        write(encode(line));
      } catch (error) {
        broken =
          error instanceof Failure ? error : new Failure('run', `Cannot write ${path}: ${explain(error)}.`);
        throw broken;
      }
      syncSometimes();
    },
    close() {
      try {
        if (broken === null) file.syncNow();
      } catch (error) {
        throw new Failure('run', `Cannot write ${path}: ${explain(error)}.`);
      } finally {
        attempt(() => file.close());
      }
    },
  };
}

/** Does what cannot make matters worse by failing. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // The failure that is told of is the one before it.
  }
}
