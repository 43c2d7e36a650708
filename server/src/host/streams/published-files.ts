/** The files of a published data set, from a folder of the user's or from where data are otherwise, each with its hash. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { DataSet } from '../../engine/environments/data-set.ts';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import { describeState } from '../data/check.ts';
import { placesOf } from '../data/folders.ts';
import { absentData, hashOf, inspectFile } from '../data/open.ts';
import { Failure } from '../failure.ts';

export interface PublishedFiles {
  /** The text of a file, by its path in the data set; the error is a sentence without its full stop. */
  read(name: string): Checked<string>;
  /** Over everything that `work` reads: `sha256:` and the hash of all paths and hashes. */
  hashOf(work: () => void): string;
}

/**
 * @param folder a checkout of the source, or the folder of the files in it; null for where `data fetch` puts them.
 * @param names what is going to be read.
 * @throws Failure with a sentence for everything that is missing or wrong with it.
 */
export function openPublishedFiles(
  set: DataSet,
  folder: string | null,
  names: readonly string[],
): PublishedFiles {
  const places = folder === null ? placesOf(set) : [folder, path.join(folder, set.folder)];
  if (folder !== null && !isFolder(folder)) {
    throw new Failure('request', `There is no folder ${folder}.`);
  }
  const declared = new Map(set.files.map((file) => [file.path, file]));
  const sums = new Map<string, string>();
  let reading = new Set<string>();
  const inspect = (name: string) =>
    inspectFile(places, declared.get(name) ?? { path: name, sha256: null, bytes: null });
  const states = names.map((name) => ({ name, state: inspect(name) }));
  const missing = states.flatMap(({ name, state }) => (state.kind === 'missing' ? [name] : []));
  const bad = states.flatMap(({ state }) => (state.kind === 'bad' ? [state.problem] : []));
  if (folder === null && missing.length === names.length) {
    throw new Failure('request', sentence(`${absentData(set)}`));
  }
  if (missing.length + bad.length > 0) {
    throw new Failure('request', problemsOf(set, folder, missing, bad));
  }
  return {
    read(name) {
      const state = inspect(name);
      if (state.kind === 'missing') return refuse(`there is no ${name} in ${folder ?? set.id}`);
      if (state.kind === 'bad') return refuse(state.problem);
      const sum = hashOf(state.bytes);
      if ((sums.get(name) ?? sum) !== sum) return refuse(`${state.file} changed while it was used`);
      sums.set(name, sum);
      reading.add(name);
      return accept(state.bytes.toString('utf8'));
    },
    hashOf(work) {
      reading = new Set();
      work();
      const list = [...reading].sort().map((name) => `${sums.get(name)}  ${name}\n`);
      return `sha256:${hashOf(Buffer.from(list.join('')))}`;
    },
  };
}

function isFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

function problemsOf(
  set: DataSet,
  folder: string | null,
  missing: readonly string[],
  bad: readonly string[],
): string {
  if (folder === null) {
    const files = set.files.filter(({ path: name }) => missing.includes(name));
    return describeState(set, { folders: [], good: 0, missing: files, bad }).join(' ');
  }
  const sentences = bad.map((problem) => sentence(problem));
  if (missing.length > 0) {
    const some = missing.slice(0, 10).join(', ');
    const more = missing.length > 10 ? ` and ${missing.length - 10} more files` : '';
    sentences.push(`There is no ${some}${more} in ${folder}.`);
  }
  return sentences.join(' ');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
