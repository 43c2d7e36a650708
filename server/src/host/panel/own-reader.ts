/** Reading one of our own runs from its log. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Event } from '../../engine/environments/chat.ts';
import { RunFold, toEpisode } from '../../engine/evals/fold.ts';
import { parseStepLine } from '../../engine/evals/formats/read-step-line.ts';
import { lightLine } from '../../engine/evals/panel/light.ts';
import type { StepCost } from '../../engine/evals/panel/steps.ts';
import { describeRun } from '../../engine/evals/run-config.ts';
import type { RunEpisode } from '../../engine/evals/run-data.ts';
import { files } from '../runs/folder.ts';
import type { RunPlace } from '../runs/locate-run.ts';
import { followLines, type LineFollower } from './line-follower.ts';
import { changedFile, type Place, readPlaces } from './places.ts';
import type { RunReader } from './run-reader.ts';

/** @throws Failure when the log cannot be read. */
export async function openOwnReader(place: RunPlace): Promise<RunReader> {
  const { folder, config } = place;
  if (config === null) throw new RangeError('a run of another program');
  const path = join(folder, files.steps);
  let lines: LineFollower | null = null;
  const fold = new RunFold();
  const places = new Map<number, Place[]>();
  let known: readonly RunEpisode[] | null = null;
  let badLines = 0;
  let count = 0;
  const info = describeRun(config, folder);

  async function openLines(): Promise<LineFollower | null> {
    // Of a run that has just been made there is only the configuration.
    if (lines === null && (await stat(path).catch(() => null)) !== null) lines = await followLines(path);
    return lines;
  }
  await openLines();

  return {
    place,
    info,
    get episodes() {
      known ??= fold.records().map(toEpisode);
      return known;
    },
    get count() {
      return count;
    },
    get badLines() {
      return badLines;
    },
    get scanned() {
      return lines?.scanned ?? 0;
    },
    get size() {
      return lines?.size ?? 0;
    },
    get isComplete() {
      return lines === null || lines.isDone;
    },
    async read(enough) {
      while (lines !== null && !enough()) {
        const line = await lines.next();
        if (line === null) return;
        const parsed = line.ok ? parseStepLine(line.text) : line;
        if (!parsed.ok) {
          badLines++;
          continue;
        }
        const step = 'value' in parsed ? parsed.value : null;
        if (step === null) continue;
        if (step.type === 'begin' && fold.get(step.task) === undefined) count++;
        const before = step.type === 'event' ? fold.get(step.task)?.events.length : undefined;
        fold.add(lightLine(step));
        known = null;
        if (step.type !== 'event' || fold.get(step.task)?.events.length === before) continue;
        const list = places.get(step.task) ?? [];
        list.push({ offset: line.offset, length: line.length });
        places.set(step.task, list);
      }
    },
    async refresh() {
      if (lines === null) return (await openLines()) === null ? 'same' : 'grown';
      return lines.refresh();
    },
    async said(task) {
      const texts = await readPlaces(path, places.get(task) ?? []);
      const events: Event[] = [];
      const costs: StepCost[] = [];
      for (const text of texts) {
        const parsed = parseStepLine(text);
        if (!parsed.ok || parsed.value.type !== 'event') throw changedFile(path);
        const { event, requests, cached, ms } = parsed.value;
        events.push(event);
        costs.push({ requests, cached, ms });
      }
      return { events, costs, line: null };
    },
    async close() {
      await lines?.close();
    },
  };
}
