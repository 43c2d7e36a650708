/**
 * A file of lines that only ever grows, written so that what was appended is there whatever happens next: lines that come
 * while others are being written go together in one write, and a write that fails leaves no part of a line.
 */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { explain, Failure } from '../failure.ts';

export interface LineLog {
  /**
   * Resolves when the line, which ends in a line feed, is handed to the system: from then on only the loss of the whole
   * machine can lose it.
   *
   * @throws Failure when it cannot be written, or the file is no longer at its place; nothing can be appended then.
   */
  append(line: string): Promise<void>;
  /** Writes what is waiting and forces it to the disk. */
  close(): Promise<void>;
}

/** What tells a file from another one at the same place. */
interface Identity {
  readonly ino: number;
  readonly dev: number;
}

/** What a log needs of an open file; tests give it a disk that is full. */
export interface LogFile {
  write(
    bytes: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  truncate(length: number): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
  stat(): Promise<Identity & { readonly size: number }>;
}

/** Longest time that lines are only in the system's memory, in ms. */
const syncInterval = 1_000;

/** Opens the file at `path`, which is created when it is not there, for appending. @throws Failure */
export async function openLineLog(path: string): Promise<LineLog> {
  let file: FileHandle;
  try {
    // Not in append mode: a failed write has to be cut off again, and Windows does not cut files open for appending.
    file = await open(path, 'r+').catch(() => open(path, 'wx+'));
  } catch (error) {
    throw new Failure('request', `Cannot write ${path}: ${explain(error)}.`);
  }
  return startLineLog(path, file);
}

/** The log over an open file; new lines come after what is in it. */
export async function startLineLog(path: string, file: LogFile): Promise<LineLog> {
  const own = await file.stat();
  let end = own.size;
  let waiting: { readonly line: string; readonly done: (error?: unknown) => void }[] = [];
  let writing: Promise<void> | null = null;
  let broken: Failure | null = null;
  let synced = performance.now();

  async function write(bytes: Buffer): Promise<void> {
    const now: Identity | null = await stat(path).catch(() => null);
    if (now?.ino !== own.ino || now.dev !== own.dev) {
      throw new Failure('run', `${path} has been deleted or moved, so nothing more can be kept in it.`);
    }
    try {
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, at, bytes.length - at, end + at);
        at += bytesWritten;
      }
      end += bytes.length;
    } catch (error) {
      await file.truncate(end).catch(() => undefined);
      throw error;
    }
    if (performance.now() - synced < syncInterval) return;
    await file.datasync();
    synced = performance.now();
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        if (broken !== null) throw broken;
        await write(Buffer.from(batch.map(({ line }) => line).join('')));
        for (const { done } of batch) done();
      } catch (error) {
        broken ??=
          error instanceof Failure ? error : new Failure('run', `Cannot write ${path}: ${explain(error)}.`);
        for (const { done } of batch) done(broken);
      }
    }
    writing = null;
  }

  return {
    append(line) {
      return new Promise((resolve, reject) => {
        waiting.push({ line, done: (error) => (error === undefined ? resolve() : reject(error)) });
        // A turn later, so that lines of the same moment share a write.
        writing ??= Promise.resolve().then(drain);
      });
    },
    async close() {
      await writing;
      try {
        if (broken === null) await file.datasync();
      } catch (error) {
        throw new Failure('run', `Cannot write ${path}: ${explain(error)}.`);
      } finally {
        await file.close();
      }
    },
  };
}
