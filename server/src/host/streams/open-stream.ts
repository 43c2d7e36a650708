/** A stream with its file: what was recorded is taken up, everything new is kept. */
import { dirname } from 'node:path';
import type { AnyInstance } from '../../engine/environments/environment.ts';
import type { StreamWindow } from '../../engine/environments/streams.ts';
import type { Begun } from '../../engine/evals/stream-begun.ts';
import { explain, Failure } from '../failure.ts';
import { makeFolder } from '../make-folder.ts';
import { lockFile } from '../runs/lock.ts';
import { addTokens, noTokens, tokensOf } from './play-served.ts';
import { keptRows, runStream, type StreamEnd, type StreamRun } from './run-stream.ts';
import {
  type EpisodeRow,
  type LostLine,
  nothingRecorded,
  openStreamFile,
  type Recorded,
  readStreamFile,
  type StreamConfig,
  streamLine,
} from './stream-file.ts';

/** What is taken up of a file, and what of it has to be played again. */
export interface TakenUp extends Recorded {
  /** Episodes that are as they were written and have to be played again, since their block was not finished. */
  readonly again: number;
}

/**
 * Runs a stream and keeps it in a file, which is gone on with when it is there.
 *
 * @param told hears of what is taken up before anything is played.
 * @throws Failure when the file is another stream's, or something cannot be played or kept.
 */
export async function runStreamInFile<I extends AnyInstance, O, S>(
  run: Omit<StreamRun<I, O, S>, 'recorded' | 'keep'>,
  path: string,
  config: StreamConfig,
  told: (taken: TakenUp) => void = () => undefined,
  begun: Begun | null = null,
): Promise<StreamEnd> {
  const opened = run.streams.open(run.stream);
  if (!opened.ok) throw new Failure('request', `${opened.error}.`);
  makeFolderOf(path);
  const lock = await lockFile(path);
  try {
    return await runLocked(run, opened.value, path, config, told, begun);
  } finally {
    lock.release();
  }
}

/** @throws Failure */
function makeFolderOf(path: string): void {
  try {
    makeFolder(dirname(path));
  } catch (error) {
    throw new Failure('request', `Cannot make ${dirname(path)}: ${explain(error)}.`);
  }
}

async function runLocked<I extends AnyInstance, O, S>(
  run: Omit<StreamRun<I, O, S>, 'recorded' | 'keep'>,
  windows: readonly StreamWindow<I>[],
  path: string,
  config: StreamConfig,
  told: (taken: TakenUp) => void,
  begun: Begun | null,
): Promise<StreamEnd> {
  const found = readStreamFile(path, config) ?? nothingRecorded;
  const rows = keptRows(windows, run.streams.blockSize, found);
  const kept = new Set(rows);
  const blocks = new Set(rows.map(({ window, block }) => `${window}/${block}`));
  const isOfBlock = ({ window, block }: { window: number; block: number }) =>
    blocks.has(`${window}/${block}`);
  const updates = found.updates.filter(isOfBlock);
  const again = found.rows.filter((row) => !kept.has(row));
  const lost = [
    ...found.lost,
    ...[...again, ...found.changed].map(lostRow),
    ...found.updates.filter((it) => !isOfBlock(it)).map(lostUpdate),
  ];
  const recorded = { ...found, rows, updates, lost: byPlace(lost) };
  told({ ...recorded, again: again.length });
  const file = await openStreamFile(path, config, goingOn(begun, found.begun), [
    ...rows,
    ...updates.map((update) => ({ update })),
    ...recorded.lost.map((it) => ({ lost: it })),
  ]);
  try {
    return await runStream({ ...run, recorded, keep: (line) => file.append(streamLine(line)) });
  } finally {
    file.close();
  }
}

/** What is said of the beginning, when a file is gone on with: who went on says where from now on. */
function goingOn(now: Begun | null, then: Begun | null): Begun | null {
  return now === null || then === null ? (now ?? then) : { ...now, created: then.created };
}

function lostRow({ window, block, tokens, judge_tokens }: EpisodeRow): LostLine {
  return { window, block, episodes: 1, tokens: tokensOf(tokens), judge_tokens: tokensOf(judge_tokens) };
}

function lostUpdate({ window, block, tokens }: Recorded['updates'][number]): LostLine {
  return { window, block, episodes: 0, tokens: tokensOf(tokens), judge_tokens: noTokens };
}

/** One line for each block, and for the test tasks of each window. */
function byPlace(lines: readonly LostLine[]): LostLine[] {
  const sums = new Map<string, LostLine>();
  for (const line of lines) {
    const key = `${line.window}/${line.block}`;
    const sum = sums.get(key);
    sums.set(key, {
      window: line.window,
      block: line.block,
      episodes: (sum?.episodes ?? 0) + line.episodes,
      tokens: addTokens(sum?.tokens ?? noTokens, tokensOf(line.tokens)),
      judge_tokens: addTokens(sum?.judge_tokens ?? noTokens, tokensOf(line.judge_tokens)),
    });
  }
  return [...sums.values()].filter(({ tokens, judge_tokens }) => tokens.calls + judge_tokens.calls > 0);
}
