/** Where machine output goes: standard output or a file, written no faster than it is taken. */
import { open, rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { errorCode, explain, Failure } from './failure.ts';

export interface Sink {
  /** Resolves when there is room for more. @throws BrokenPipe when nobody reads any more. */
  write(data: string | Uint8Array): Promise<void>;
  /** Everything is written: a file gets its name now. */
  close(): Promise<void>;
  /** Gives up: a file that was not there before is not there afterwards, one that was is unchanged. */
  discard(): Promise<void>;
}

/** The reader has gone, as in `| head -1`: a reason to stop, not to complain. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}

/** Writes to a stream that somebody else owns, such as standard output. `signal` ends waiting for a slow reader. */
export function streamSink(stream: Writable, signal?: AbortSignal): Sink {
  // Errors are reported by the write they belong to; without a listener they would end the process as well.
  stream.on('error', () => undefined);
  return {
    write: (data) =>
      new Promise((resolve, reject) => {
        const stop = () => reject(signal?.reason);
        if (signal?.aborted) return stop();
        signal?.addEventListener('abort', stop, { once: true });
        stream.write(data, (error) => {
          signal?.removeEventListener('abort', stop);
          if (!error) resolve();
          else if (errorCode(error) === 'EPIPE') reject(new BrokenPipe('nobody reads the output'));
          else reject(new Failure('run', `Cannot write the output: ${explain(error)}.`));
        });
      }),
    close: async () => undefined,
    discard: async () => undefined,
  };
}

/**
 * Writes a file under a temporary name beside it, so that a file of that name is always a whole one.
 * Devices and pipes are written directly.
 *
 * @throws Failure when the file cannot be created.
 */
export async function fileSink(path: string): Promise<Sink> {
  const existing = await stat(path).catch(() => undefined);
  const direct = existing !== undefined && !existing.isFile() && !existing.isDirectory();
  const written = direct ? path : `${path}.${process.pid}.partial`;
  if (existing?.isDirectory())
    throw new Failure('request', `Cannot write ${path}: it is a folder; name a file.`);
  const file = await open(written, 'w').catch((error) => {
    throw new Failure('request', `Cannot write ${path}: ${explain(error)}.`);
  });
  const attempt = (work: Promise<void>): Promise<void> =>
    work.catch((error) => {
      if (errorCode(error) === 'EPIPE') throw new BrokenPipe('nobody reads the output');
      throw new Failure('run', `Cannot write ${path}: ${explain(error)}.`);
    });
  let pending = true;
  return {
    write: (data) => attempt(file.writeFile(data)),
    async close() {
      pending = false;
      await attempt(file.close());
      if (!direct) await attempt(rename(written, path));
    },
    async discard() {
      if (!pending) return;
      pending = false;
      await file.close().catch(() => undefined);
      if (!direct) await rm(written, { force: true });
    },
  };
}
