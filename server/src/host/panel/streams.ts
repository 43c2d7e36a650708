/** Questions about streams: what a page shows of them, and lists of them. Works in the threads of `thread.ts`. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { TextPage } from '../../engine/evals/panel/answers.ts';
import type { StreamEntry, StreamListing, StreamResume } from '../../engine/evals/panel/stream-list.ts';
import {
  type StreamMaterial,
  type StreamView,
  streamSummaries,
  streamView,
} from '../../engine/evals/panel/stream-view.ts';
import type { Price } from '../../engine/evals/prices.ts';
import { Failure } from '../failure.ts';
import { readPriceTable } from '../models/price-file.ts';
import { spending, spentDollars } from '../streams/spending.ts';
import { type StreamGroup, streamGroups } from '../streams/stream-group.ts';
import type { Panels } from './panels.ts';
import type { RunReader } from './run-reader.ts';
import { openStreamReader, type StreamFacts } from './stream-reader.ts';

type Priced = { readonly prices: string | null };

/** What a page shows of the streams at an address. @throws Failure when there are none. */
export async function viewStream(
  panels: Panels,
  { run, prices }: { readonly run: string } & Priced,
): Promise<StreamView> {
  const { reader } = await panels.session(run);
  return streamView(await materialOf(reader, factsOf(reader, run), await pricesIn(prices)));
}

/** What the method remembered. @throws Failure when there is no such text. */
export async function memoryOf(
  panels: Panels,
  { run, at }: { readonly run: string; readonly at: number },
): Promise<TextPage> {
  const { reader } = await panels.session(run);
  const memory = factsOf(reader, run).memories[at];
  if (memory === undefined) throw new Failure('request', 'There is no such text in the stream any more.');
  return { text: memory.text, next: null };
}

function factsOf(reader: RunReader, run: string): StreamFacts {
  if (reader.stream === undefined) throw new Failure('request', `${run} is no stream.`);
  return reader.stream;
}

/** Prices by model; none when the table cannot be read, which whoever begins a run is told. */
async function pricesIn(file: string | null): Promise<(model: string) => Price | null> {
  if (file === null) return () => null;
  return (await readPriceTable(file).catch(() => null)) ?? (() => null);
}

async function materialOf(
  { info }: Pick<RunReader, 'info'>,
  { group, learns, windows, rows, memories, learning, lost }: StreamFacts,
  priceOf: (model: string) => Price | null,
): Promise<StreamMaterial> {
  const spent = spending(rows, learning, lost);
  const prices = {
    agent: info.agent.kind === 'model' ? priceOf(info.agent.model) : null,
    judge: info.judge === undefined ? null : priceOf(info.judge),
  };
  return {
    streams: group.streams,
    wanted: group.wanted,
    method: group.method,
    size: group.size,
    learns,
    windows,
    rows: rows.map((row) => ({ ...row, stream: row.scenario })),
    memories,
    spent: Object.entries(spent)
      .filter(([part, { calls }]) => part !== 'lost' || calls > 0)
      .map(([part, { input, output, calls }]) => ({ part, input, output, calls })),
    dollars: spentDollars(spent, prices).all,
  };
}

/** How deep files of streams are looked for, and in how many folders at most. */
const depth = 3;
const mostFolders = 2000;

/** Readers of what was listed before: only what is new is read. */
const readers = new Map<string, Promise<RunReader & { readonly stream: StreamFacts }>>();

/** The streams in some folders and in folders in them. */
export async function listStreams({
  folders,
  prices,
}: { readonly folders: readonly string[] } & Priced): Promise<StreamListing> {
  const priceOf = await pricesIn(prices);
  const entries: StreamEntry[] = [];
  const broken: { uri: string; problem: string }[] = [];
  const seen = new Set<string>();
  for (const folder of await foldersIn(folders)) {
    const found = await streamGroups(folder);
    broken.push(...found.broken.map(({ path, problem }) => ({ uri: pathToFileURL(path).href, problem })));
    for (const group of found.groups) {
      seen.add(group.address);
      try {
        entries.push(await entryOf(group, priceOf));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        broken.push({ uri: pathToFileURL(group.address).href, problem: error.message });
      }
    }
  }
  for (const address of readers.keys()) if (!seen.has(address)) await forget(address);
  return { streams: entries.sort((a, b) => b.time - a.time || (a.uri < b.uri ? -1 : 1)), broken };
}

async function foldersIn(parents: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  const look = async (folder: string, below: number): Promise<void> => {
    if (found.has(folder) || found.size >= mostFolders) return;
    found.add(folder);
    if (below === 0) return;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      await look(join(folder, entry.name), below - 1);
    }
  };
  for (const parent of parents) await look(parent, depth);
  return [...found];
}

async function forget(address: string): Promise<void> {
  const reader = readers.get(address);
  readers.delete(address);
  await reader?.then((it) => it.close()).catch(() => undefined);
}

/** The reader of a group with everything that is there now. */
async function readerOf({ address }: StreamGroup): Promise<RunReader & { readonly stream: StreamFacts }> {
  const known = await readers.get(address)?.catch(() => null);
  if (known != null && (await known.refresh()) === 'changed') await forget(address);
  let opening = readers.get(address);
  if (opening === undefined) {
    opening = openStreamReader({ folder: address, format: 'stream', config: null });
    readers.set(address, opening);
    opening.catch(() => readers.delete(address));
  }
  const reader = await opening;
  while (!reader.isComplete) {
    const until = performance.now() + 25;
    await reader.read(() => performance.now() >= until);
    await breathe();
  }
  return reader;
}

async function entryOf(group: StreamGroup, priceOf: (model: string) => Price | null): Promise<StreamEntry> {
  const reader = await readerOf(group);
  const { info, stream } = reader;
  const { agent, prompt } = info;
  const material = await materialOf(reader, stream, priceOf);
  const streams = streamSummaries(material);
  const done = streams.reduce((sum, it) => sum + it.done, 0);
  const of = streams.reduce((sum, it) => sum + it.of, 0);
  const changed = await Promise.all(
    group.files.map(async ({ path }) => (await stat(path).catch(() => null))?.mtimeMs ?? 0),
  );
  const created = info.created === null ? Number.NaN : Date.parse(info.created);
  return {
    uri: pathToFileURL(group.address).href,
    method: info.stream?.method ?? group.method,
    environment: info.environment,
    size: group.size,
    agent:
      agent.kind === 'model'
        ? { kind: 'model', name: agent.model, baseUrl: agent.baseUrl }
        : { kind: 'policy', name: agent.policy, baseUrl: null },
    prompt: prompt === null ? null : { name: prompt.name, path: prompt.path, hash: prompt.hash },
    time: Number.isNaN(created) ? Math.max(0, ...changed) : created,
    status: reader.isRunning === true ? 'running' : done < of ? 'stopped' : 'done',
    done,
    of,
    streams,
    dollars: material.dollars,
    resume: resumeOf(group, stream, info.options),
  };
}

function resumeOf(
  { files, method, wanted }: StreamGroup,
  { windows }: StreamFacts,
  options: Readonly<Record<string, unknown>>,
): StreamResume | null {
  const file = files.find(({ begun }) => begun !== null);
  if (file?.begun == null) return null;
  const { begun, config } = file;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    method,
    streams: wanted.map(({ id }) => id),
    windows,
    options,
    promptPath: begun.prompt?.path ?? null,
    seed: text(config['seed']),
    judge: text(config['judge']),
    published: begun.published,
    out: begun.out,
  };
}
