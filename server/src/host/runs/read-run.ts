/** Reading a run from its folder, whichever of the formats it has. Lines are read one at a time, whatever the file's size. */
import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { RunFold, type TaskRecord, toEpisode } from '../../engine/evals/fold.ts';
import { countRollouts, type ForeignContext } from '../../engine/evals/formats/foreign.ts';
import { infoOfResults, infoOfTraces } from '../../engine/evals/formats/foreign-info.ts';
import { readResult } from '../../engine/evals/formats/read-result.ts';
import { readTrace } from '../../engine/evals/formats/read-trace.ts';
import { knownGroupings } from '../../engine/evals/known-groupings.ts';
import { describeRun } from '../../engine/evals/run-config.ts';
import type { Run, RunEpisode } from '../../engine/evals/run-data.ts';
import type { Checked } from '../../engine/problem.ts';
import { parseObject, readLines } from '../jsonl.ts';
import { files } from './folder.ts';
import { locateRun, type RunPlace } from './locate-run.ts';
import { readStepLines } from './step-log.ts';

export { locateRun, type RunPlace } from './locate-run.ts';

export interface ReadOptions {
  /** Told, in one sentence, of every line that had to be left out. */
  readonly problem?: (sentence: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Reads a whole run. A process may be at work on it: what it has not finished writing is left out.
 *
 * @throws Failure when there is no run, or it cannot be read.
 */
export async function readRun(path: string, options: ReadOptions = {}): Promise<Run> {
  const place = await locateRun(path);
  const { folder, format, config } = place;
  if (format === 'stream') return readStreams(place);
  if (config === null) return readForeign(folder, format === 'traces' ? 'traces' : 'results', options);
  const records = await readRecords(folder, options);
  return { info: describeRun(config, folder), episodes: records.map(toEpisode) };
}

/** Streams, with everything that was said in them. */
async function readStreams(place: RunPlace): Promise<Run> {
  const { openStreamReader } = await import('../panel/stream-reader.ts');
  const reader = await openStreamReader(place);
  try {
    await reader.read(() => false);
    const episodes: RunEpisode[] = [];
    for (const episode of reader.episodes) {
      const { events } = await reader.said(episode.task);
      episodes.push({ ...episode, events });
    }
    return { info: reader.info, episodes };
  } finally {
    await reader.close();
  }
}

/** What the steps of one of our own runs say. @throws Failure when they cannot be read. */
export async function readRecords(folder: string, options: ReadOptions = {}): Promise<readonly TaskRecord[]> {
  const path = join(folder, files.steps);
  const fold = new RunFold();
  if ((await stat(path).catch(() => null)) === null) return [];
  let waiting: string | null = null;
  for await (const line of readStepLines(path, options.signal)) {
    // The last line may be one that is being written just now, so it is not complained about.
    if (waiting !== null) options.problem?.(waiting);
    waiting = line.ok ? null : `${path} line ${line.number} ${line.error}.`;
    if (line.ok) fold.add(line.line);
  }
  return fold.records();
}

/** A line of another program, and the episode it is. */
export interface ForeignRow {
  readonly value: unknown;
  readonly episode: RunEpisode;
}

/** The lines of a run of another program, in order. @throws Failure when they cannot be read. */
export async function* readForeignRows(
  folder: string,
  format: 'traces' | 'results',
  { problem, signal }: ReadOptions,
): AsyncGenerator<ForeignRow> {
  const path = join(folder, files[format]);
  const groupings = knownGroupings();
  const rolloutOf = countRollouts();
  const read = format === 'traces' ? readTrace : readResult;
  let task = 0;
  for await (const line of readLines(path, signal)) {
    const parsed: Checked<unknown> = line.ok ? parseObject(line.text) : line;
    const context: ForeignContext = {
      task,
      groupings,
      rolloutOf,
    };
    const episode = parsed.ok ? read(parsed.value, context) : null;
    if (parsed.ok && episode !== null) {
      task++;
      yield { value: parsed.value, episode };
    } else {
      problem?.(`${path} line ${line.number} ${parsed.ok ? 'is no episode' : parsed.error}.`);
    }
  }
}

async function readForeign(folder: string, format: 'traces' | 'results', options: ReadOptions): Promise<Run> {
  const episodes: RunEpisode[] = [];
  let first: unknown = null;
  for await (const { value, episode } of readForeignRows(folder, format, options)) {
    first ??= value;
    episodes.push(episode);
  }
  const facts = { folder, name: basename(resolve(folder)) };
  const rollouts = episodes.reduce((most, { rollout }) => Math.max(most, rollout + 1), 1);
  const info =
    format === 'traces'
      ? infoOfTraces(await readJson(join(folder, files.config)), first, episodes.length, rollouts, facts)
      : infoOfResults(await readJson(join(folder, files.metadata)), episodes.length, facts);
  return { info, episodes };
}

/** The JSON in a file; null when there is none. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}
