/**
 * Data that an environment takes from outside: which files they are, by path and hash, and how the environment gets to
 * their contents. The engine opens no files. An environment declares a {@link DataSet}; whoever has the files binds the
 * environment to them (`Environment.data`), and only then can it make instances.
 *
 * A file counts only when its bytes have the declared hash. That keeps instances a pure function of their arguments: the
 * contents are as fixed as if they stood in the code.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Checked } from '../problem.ts';

export interface DataFile {
  /** Relative to {@link DataSet.folder}, with `/` between its parts. */
  readonly path: string;
  /**
   * Of the bytes, in lower-case hexadecimal digits. Null where nobody publishes it: then the hash that the file had when it
   * was fetched is the one to keep, and its contents are for the environment to check.
   */
  readonly sha256: string | null;
  /** Null where it is not published. */
  readonly bytes: number | null;
}

export interface DataSet {
  /** Lower-case letters, digits and hyphens: its name in commands, and of its folder. */
  readonly id: string;
  /** In a few words. */
  readonly title: string;
  /** Who publishes them and under what licence, as a sentence without its full stop. */
  readonly origin: string;
  /** The pinned state of the source: 40 hexadecimal digits. */
  readonly commit: string;
  /** Address of the source's files, with `{commit}` where another commit could stand; no slash at the end. */
  readonly address: string;
  /** Where in the source the files lie, without slashes at its ends; empty for its root. */
  readonly folder: string;
  readonly files: readonly DataFile[];
}

/** The contents of a data set. Every file is looked at when it is first asked for. */
export interface DataFiles {
  /**
   * The file's text. The same one whenever it is asked for, once it is there.
   *
   * @param path as declared.
   * @returns as error a sentence without its full stop: what is missing or wrong, and how to get it.
   */
  text(path: string): Checked<string>;
}

/** What an environment has to say about its data. */
export interface DataNeed<E> {
  readonly set: DataSet;
  /** The splits whose instances are made from them; all when absent. */
  readonly splits?: readonly string[];
  /** The same environment with contents. Looks at no file yet. */
  bind(files: DataFiles): E;
}

/** Which data a run was made with. */
export interface DataVersion {
  readonly set: string;
  readonly commit: string;
  /** `sha256:` and the hash of the list of all paths and hashes. */
  readonly hash: string;
}

const versions = new WeakMap<DataSet, DataVersion>();

/** What identifies a data set: two are equal exactly when they name the same bytes under the same commit. */
export function versionOf(set: DataSet): DataVersion {
  const known = versions.get(set);
  if (known !== undefined) return known;
  const list = set.files.map(({ path, sha256: sum }) => `${sum ?? '-'}  ${path}\n`).sort();
  const hash = `sha256:${bytesToHex(sha256(utf8ToBytes(list.join(''))))}`;
  const version = { set: set.id, commit: set.commit, hash };
  versions.set(set, version);
  return version;
}

/** Whether the instances of `split` are made from the data. */
export function needsData({ splits }: DataNeed<unknown>, split: string): boolean {
  return splits?.includes(split) ?? true;
}

/** Stands for files of which none is there: what an environment is bound to before anybody has looked for them. */
export function noData({ id, title }: DataSet): DataFiles {
  const error = `the data "${title}" are not on this machine; "hopscope data fetch ${id}" gets them`;
  return { text: () => ({ ok: false, error }) };
}
