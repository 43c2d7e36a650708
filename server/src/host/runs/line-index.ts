/**
 * Where the lines of a large file are. Only line feeds are looked for, so gigabytes are gone through at the speed of the
 * disk; what a line says is read when somebody wants to see it. Lines end at the byte 0x0A and nowhere else.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { explain, Failure } from '../failure.ts';

export interface LineIndex {
  /** Lines found so far; blank ones are not counted. */
  readonly count: number;
  /** Bytes looked at so far, and in all. */
  readonly scanned: number;
  readonly size: number;
  /** Looks further, up to `bytes` more or the end. @throws Failure when the file cannot be read. */
  scan(bytes: number): Promise<void>;
  /** The text of line `at`, or its first `most` bytes. @throws RangeError for a line not found yet. */
  read(at: number, most?: number): Promise<string>;
  /** First byte and number of bytes of line `at`, without its line feed. @throws RangeError as above. */
  place(at: number): { readonly offset: number; readonly length: number };
  /** The bytes of `length` from `offset` on. */
  bytes(offset: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** Bytes read at once: larger ones are no faster and fall out of the processor's cache. */
const blockSize = 1024 * 1024;

const lineFeed = 0x0a;

/**
 * Opens a file for looking through it; nothing is read yet.
 *
 * @param tail whether what stands after the last line feed is a line as well: in files that are written to, it is torn.
 * @throws Failure when it cannot be opened.
 */
export async function openLineIndex(path: string, tail: 'line' | 'torn'): Promise<LineIndex> {
  const attempt = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error) => {
      throw new Failure('request', `Cannot read ${path}: ${explain(error)}.`);
    });
  const file = await attempt(open(path, 'r'));
  const { size } = await attempt(file.stat());
  const block = Buffer.allocUnsafe(Math.min(blockSize, Math.max(1, size)));
  // First byte of each line, and one place more: where the next one begins.
  let starts = new Float64Array(1024);
  let ends = new Float64Array(1024);
  let count = 0;
  let scanned = 0;
  let next = 0;

  function found(end: number): void {
    if (end > next) {
      if (count === starts.length) {
        starts = grown(starts);
        ends = grown(ends);
      }
      starts[count] = next;
      ends[count] = end;
      count++;
    }
    next = end + 1;
  }

  const place = (at: number) => {
    const offset = starts[at];
    const end = ends[at];
    if (offset === undefined || end === undefined || at >= count) throw new RangeError(`no line ${at}`);
    return { offset, length: end - offset };
  };
  const bytes = (offset: number, length: number) => attempt(readFully(file, offset, length));

  return {
    get count() {
      return count;
    },
    get scanned() {
      return scanned;
    },
    size,
    async scan(most) {
      const until = Math.min(size, scanned + most);
      while (scanned < until) {
        const { bytesRead } = await attempt(
          file.read(block, 0, Math.min(block.length, until - scanned), scanned),
        );
        if (bytesRead === 0) break;
        for (
          let at = block.indexOf(lineFeed);
          at >= 0 && at < bytesRead;
          at = block.indexOf(lineFeed, at + 1)
        ) {
          found(scanned + at);
        }
        scanned += bytesRead;
      }
      if (tail === 'line' && scanned >= size && next < size) found(size);
    },
    async read(at, most = Number.POSITIVE_INFINITY) {
      const { offset, length } = place(at);
      return (await bytes(offset, Math.min(length, most))).toString('utf8');
    },
    place,
    bytes,
    close: () => file.close(),
  };
}

async function readFully(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(buffer, at, length - at, offset + at);
    if (bytesRead === 0) return buffer.subarray(0, at);
    at += bytesRead;
  }
  return buffer;
}

function grown(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}
