/** Reading streams as a run: the lines of their files, one stream after the other, in the order of the environment. */
import { dirname } from 'node:path';
import {
  readStreamRow,
  rowOf,
  streamGroupings,
  taskOf,
  tasksOf,
} from '../../engine/evals/formats/read-stream-row.ts';
import { lightEpisode } from '../../engine/evals/panel/light.ts';
import type { RunAgent, RunEpisode, RunInfo } from '../../engine/evals/run-data.ts';
import { isRecord } from '../jsonl.ts';
import type { RunPlace } from '../runs/locate-run.ts';
import { isFileLocked } from '../runs/lock.ts';
import { noTokens, type Tokens } from '../streams/play-served.ts';
import { sumTokens } from '../streams/spending.ts';
import {
  type EpisodeRow,
  isLost,
  isMemory,
  isRow,
  isUpdate,
  type LostLine,
  type MemoryLine,
  parseLine,
} from '../streams/stream-file.ts';
import { findStreamGroup, type StreamFile, type StreamGroup } from '../streams/stream-group.ts';
import { followLines, type LineFollower } from './line-follower.ts';
import { changedFile, type Place, readPlaces } from './places.ts';
import type { RunReader } from './run-reader.ts';

/** A row without its long texts, and what is kept of those. */
export type LightRow = EpisodeRow & { readonly invalid: readonly string[] };

/** What files of streams say beyond episodes. */
export interface StreamFacts {
  readonly group: StreamGroup;
  readonly learns: boolean;
  /** Null for all. */
  readonly windows: readonly number[] | null;
  readonly rows: readonly LightRow[];
  readonly memories: readonly (MemoryLine & { readonly stream: string })[];
  readonly learning: Tokens;
  readonly lost: readonly LostLine[];
}

interface Part {
  readonly file: StreamFile;
  readonly lines: LineFollower;
  readonly rows: { readonly row: LightRow; readonly episode: RunEpisode; readonly place: Place }[];
  readonly memories: MemoryLine[];
  readonly updates: Tokens[];
  readonly lost: LostLine[];
}

const longFields: ReadonlySet<string> = new Set(['trace', 'record', 'instruction', 'answer_detail']);

/** @throws Failure when there are no such streams, or they cannot be read. */
export async function openStreamReader(
  place: RunPlace,
): Promise<RunReader & { readonly stream: StreamFacts }> {
  const group = await findStreamGroup(place.folder);
  const parts: Part[] = [];
  for (const file of group.files) {
    parts.push({ file, lines: await followLines(file.path), rows: [], memories: [], updates: [], lost: [] });
  }
  const order = group.streams.list.map(({ id }) => id);
  const own = (group.environment.groupings ?? []).map(({ id }) => id);
  const [first] = group.files;
  const windows = windowsOf(first);
  const shipped = group.streams.methods.find(({ id }) => id === group.method);
  // A method of somebody's own is there to learn.
  const learns = shipped?.learns ?? true;
  const info = infoOf(group, windows, learns, place.folder);
  let badLines = 0;
  let known: readonly RunEpisode[] | null = null;

  /** The line as an episode; what else it says is kept. */
  function take(part: Part, text: string, place: Place): void {
    const line = parseLine(text);
    if (line === null) badLines++;
    else if (isRow(line)) {
      const stream = order.indexOf(part.file.info.id);
      const task = taskOf(stream, part.rows.length);
      const { scenario } = line;
      const episode = readStreamRow(
        { ...line, stream: scenario },
        task,
        own,
        group.streams.said?.(line) ?? [],
      );
      const short = Object.entries(line).filter(([field]) => !longFields.has(field));
      const invalid = group.streams.invalid?.(line) ?? [];
      const row = { ...(Object.fromEntries(short) as unknown as EpisodeRow), invalid };
      part.rows.push({ row, episode: lightEpisode(episode), place });
      known = null;
    } else if (isMemory(line['memory'])) part.memories.push(line['memory']);
    else if (isUpdate(line['update'])) part.updates.push(line['update'].tokens ?? noTokens);
    else if (isLost(line['lost'])) part.lost.push(line['lost']);
    else if (!isRecord(line['config'])) badLines++;
  }

  return {
    place,
    info,
    get isRunning() {
      return group.files.some((file) => isFileLocked(file.path));
    },
    groupings: [
      ...streamGroupings,
      ...(group.environment.groupings ?? [])
        .filter(({ id }) => !streamGroupings.some((it) => it.id === id))
        .map(({ id, label }) => ({ id, label })),
    ],
    get stream() {
      return {
        group,
        learns,
        windows,
        rows: parts.flatMap(({ rows }) => rows.map(({ row }) => row)),
        memories: parts.flatMap(({ file, memories }) =>
          memories.map((it) => ({ ...it, stream: file.info.id })),
        ),
        learning: sumTokens(parts.flatMap(({ updates }) => updates)),
        lost: parts.flatMap(({ lost }) => lost),
      };
    },
    get episodes() {
      known ??= parts.flatMap(({ rows }) => rows.map(({ episode }) => episode));
      return known;
    },
    get count() {
      return parts.reduce((total, { rows }) => total + rows.length, 0);
    },
    get badLines() {
      return badLines;
    },
    get scanned() {
      return parts.reduce((total, { lines }) => total + lines.scanned, 0);
    },
    get size() {
      return parts.reduce((total, { lines }) => total + lines.size, 0);
    },
    get isComplete() {
      return parts.every(({ lines }) => lines.isDone);
    },
    async read(enough) {
      for (const part of parts) {
        while (!part.lines.isDone) {
          if (enough()) return;
          const line = await part.lines.next();
          if (line === null) break;
          if (line.ok) take(part, line.text, { offset: line.offset, length: line.length });
          else badLines++;
        }
      }
    },
    async refresh() {
      const now = await findStreamGroup(place.folder).catch(() => group);
      if (now.files.length !== group.files.length || now.wanted.length !== group.wanted.length)
        return 'changed';
      const changes = await Promise.all(parts.map(({ lines }) => lines.refresh()));
      if (changes.includes('changed')) return 'changed';
      return changes.includes('grown') ? 'grown' : 'same';
    },
    async said(task) {
      const [stream, at] = rowOf(task);
      const part = parts.find(({ file }) => file.info.id === order[stream]);
      const found = part?.rows[at];
      if (part === undefined || found === undefined) return { events: [], costs: [], line: null };
      const [text = ''] = await readPlaces(part.file.path, [found.place]);
      const line = parseLine(text);
      if (line === null || line['task_id'] !== found.row.task_id) throw changedFile(part.file.path);
      return { events: group.streams.said?.(line) ?? [], costs: [], line };
    },
    async close() {
      for (const { lines } of parts) await lines.close();
    },
  };
}

function windowsOf(file: StreamFile | undefined): readonly number[] | null {
  const windows = file?.config['windows'];
  return Array.isArray(windows) && windows.every((it) => typeof it === 'number') ? windows : null;
}

/** What the streams are, in the terms of a run. */
function infoOf(
  { environment, files, method, size, address, wanted }: StreamGroup,
  windows: readonly number[] | null,
  learns: boolean,
  folder: string,
): RunInfo {
  const config = files[0]?.config ?? {};
  const begun = files.map((file) => file.begun).find((it) => it !== null) ?? null;
  const tasks = wanted.map((info) => tasksOf(info, windows, learns));
  const serving = tasks.reduce((total, it) => total + it.serving, 0);
  const test = tasks.reduce((total, it) => total + it.test, 0);
  const { generator_version: version, judge } = config;
  const name = method.split(/[\\/]/).at(-1) ?? method;
  return {
    id: address.slice(dirname(address).length + 1),
    folder,
    format: 'stream',
    identity: null,
    created: begun?.created ?? null,
    environment: environment.id,
    generatorVersion: typeof version === 'number' ? version : null,
    options: isRecord(config['options']) ? config['options'] : {},
    ...(typeof judge === 'string' ? { judge } : {}),
    label: wanted.length === 1 ? (wanted[0]?.id ?? size) : `${size}, ${wanted.length} streams`,
    split: null,
    suite: null,
    rollouts: 1,
    shuffleSeed: null,
    agent: agentOf(config, begun?.baseUrl ?? null),
    prompt: begun?.prompt ?? null,
    stream: { method: name, learned: serving },
    requested: serving + test,
  };
}

function agentOf(config: StreamFile['config'], baseUrl: string | null): RunAgent {
  const { policy, seed, model, sampling, extra_body: body } = config;
  if (typeof policy === 'string') return { kind: 'policy', policy, seed: String(seed ?? '0') };
  return {
    kind: 'model',
    model: typeof model === 'string' ? model : '',
    baseUrl,
    sampling: isRecord(sampling) ? sampling : {},
    extraBody: isRecord(body) ? body : {},
  };
}
