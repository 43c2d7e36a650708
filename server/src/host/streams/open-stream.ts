/** A stream with its file: what was recorded is taken up, everything new is kept. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AnyInstance } from '../../engine/environments/environment.ts';
import type { StreamWindow } from '../../engine/environments/streams.ts';
import type { Begun } from '../../engine/evals/stream-begun.ts';
import { explain, Failure } from '../failure.ts';
import { lockFile } from '../runs/lock.ts';
import { keptRows, runStream, type StreamEnd, type StreamRun } from './run-stream.ts';
import { openStreamFile, type Recorded, readStreamFile, type StreamConfig } from './stream-file.ts';

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
  told: (recorded: Recorded) => void = () => undefined,
  begun: Begun | null = null,
): Promise<StreamEnd> {
  const opened = run.streams.open(run.stream);
  if (!opened.ok) throw new Failure('request', `${opened.error}.`);
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw new Failure('request', `Cannot make ${dirname(path)}: ${explain(error)}.`);
  }
  const lock = await lockFile(path);
  try {
    return await runLocked(run, opened.value, path, config, told, begun);
  } finally {
    lock.release();
  }
}

async function runLocked<I extends AnyInstance, O, S>(
  run: Omit<StreamRun<I, O, S>, 'recorded' | 'keep'>,
  windows: readonly StreamWindow<I>[],
  path: string,
  config: StreamConfig,
  told: (recorded: Recorded) => void,
  begun: Begun | null,
): Promise<StreamEnd> {
  const found = readStreamFile(path, config) ?? { rows: [], updates: [], begun: null };
  const rows = keptRows(windows, run.streams.blockSize, found);
  const blocks = new Set(rows.map(({ window, block }) => `${window}/${block}`));
  const updates = found.updates.filter(({ window, block }) => blocks.has(`${window}/${block}`));
  told({ rows, updates, begun: found.begun });
  const kept = [...rows, ...updates.map((update) => ({ update }))];
  const file = await openStreamFile(path, config, goingOn(begun, found.begun), kept);
  try {
    return await runStream({
      ...run,
      recorded: { rows, updates },
      keep: (line) => file.append(`${JSON.stringify(line)}\n`),
    });
  } finally {
    file.close();
  }
}

/** What is said of the beginning, when a file is gone on with: who went on says where from now on. */
function goingOn(now: Begun | null, then: Begun | null): Begun | null {
  return now === null || then === null ? (now ?? then) : { ...now, created: then.created };
}

/** Where the file of a stream lies in a folder of results: by the last part of the model's name. */
export function streamFileName(model: string, stream: string, method: string): string {
  const tail = (text: string) => {
    const name = (text.split(/[\\/]/).at(-1) ?? '').replace(/[^\w.-]+/g, '-');
    return /^\.*$/.test(name) ? 'model' : name;
  };
  return `${tail(model)}/${stream}_${tail(method).replace(/\.[cm]?js$/, '')}.jsonl`;
}
