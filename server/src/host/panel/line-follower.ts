/** The lines of a file that may grow while it is read: a few at a time, and later those that have come since. */
import { open, stat } from 'node:fs/promises';
import { explain, Failure } from '../failure.ts';
import { type Line, splitLines } from '../jsonl.ts';

export interface LineFollower {
  /** Bytes read so far, and in all. */
  readonly scanned: number;
  readonly size: number;
  /** Whether every line that is there has been given. */
  readonly isDone: boolean;
  /** The next line; null when there is none yet. @throws Failure when the file cannot be read. */
  next(): Promise<Line | null>;
  /**
   * Looks whether there is more.
   *
   * @returns `changed` when what was read no longer stands there: the file has to be read from its beginning.
   */
  refresh(): Promise<'same' | 'grown' | 'changed'>;
  close(): Promise<void>;
}

const blockSize = 1024 * 1024;

/** @throws Failure when the file cannot be opened. */
export async function followLines(path: string): Promise<LineFollower> {
  const attempt = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error) => {
      throw new Failure('request', `Cannot read ${path}: ${explain(error)}.`);
    });
  const file = await attempt(open(path, 'r'));
  const first = await attempt(file.stat());
  let { size } = first;
  let read = 0;
  // Behind the last line that ended in a line feed: from there the next look goes on.
  let resume = 0;
  // A last line without a line feed was given: if more comes, it was only the beginning of one.
  let isTorn = false;
  let base = 0;
  let lines: AsyncGenerator<Line> | null = null;

  async function* blocks(): AsyncGenerator<Uint8Array> {
    for (read = base; read < size; ) {
      const block = Buffer.allocUnsafe(Math.min(blockSize, size - read));
      const { bytesRead } = await attempt(file.read(block, 0, block.length, read));
      if (bytesRead === 0) return;
      read += bytesRead;
      yield block.subarray(0, bytesRead);
    }
  }

  const isDone = () => lines === null && (resume >= size || isTorn);

  return {
    get scanned() {
      return read;
    },
    get size() {
      return size;
    },
    get isDone() {
      return isDone();
    },
    async next() {
      if (lines === null) {
        if (isDone()) return null;
        base = resume;
        lines = splitLines(blocks());
      }
      const { done, value } = await lines.next();
      if (done) {
        lines = null;
        resume = Math.max(resume, isTorn ? 0 : read);
        return null;
      }
      const line = { ...value, offset: base + value.offset };
      const end = line.offset + line.length;
      isTorn = end >= read;
      if (!isTorn) resume = end + 1;
      return line;
    },
    async refresh() {
      const now = await stat(path).catch(() => null);
      if (now === null) return 'same'; // deleted: what was read stays as it was
      if (now.ino !== first.ino || now.size < size) return 'changed';
      if (now.size === size) return 'same';
      if (isTorn) return 'changed';
      size = now.size;
      return 'grown';
    },
    close: () => file.close(),
  };
}
