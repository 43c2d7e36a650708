/** Reads the files of a data set from where they are. Files are small and read once, so reading does not need to wait. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { DataFile, DataFiles, DataSet } from '../../engine/environments/data-set.ts';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import { errorCode, explain } from '../failure.ts';
import { mostUnsized, readSized } from '../input.ts';
import { placesOf } from './folders.ts';
import { keptSums } from './sums.ts';

/** How one declared file stands. */
export type FileState =
  | { readonly kind: 'good'; readonly file: string; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  /** `problem` is a sentence without its full stop. */
  | { readonly kind: 'bad'; readonly file: string; readonly problem: string };

/** Looks for a file in `places` and holds the first one that is there against its hash. */
export function inspectFile(places: readonly string[], declared: DataFile): FileState {
  for (const place of places) {
    const file = path.join(place, ...declared.path.split('/'));
    const sha256 = declared.sha256 ?? keptSums(place).get(declared.path) ?? null;
    let bytes: ReturnType<typeof readSized>;
    try {
      bytes = readSized(file, declared.bytes);
    } catch (error) {
      if (absent.has(errorCode(error) ?? '')) continue;
      return { kind: 'bad', file, problem: `cannot read ${file}: ${explain(error)}` };
    }
    let how: string;
    if (Buffer.isBuffer(bytes)) {
      const sum = hashOf(bytes);
      if (sha256 === null || sum === sha256) return { kind: 'good', file, bytes };
      how = `its SHA-256 begins with ${sum.slice(0, 12)} in place of ${sha256.slice(0, 12)}`;
    } else {
      const expected = declared.bytes ?? `at most ${mostUnsized}`;
      how = `it has ${bytes.size} bytes in place of ${expected}`;
    }
    return { kind: 'bad', file, problem: `${file} is not the published file: ${how}` };
  }
  return { kind: 'missing' };
}

/** What the system says of a path at which there is nothing. */
const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** SHA-256 in lower-case hexadecimal digits. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * The contents of a data set. Looks for each file when it is asked for, and again as long as it is not there: what was
 * fetched meanwhile, or lies in a folder that was named meanwhile, is found.
 */
export function openDataFiles(set: DataSet): DataFiles {
  const declared = new Map(set.files.map((file) => [file.path, file]));
  return {
    text(name): Checked<string> {
      const file = declared.get(name);
      if (file === undefined) return refuse(`${set.id} has no file ${name}`);
      const state = inspectFile(placesOf(set), file);
      if (state.kind === 'good') return accept(state.bytes.toString('utf8'));
      if (state.kind === 'bad') return refuse(`${state.problem}; ${remedies(set).bad}`);
      const isNowhere = set.files.every((one) => inspectFile(placesOf(set), one).kind === 'missing');
      return refuse(
        isNowhere
          ? absentData(set)
          : `the data "${set.title}" lack the file ${file.path}; ${remedies(set).missing}`,
      );
    },
  };
}

/** That a data set is not there and what to do, as a sentence without its full stop. */
export function absentData(set: DataSet): string {
  return (
    `the data "${set.title}" are not on this machine: get them once with ${fetching(set)} (${megabytes(set)}, in the ` +
    'editor "Hopscope: Get Data…"), or name a folder that has them with --data, HOPSCOPE_DATA or the setting ' +
    'hopscope.dataFolder'
  );
}

/** What to do about files, of a set that is there in part, that are missing or bad. */
export function remedies(set: DataSet): { readonly missing: string; readonly bad: string } {
  const again = `get what is not there with ${fetching(set)}`;
  return { missing: again, bad: `take it away, then ${again}` };
}

function fetching({ id }: DataSet): string {
  return `"hopscope data fetch ${id}"`;
}

/** The size of all files, e.g. `5.6 MB`, or that it is not known. */
export function megabytes({ files }: Pick<DataSet, 'files'>): string {
  if (files.some(({ bytes }) => bytes === null)) return 'of unknown size';
  return `${(files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) / 1e6).toFixed(1)} MB`;
}
