/** Opening inputs so that waiting for them can be ended at any time, or never happens. */
import * as fs from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { promisify } from 'node:util';

/** Bytes read at once. */
const piece = 256 * 1024;

/**
 * The bytes of a file, or of standard input for `-`. Destroying the stream ends it at once, even while it waits for
 * somebody to write: a pipe or a terminal is not read as a file is, since that would hold a thread, and with it the
 * process, until something comes.
 *
 * @throws the system's error when it cannot be opened; reading may fail later.
 */
export async function openInput(path: string): Promise<Readable> {
  if (path === '-') {
    // Node gives a folder as standard input out as something empty.
    const stats = await promisify(fs.fstat)(0).catch(() => undefined);
    if (stats?.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
    return process.stdin;
  }
  const stats = await stat(path);
  const fd = await openWaiting(path);
  if (stats.isFIFO()) return new Socket({ fd, readable: true, writable: false });
  if (stats.isCharacterDevice() && isatty(fd)) return new ReadStream(fd);
  return fs.createReadStream('', { fd, highWaterMark: piece });
}

/**
 * The bytes of a file that is to have exactly so many of them, or any number up to {@link mostUnsized}, read at once. Nothing is waited for, and nothing read
 * before it is known to be a regular file of that size: pipes and devices may have no end.
 *
 * @returns the size where it is another one.
 * @throws the system's error when it cannot be read.
 */
export function readSized(file: string, expected: number | null): Buffer | { readonly size: number } {
  const fd = fs.openSync(file, notWaiting);
  try {
    const stats = fs.fstatSync(fd);
    if (stats.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
    if (!stats.isFile()) throw new Error('it is a pipe or a device, not a file');
    const size = expected ?? stats.size;
    if (stats.size !== size || size > mostUnsized) return { size: stats.size };
    const bytes = Buffer.alloc(size);
    let read = 0;
    while (read < size) {
      const more = fs.readSync(fd, bytes, read, size - read, read);
      if (more === 0) return { size: read };
      read += more;
    }
    return bytes;
  } finally {
    fs.closeSync(fd);
  }
}

/** Bytes of a file that is read at once; beyond, something is wrong with it. */
export const mostUnsized = 2 ** 28;

const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = fs.constants;

/** How files are opened without waiting for anybody at the other end. */
const notWaiting = O_RDONLY | O_NONBLOCK | O_NOCTTY;

/**
 * Opens without waiting for the other end; a pipe and a terminal are waited for all the same when they are read. Anything
 * else that has nothing to give yet, such as a log of the kernel, then fails instead of holding a thread for ever.
 */
function openWaiting(path: string): Promise<number> {
  return promisify(fs.open)(path, notWaiting);
}
