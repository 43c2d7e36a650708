/** Finding out where a run lies and which format it has. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { RunConfig } from '../../engine/evals/run-config.ts';
import type { RunFormat } from '../../engine/evals/run-data.ts';
import { Failure } from '../failure.ts';
import { isStreamAddress } from '../streams/stream-address.ts';
import { files, readConfig } from './folder.ts';

/** Where a run lies and in which format. */
export interface RunPlace {
  readonly folder: string;
  readonly format: RunFormat;
  /** Of our own runs. */
  readonly config: RunConfig | null;
}

/**
 * Finds out what is in a folder, or in the folder of a file such as `traces.jsonl`.
 *
 * @throws Failure when there is no run.
 */
export async function locateRun(path: string): Promise<RunPlace> {
  if (isStreamAddress(path)) return { folder: path, format: 'stream', config: null };
  const given = await stat(path).catch(() => null);
  if (given === null) throw new Failure('request', `There is no run ${path}; check the path.`);
  const folder = given.isDirectory() ? path : dirname(path);
  const named = given.isDirectory() ? null : basename(path);
  const holds = async (name: string) => (await stat(join(folder, name)).catch(() => null))?.isFile() === true;
  if (named === null || named === files.steps) {
    // Of a run that has just been made there is only the configuration; other programs have one of the same name.
    const isForeign = (await holds(files.traces)) || (await holds(files.results));
    const config = (await holds(files.steps)) || !isForeign ? await readConfig(folder) : null;
    if (config !== null) return { folder, format: 'hopscope', config };
  }
  for (const format of ['traces', 'results'] as const) {
    if (named === null ? await holds(files[format]) : named === files[format])
      return { folder, format, config: null };
  }
  const { findStreamAddress } = await import('../streams/find-address.ts'); // knows all environments
  const address = await findStreamAddress(path);
  if (address !== null) return { folder: address, format: 'stream', config: null };
  throw new Failure(
    'request',
    `${path} holds no run: there is neither ${files.steps} nor ${files.traces} nor ${files.results}.`,
  );
}
