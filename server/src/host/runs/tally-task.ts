/**
 * What a worker thread does to count a run: it reads the lines, keeps what is counted and answers with figures. Of a run that
 * grows only the new lines are read; that is why the worker remembers.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { RunFold, toEpisode } from '../../engine/evals/fold.ts';
import type { ForeignContext } from '../../engine/evals/formats/foreign.ts';
import { infoOfResults, infoOfTraces } from '../../engine/evals/formats/foreign-info.ts';
import { readResult } from '../../engine/evals/formats/read-result.ts';
import { parseStepLine } from '../../engine/evals/formats/read-step-line.ts';
import { readTrace } from '../../engine/evals/formats/read-trace.ts';
import { slimEpisode, slimLine } from '../../engine/evals/formats/slim.ts';
import { knownGroupings } from '../../engine/evals/known-groupings.ts';
import { describeRun, type RunConfig } from '../../engine/evals/run-config.ts';
import type { FolderFormat, RunEpisode, RunInfo } from '../../engine/evals/run-data.ts';
import { type RunSummary, summarizeRun } from '../../engine/evals/run-summary.ts';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import { errorCode, explain } from '../failure.ts';
import { files } from './folder.ts';

export interface TallyJob {
  readonly folder: string;
  readonly format: FolderFormat;
  /** Of our own runs. */
  readonly config: RunConfig | null;
  /** What `configs/eval.json` or `metadata.json` of a foreign run holds; null when there is none. */
  readonly foreign: unknown;
}

export interface Tally {
  readonly info: RunInfo;
  readonly summary: RunSummary;
}

/** What is known of a file of lines that only grows. */
interface Known {
  readonly inode: number;
  /** Byte up to which whole lines have been taken in. */
  offset: number;
  /** @returns whether the line is one of such a file. */
  readonly add: (line: string) => boolean;
  readonly episodes: () => readonly RunEpisode[];
  /** The first line of a foreign file, parsed. */
  first: unknown;
}

/** Runs that are remembered; more than are ever played at the same time. */
const remembered = 16;
const blockSize = 1024 * 1024;
const known = new Map<string, Known>();

/** Counts a run as far as it is. The error is a sentence. */
export function tallyRun({ folder, format, config, foreign }: TallyJob): Checked<Tally> {
  const path = join(folder, format === 'hopscope' ? files.steps : files[format]);
  let state: Known | null;
  try {
    state = takeIn(path, format);
  } catch (error) {
    known.delete(path);
    if (errorCode(error) === 'ENOENT')
      state = null; // of a run that has just been made
    else return refuse(`Cannot read ${path}: ${explain(error)}.`);
  }
  const episodes = state?.episodes() ?? [];
  const info =
    config === null
      ? foreignInfo(folder, format, foreign, state?.first ?? null, episodes)
      : describeRun(config, folder);
  return accept({ info, summary: summarizeRun({ info, episodes }, []) });
}

/** Reads what has been added to a file since the last time. */
function takeIn(path: string, format: FolderFormat): Known {
  const file = openSync(path, 'r');
  try {
    const { size, ino } = fstatSync(file);
    const before = known.get(path);
    // A file that was replaced or cut is another one.
    const state = before?.inode === ino && before.offset <= size ? before : open(format, ino);
    known.delete(path);
    known.set(path, state);
    const [oldest] = known.keys();
    if (known.size > remembered && oldest !== undefined) known.delete(oldest);
    readOn(file, state, size);
    return state;
  } finally {
    closeSync(file);
  }
}

/** Takes in lines up to `size`. What comes after the last line feed may still be being written: it counts once it is whole. */
function readOn(file: number, state: Known, size: number): void {
  const block = Buffer.allocUnsafe(Math.min(blockSize, Math.max(1, size - state.offset)));
  let pieces: Buffer[] = [];
  for (let position = state.offset; position < size; ) {
    const length = readSync(file, block, 0, Math.min(block.length, size - position), position);
    if (length === 0) return;
    let from = 0;
    for (let feed = block.indexOf(0x0a); feed >= 0 && feed < length; feed = block.indexOf(0x0a, from)) {
      pieces.push(block.subarray(from, feed));
      const line = Buffer.concat(pieces).toString('utf8');
      if (line.trim() !== '') state.add(line);
      pieces = [];
      from = feed + 1;
      state.offset = position + from;
    }
    pieces.push(Buffer.from(block.subarray(from, length)));
    position += length;
  }
  const rest = Buffer.concat(pieces).toString('utf8');
  if (rest.trim() !== '' && state.add(rest)) state.offset = size;
}

function open(format: FolderFormat, inode: number): Known {
  return format === 'hopscope' ? openSteps(inode) : openRows(format, inode);
}

function openSteps(inode: number): Known {
  const fold = new RunFold();
  return {
    inode,
    offset: 0,
    first: null,
    add(text) {
      const line = parseStepLine(text);
      if (line.ok) fold.add(slimLine(line.value));
      return line.ok;
    },
    episodes: () => fold.records().map(toEpisode),
  };
}

function openRows(format: 'traces' | 'results', inode: number): Known {
  const read = format === 'traces' ? readTrace : readResult;
  const groupings = knownGroupings();
  const seen = new Map<string, number>();
  const episodes: RunEpisode[] = [];
  const state: Known = {
    inode,
    offset: 0,
    first: null,
    add(text) {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return false;
      }
      const context: ForeignContext = {
        task: episodes.length,
        groupings,
        rolloutOf(key) {
          const before = seen.get(key) ?? 0;
          seen.set(key, before + 1);
          return before;
        },
      };
      const episode = read(value, context);
      if (episode === null) return false;
      state.first ??= value;
      episodes.push(slimEpisode(episode));
      return true;
    },
    episodes: () => episodes,
  };
  return state;
}

function foreignInfo(
  folder: string,
  format: FolderFormat,
  foreign: unknown,
  first: unknown,
  episodes: readonly RunEpisode[],
): RunInfo {
  const facts = { folder, name: basename(folder) };
  if (format === 'results') return infoOfResults(foreign, episodes.length, facts);
  const rollouts = episodes.reduce((most, { rollout }) => Math.max(most, rollout + 1), 1);
  return infoOfTraces(foreign, first, episodes.length, rollouts, facts);
}
