/**
 * The runs in a folder, with their figures, as a list shows them. Folders are looked at one by one and counted in a worker
 * thread; a run that has not changed since is not read again, and of one that grows only what is new.
 */
import type { Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Note } from '../../engine/evals/notes.ts';
import { instancesOf, type RunConfig } from '../../engine/evals/run-config.ts';
import type { FolderFormat } from '../../engine/evals/run-data.ts';
import { Failure } from '../failure.ts';
import { openPool, type Pool } from '../pool.ts';
import { files, readConfig } from './folder.ts';
import { isLocked } from './lock.ts';
import { showNotes } from './notes.ts';
import type { Tally } from './tally-task.ts';

/** A run of a list. */
export interface ListedRun {
  readonly folder: string;
  /** Whether a process is at work on it. */
  readonly isRunning: boolean;
  /** When its lines were last written to, in ms since 1970. */
  readonly changed: number;
  /** Of our own runs. */
  readonly config: RunConfig | null;
  readonly note: Note;
  /** The figures, or why there are none, as a sentence. */
  readonly tally: Tally | string;
}

export interface RunLists {
  /** The runs in a folder and in folders in it, in no particular order; none when it is not there. */
  list(parent: string): Promise<readonly ListedRun[]>;
  /** The run in that very folder; null when there is none. */
  read(folder: string): Promise<ListedRun | null>;
}

/** How deep runs are looked for: other programs keep theirs two or three folders down. */
const depth = 3;
/** Folders looked into; a list of more helps nobody, and a disk is not to be searched by mistake. */
const mostFolders = 5000;
/** Ms without work after which the worker is let go, with what it remembers. */
const patience = 60_000;

interface Kept {
  readonly place: Place;
  readonly tally: Tally | string;
}

/** @param script absolute path of the bundled worker. */
export function createRunLists(script: string): RunLists {
  const kept = new Map<string, Kept>();
  let pool: Pool | null = null;
  let idle: NodeJS.Timeout | undefined;
  let working = 0;

  const letGo = () => {
    clearTimeout(idle);
    void pool?.close();
    pool = null;
  };

  async function count(place: Place): Promise<Tally | string> {
    const { folder, format, config } = place;
    clearTimeout(idle);
    pool ??= openPool({ script, workers: 1 });
    working++;
    try {
      const foreign = config === null ? await readJson(join(folder, foreignInfoFile[place.format])) : null;
      const tally = await pool.run('tallyRun', { folder, format, config, foreign }, folder);
      return tally.ok ? tally.value : tally.error;
    } catch (error) {
      if (error instanceof Failure) return error.message;
      throw error;
    } finally {
      working--;
      if (working === 0) {
        idle = setTimeout(letGo, patience);
        idle.unref();
      }
    }
  }

  async function read(folder: string): Promise<ListedRun | null> {
    const before = kept.get(folder);
    const place = await locate(folder, before?.place);
    if (place === null) return null;
    const note = await showNotes(folder, () => undefined);
    // Before the lines are read: a process that ends meanwhile is told of the next time.
    const isRunning = isLocked(folder);
    const { changed, config } = place;
    const tally =
      before?.place.signature === place.signature ? before.tally : (place.problem ?? (await count(place)));
    kept.set(folder, { place, tally });
    return { folder, isRunning, changed, config, note, tally };
  }

  async function find(parent: string, below: number, found: string[]): Promise<void> {
    const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (found.length >= mostFolders) return;
      found.push(join(parent, entry.name));
    }
    if (below === 0) return;
    for (const entry of entries) {
      const folder = join(parent, entry.name);
      if (found.includes(folder) && !(await isRun(folder))) await find(folder, below - 1, found);
    }
  }

  return {
    async list(parent) {
      const found: string[] = [];
      await find(parent, depth - 1, found);
      const runs: ListedRun[] = [];
      for (const folder of found) {
        const run = await read(folder);
        if (run !== null) runs.push(run);
        else kept.delete(folder);
      }
      return runs;
    },
    read,
  };
}

interface Place {
  readonly folder: string;
  readonly format: FolderFormat;
  readonly config: RunConfig | null;
  /** Differ when something has changed: that figures depend on, and in the configuration. */
  readonly signature: string;
  readonly configured: string;
  readonly changed: number;
  /** Why it cannot be read, as a sentence. */
  readonly problem: string | null;
}

/** Where a run of another program tells of itself. */
const foreignInfoFile: Readonly<Record<FolderFormat, string>> = {
  hopscope: files.config,
  traces: files.config,
  results: files.metadata,
};

async function isRun(folder: string): Promise<boolean> {
  for (const name of [files.config, files.steps, files.traces, files.results]) {
    if (await statsOf(join(folder, name))) return true;
  }
  return false;
}

/** As `locateRun` does, but what cannot be read is told of beside the runs that can. */
async function locate(folder: string, before: Place | undefined): Promise<Place | null> {
  const [settings, steps, traces, results] = await Promise.all(
    [files.config, files.steps, files.traces, files.results].map((name) => statsOf(join(folder, name))),
  );
  const configured = signatureOf(settings);
  const place = (format: FolderFormat, lines: Stats | null | undefined, more: Partial<Place>): Place => ({
    folder,
    format,
    config: null,
    problem: null,
    signature: [format, configured, signatureOf(lines)].join(' '),
    configured,
    changed: (lines ?? settings)?.mtimeMs ?? 0,
    ...more,
  });
  const isForeign = !steps && Boolean(traces ?? results);
  if (settings && !isForeign) {
    // What identifies a run is hashed anew whenever it is read.
    if (before?.configured === configured && before.format === 'hopscope') {
      const { config, problem } = before;
      return place('hopscope', steps, { config, problem });
    }
    try {
      const config = await readConfig(folder);
      if (config !== null) return place('hopscope', steps, { config });
    } catch (error) {
      if (error instanceof Failure) return place('hopscope', steps, { problem: error.message });
      throw error;
    }
  }
  if (traces) return place('traces', traces, {});
  if (results) return place('results', results, {});
  return null;
}

async function statsOf(path: string): Promise<Stats | null> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() === true ? stats : null;
}

function signatureOf(stats: Stats | null | undefined): string {
  return stats ? [stats.size, stats.mtimeMs, stats.ino].join(' ') : '-';
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}

/** All splits that the instances of a run are of. */
export function splitsOf({ config, tally }: ListedRun): readonly string[] {
  if (config !== null) {
    const sources = instancesOf(config.parts).map(({ source }) => source);
    return [...new Set(sources.flatMap((source) => ('split' in source ? [source.split] : [])))];
  }
  const split = typeof tally === 'string' ? null : tally.info.split;
  return split === null ? [] : [split];
}
