/**
 * Files of streams that belong together: one agent with one method on streams of one size, all else equal. Together they are
 * shown and compared as a run is. They have no folder of their own, so they go by an address: the folder that they lie in
 * and a name that ends in `.stream`, under which no file lies.
 */

import { createHash } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../../engine/environments/environment.ts';
import type { StreamInfo, Streams } from '../../engine/environments/streams.ts';
import { type Begun, readBegun } from '../../engine/evals/stream-begun.ts';
import { refuse } from '../../engine/problem.ts';
import { findEnvironment } from '../data/environments.ts';
import { Failure } from '../failure.ts';
import { isRecord } from '../jsonl.ts';
import { canonicalJson } from './canonical-json.ts';
import { streamEnding } from './stream-address.ts';
import { parseLine, type StreamConfig } from './stream-file.ts';

export interface StreamFile {
  readonly path: string;
  readonly info: StreamInfo;
  readonly config: StreamConfig;
  readonly begun: Begun | null;
}

export interface StreamGroup {
  readonly address: string;
  readonly environment: Environment;
  readonly streams: Streams<unknown, unknown, unknown>;
  /** Name of a shipped method, or of a file as it was given. */
  readonly method: string;
  readonly size: string;
  /** In the order of the environment; at least one. */
  readonly files: readonly StreamFile[];
  /** Everything that was to be played, those without a file too. */
  readonly wanted: readonly StreamInfo[];
}

/** The address of a stream's file. */
export function streamAddress(
  folder: string,
  config: StreamConfig,
  { size }: Pick<StreamInfo, 'size'>,
): string {
  const { scenario: _, data, method, ...rest } = config;
  const same = canonicalJson({ ...rest, method, size, isOwn: data == null });
  const name =
    String(method ?? '')
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/[^\w.-]+/g, '-') ?? '';
  const tail = createHash('sha256').update(same).digest('hex').slice(0, 6);
  return path.join(folder, `${name}-${tail}${streamEnding}`);
}

/** A group of which something is known to be wrong, or a file that belongs to none. */
export interface BrokenStream {
  readonly path: string;
  /** A sentence. */
  readonly problem: string;
}

/** The streams in a folder, not in those below it. */
export async function streamGroups(
  folder: string,
): Promise<{ readonly groups: readonly StreamGroup[]; readonly broken: readonly BrokenStream[] }> {
  const names = await readdir(folder).catch(() => []);
  const broken: BrokenStream[] = [];
  const found = new Map<string, { environment: Environment; streams: AnyStreams; files: StreamFile[] }>();
  for (const name of names.filter((it) => it.endsWith('.jsonl')).sort()) {
    const file = path.join(folder, name);
    const head = await readHead(file);
    if (head === null) continue;
    if (!isRecord(head)) {
      broken.push({ path: file, problem: head });
      continue;
    }
    const { config } = head;
    if (!isRecord(config) || typeof config['scenario'] !== 'string' || config['method'] === undefined)
      continue;
    const known = findStream(String(config['environment'] ?? ''), config['scenario']);
    if (typeof known === 'string') {
      broken.push({ path: file, problem: `${file}: ${known}` });
      continue;
    }
    const address = streamAddress(folder, config, known.info);
    const group = found.get(address) ?? { ...known, files: [] };
    group.files.push({ path: file, info: known.info, config, begun: readBegun(head['begun']) });
    found.set(address, group);
  }
  return { groups: [...found].map(([address, group]) => groupOf(address, group)), broken };
}

/** The streams at an address. @throws Failure when there are none. */
export async function findStreamGroup(address: string): Promise<StreamGroup> {
  const folder = path.dirname(address);
  const { groups, broken } = await streamGroups(folder);
  const found = groups.find((group) => group.address === address);
  if (found !== undefined) return found;
  const [why] = broken;
  throw new Failure(
    'request',
    `${folder} holds no such stream${why === undefined ? ': its files have gone, or were made differently since.' : `. ${why.problem}`}`,
  );
}

type AnyStreams = StreamGroup['streams'];

function groupOf(
  address: string,
  {
    environment,
    streams,
    files,
  }: { environment: Environment; streams: AnyStreams; files: readonly StreamFile[] },
): StreamGroup {
  const order = streams.list.map(({ id }) => id);
  const sorted = files.toSorted((a, b) => order.indexOf(a.info.id) - order.indexOf(b.info.id));
  const asked = new Set(files.flatMap(({ info, begun }) => [info.id, ...(begun?.streams ?? [])]));
  const [first] = sorted;
  const size = first?.info.size ?? '';
  return {
    address,
    environment,
    streams,
    method: String(first?.config['method'] ?? ''),
    size,
    files: sorted,
    wanted: streams.list.filter((it) => it.size === size && asked.has(it.id)),
  };
}

function findStream(
  environmentId: string,
  id: string,
): { readonly environment: Environment; readonly streams: AnyStreams; readonly info: StreamInfo } | string {
  const environment = findEnvironment(environmentId);
  if (environment?.streams === undefined) {
    return `its stream is of the environment "${environmentId}", which this version does not know.`;
  }
  const { streams } = environment;
  for (const one of [streams, streams.published?.open(() => refuse('not asked for'))]) {
    const info = one?.list.find((it) => it.id === id);
    if (one !== undefined && info !== undefined) return { environment, streams: one as AnyStreams, info };
  }
  return `there is no stream ${id} in this version.`;
}

/** Longest first line that is read, in bytes: it may hold a step prompt. */
const longestHead = 4 * 2 ** 20;

/**
 * The first line of a file that may be one of streams; null for others.
 *
 * @returns a sentence for one that begins like one and cannot be read.
 */
async function readHead(file: string): Promise<Readonly<Record<string, unknown>> | string | null> {
  const opened = await open(file, 'r').catch(() => null);
  if (opened === null) return null;
  try {
    let text = '';
    const block = Buffer.allocUnsafe(64 * 1024);
    for (let read = 0; read < longestHead && !text.includes('\n'); ) {
      const { bytesRead } = await opened.read(block, 0, block.length, read);
      if (bytesRead === 0) break;
      text += block.toString('latin1', 0, bytesRead);
      read += bytesRead;
      if (!'{"config"'.startsWith(text.slice(0, 9)) && !text.startsWith('{"config"')) return null;
    }
    if (text === '') return null;
    const [line = ''] = Buffer.from(text, 'latin1').toString('utf8').split('\n');
    return parseLine(line) ?? `${file} breaks off in its first line: delete it, and play the stream again.`;
  } catch {
    return null;
  } finally {
    await opened.close();
  }
}
