/** Reading a run of another program from its lines, one episode each. */
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { countRollouts, type ForeignContext } from '../../engine/evals/formats/foreign.ts';
import { infoOfResults, infoOfTraces } from '../../engine/evals/formats/foreign-info.ts';
import { readResult } from '../../engine/evals/formats/read-result.ts';
import { readTrace } from '../../engine/evals/formats/read-trace.ts';
import { lightEpisode } from '../../engine/evals/panel/light.ts';
import type { RunEpisode, RunInfo } from '../../engine/evals/run-data.ts';
import { parseObject } from '../jsonl.ts';
import { files } from '../runs/folder.ts';
import type { RunPlace } from '../runs/locate-run.ts';
import { followLines } from './line-follower.ts';
import { changedFile, type Place, readPlaces } from './places.ts';
import type { RunReader } from './run-reader.ts';

/** @throws Failure when the file cannot be read. */
export async function openForeignReader(place: RunPlace, groupings: readonly string[]): Promise<RunReader> {
  const { folder } = place;
  const format = place.format === 'traces' ? 'traces' : 'results';
  const path = join(folder, files[format]);
  const lines = await followLines(path);
  const settings = await readJson(join(folder, format === 'traces' ? files.config : files.metadata));
  const readEpisode = format === 'traces' ? readTrace : readResult;
  const rolloutOf = countRollouts();
  const places: Place[] = [];
  const all: RunEpisode[] = [];
  let known: readonly RunEpisode[] | null = null;
  let info: RunInfo | null = null;
  let first: unknown = null;
  let rollouts = 1;
  let badLines = 0;

  const contextOf = (task: number): ForeignContext => ({
    task,
    groupings,
    rolloutOf,
  });

  return {
    place,
    get info() {
      const facts = { folder, name: basename(resolve(folder)) };
      info ??=
        format === 'traces'
          ? infoOfTraces(settings, first, all.length, rollouts, facts)
          : infoOfResults(settings, all.length, facts);
      return info;
    },
    get episodes() {
      known ??= [...all];
      return known;
    },
    get count() {
      return all.length;
    },
    get badLines() {
      return badLines;
    },
    get scanned() {
      return lines.scanned;
    },
    get size() {
      return lines.size;
    },
    get isComplete() {
      return lines.isDone;
    },
    async read(enough) {
      while (!enough()) {
        const line = await lines.next();
        if (line === null) return;
        const parsed = line.ok ? parseObject(line.text) : line;
        const value = parsed.ok && 'value' in parsed ? parsed.value : null;
        // A number in the file may be there twice; the place is not.
        const episode = value === null ? null : readEpisode(value, contextOf(all.length));
        if (episode === null) {
          badLines++;
          continue;
        }
        first ??= value;
        all.push({ ...lightEpisode(episode), task: all.length });
        places.push({ offset: line.offset, length: line.length });
        rollouts = Math.max(rollouts, episode.rollout + 1);
        known = null;
        info = null;
      }
    },
    refresh: () => lines.refresh(),
    async said(task) {
      const place = places[task];
      if (place === undefined) return { events: [], costs: [], line: null };
      const [text = ''] = await readPlaces(path, [place]);
      const parsed = parseObject(text);
      const context = { task, groupings, rolloutOf: () => 0 };
      const episode = parsed.ok ? readEpisode(parsed.value, context) : null;
      if (!parsed.ok || episode === null) throw changedFile(path);
      return { events: episode.events, costs: [], line: parsed.value };
    },
    close: () => lines.close(),
  };
}

/** The JSON in a file; null when there is none. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}
