/**
 * Fetches a data set from its source, once: file by file, each held against its hash before it gets its name. What is
 * there already is kept, so that fetching again goes on where it was stopped. Nothing here happens unless a person asks.
 */
import path from 'node:path';
import type { DataFile, DataSet } from '../../engine/environments/data-set.ts';
import { explain, Failure } from '../failure.ts';
import { mostUnsized } from '../input.ts';
import { makeFolder } from '../make-folder.ts';
import { writeWhole } from '../runs/atomic.ts';
import { cachedIn } from './folders.ts';
import { hashOf, inspectFile } from './open.ts';
import { keepSums, keptSums } from './sums.ts';

/** Gets the bytes at an address, at most `most` of them. */
export type Download = (
  address: string,
  most: number,
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly bytes: Uint8Array }>;

export interface FetchRequest {
  readonly set: DataSet;
  /** In place of the pinned commit. The files must be the same ones. */
  readonly commit?: string;
  /** In place of {@link DataSet.address}: a mirror of the source's root. */
  readonly from?: string;
  readonly signal: AbortSignal;
  readonly download: Download;
  /** Resolves after so many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Called after each file: how many of all are there. */
  progress(done: number): void;
}

export interface Fetched {
  readonly folder: string;
  /** Files that were fetched now, and those that had been there. */
  readonly fetched: number;
  readonly kept: number;
}

/** Files under way at once: many are small, and no source is to be hurt. */
const atOnce = 6;

/** Pauses between the attempts at one file, in milliseconds. */
const pauses = [500, 2_000, 8_000];

/** @throws Failure when a file cannot be had or is not what was published; the reason of the signal once that has fired. */
export async function fetchData(request: FetchRequest): Promise<Fetched> {
  const { set, progress } = request;
  const folder = cachedIn(set);
  const wanted = set.files.filter((file) => inspectFile([folder], file).kind !== 'good');
  const kept = set.files.length - wanted.length;
  let fetched = 0;
  progress(kept);
  // The first failure ends the others: with one file missing the rest is of no use today.
  const failed = new AbortController();
  const signal = AbortSignal.any([request.signal, failed.signal]);
  const queue = [...wanted];
  const work = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      signal.throwIfAborted();
      await fetchFile(file, folder, { ...request, signal });
      fetched++;
      progress(kept + fetched);
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, wanted.length) }, () =>
    work().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  const ends = await Promise.allSettled(workers);
  request.signal.throwIfAborted();
  if (ends.some(({ status }) => status === 'rejected')) throw failed.signal.reason;
  await pin(set, folder);
  return { folder, fetched, kept };
}

/** Keeps the hashes of files whose publisher tells none: from now on these are the ones that count. */
async function pin({ files }: DataSet, folder: string): Promise<void> {
  const untold = files.filter(({ sha256 }) => sha256 === null);
  if (untold.length === 0) return;
  const sums = new Map(keptSums(folder));
  for (const file of untold) {
    const state = inspectFile([folder], file);
    if (state.kind === 'good') sums.set(file.path, hashOf(state.bytes));
  }
  await keepSums(folder, sums);
}

/** Where a file is fetched from. */
export function addressOf(
  { set, commit, from }: Pick<FetchRequest, 'set' | 'commit' | 'from'>,
  file: DataFile,
): string {
  const root = (from ?? set.address).replace(/\/+$/, '').replaceAll('{commit}', commit ?? set.commit);
  const parts = [...set.folder.split('/'), ...file.path.split('/')].filter((part) => part !== '');
  return [root, ...parts.map(encodeURIComponent)].join('/');
}

async function fetchFile(file: DataFile, folder: string, request: FetchRequest): Promise<void> {
  const address = addressOf(request, file);
  const bytes = await patiently(address, file, request);
  const sha256 = file.sha256 ?? keptSums(folder).get(file.path) ?? null;
  if (bytes.length > (file.bytes ?? mostUnsized) || (sha256 !== null && hashOf(bytes) !== sha256)) {
    throw new Failure('run', `${address} is not the published file, so nothing of it was kept.`);
  }
  const target = path.join(folder, ...file.path.split('/'));
  try {
    makeFolder(path.dirname(target));
  } catch (error) {
    throw new Failure('run', `Cannot make ${path.dirname(target)}: ${explain(error)}.`);
  }
  await writeWhole(target, async (opened) => {
    await opened.writeFile(bytes);
  });
}

/** Asks again after what may pass: no connection, too many requests, an error of the server. */
async function patiently(
  address: string,
  { bytes }: DataFile,
  { signal, download, wait }: FetchRequest,
): Promise<Uint8Array> {
  for (let attempt = 0; ; attempt++) {
    const pause = pauses[attempt];
    let problem: string;
    try {
      const answer = await download(address, (bytes ?? mostUnsized) + 1, signal);
      if (answer.status === 200) return answer.bytes;
      problem = `it answers with status ${answer.status}`;
      if (answer.status !== 429 && answer.status < 500) {
        throw new Failure('run', `Cannot get ${address}: ${problem}.`);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Failure) throw error;
      problem = reasonOf(error);
    }
    if (pause === undefined) {
      const remedy = 'check the connection, or name a folder that has the data with --data';
      throw new Failure('run', `Cannot get ${address}: ${problem}; ${remedy}.`);
    }
    await wait(pause);
    signal.throwIfAborted();
  }
}

/** What went wrong with a connection; the inner error tells more. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return explain(inner);
}
