/** Where machine output goes: standard output or a file, written no faster than it is taken. */
import { constants, open as openDescriptor, rmSync } from 'node:fs';
import { open, readlink, rename, rm, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { named } from '../engine/text/visible.ts';
import { errorCode, explain, Failure } from './failure.ts';
import { passingName } from './passing-name.ts';

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
 * Writes a file under a temporary name beside it, so that a file of that name is always a whole one. A link stays and
 * what it leads to is written; a file that is there keeps its mode. Devices and pipes are written directly.
 *
 * @param signal ends waiting for the reader of a pipe.
 * @throws Failure when the file cannot be created.
 */
export async function fileSink(path: string, signal?: AbortSignal): Promise<Sink> {
  const refuse = (error: unknown): never => {
    throw new Failure('request', `Cannot write ${named(path)}: ${explain(error)}.`);
  };
  const existing = await stat(path).catch(() => undefined);
  if (existing?.isDirectory()) {
    throw new Failure('request', `Cannot write ${named(path)}: it is a folder; name a file.`);
  }
  if (existing?.isFIFO()) return pipeSink(path, refuse, signal);
  const direct = existing !== undefined && !existing.isFile();
  // A device may be named by a link that leads to no path, such as /dev/stdout.
  const target = direct ? path : await targetOf(path).catch(refuse);
  const written = direct ? target : passingName(target, 'partial');
  const file = await open(written, 'w').catch(refuse);
  if (existing !== undefined && !direct) await file.chmod(existing.mode & 0o7777).catch(() => undefined);
  const attempt = (work: Promise<void>): Promise<void> =>
    work.catch((error) => {
      if (errorCode(error) === 'EPIPE') throw new BrokenPipe('nobody reads the output');
      throw new Failure('run', `Cannot write ${named(path)}: ${explain(error)}.`);
    });
  let pending = true;
  // Even when the process ends without waiting for anything.
  const clean = () => rmSync(written, { force: true });
  if (!direct) process.once('exit', clean);
  return {
    write: (data) => attempt(file.writeFile(data)),
    async close() {
      pending = false;
      await attempt(file.close());
      if (!direct) await attempt(rename(written, target));
      process.off('exit', clean);
    },
    async discard() {
      if (!pending) return;
      pending = false;
      await file.close().catch(() => undefined);
      if (!direct) await rm(written, { force: true });
      process.off('exit', clean);
    },
  };
}

/** How long to wait before looking again whether somebody reads a pipe, in ms. */
const readerInterval = 50;

/**
 * Writes to a named pipe once somebody reads it. Opening it as a file would hold a thread until then, and with it the
 * process.
 */
async function pipeSink(
  path: string,
  refuse: (error: unknown) => never,
  signal?: AbortSignal,
): Promise<Sink> {
  const { O_WRONLY, O_NONBLOCK = 0 } = constants;
  for (;;) {
    signal?.throwIfAborted();
    const fd = await promisify(openDescriptor)(path, O_WRONLY | O_NONBLOCK).catch((error: unknown) => {
      if (errorCode(error) === 'ENXIO') return null;
      return refuse(error);
    });
    if (fd !== null) {
      const pipe = new Socket({ fd, readable: false, writable: true });
      return {
        ...streamSink(pipe, signal),
        close: () => new Promise((resolve) => pipe.end(() => resolve())),
      };
    }
    await setTimeout(readerInterval, undefined, signal === undefined ? {} : { signal }).catch(
      () => undefined,
    );
  }
}

/** Links of links that are followed, as many as the system follows. */
const maxLinks = 40;

/** The file that a path leads to in the end, whether that is there or not. */
async function targetOf(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links < maxLinks; links++) {
    const next = await readlink(target).catch((error: unknown) => {
      // Not a link, or nothing at all: both can be written.
      if (['EINVAL', 'ENOENT', 'UNKNOWN'].includes(errorCode(error) ?? '')) return null;
      throw error;
    });
    if (next === null) return target;
    target = resolve(dirname(target), next);
  }
  throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
}
