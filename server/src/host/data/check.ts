/** How a data set stands on this machine, file by file. */
import path from 'node:path';
import type { DataFile, DataSet } from '../../engine/environments/data-set.ts';
import { placesOf } from './folders.ts';
import { absentData, inspectFile, remedies } from './open.ts';

export interface DataState {
  /** Folders in which files were found, the one with most of them first. */
  readonly folders: readonly string[];
  readonly good: number;
  readonly missing: readonly DataFile[];
  /** Files that are there and not what they should be: sentences without their full stop. */
  readonly bad: readonly string[];
}

/** Reads and hashes every file that is there. @param places where to look, in order. */
export function checkData(set: DataSet, places: readonly string[] = placesOf(set)): DataState {
  const found = new Map<string, number>();
  const missing: DataFile[] = [];
  const bad: string[] = [];
  let good = 0;
  for (const declared of set.files) {
    const state = inspectFile(places, declared);
    if (state.kind === 'missing') missing.push(declared);
    else if (state.kind === 'bad') bad.push(state.problem);
    else {
      good++;
      const folder = path.normalize(state.file).slice(0, -declared.path.length - 1);
      found.set(folder, (found.get(folder) ?? 0) + 1);
    }
  }
  const folders = [...found].sort(([, a], [, b]) => b - a).map(([folder]) => folder);
  return { folders, good, missing, bad };
}

/** Files named one by one; of more only the number is told. */
const named = 10;

/**
 * What is wrong with a data set that is there in part, in whole sentences: one for all missing files, one for each bad one,
 * at most ten of a kind. Empty when nothing is wrong.
 */
export function describeState(set: DataSet, { missing, bad }: DataState): readonly string[] {
  const sentences = bad.slice(0, named).map((problem) => {
    const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`;
    return bad.length === 1 ? `${sentence}; ${remedies(set).bad}.` : `${sentence}.`;
  });
  if (bad.length > named) sentences.push(`${bad.length - named} more files are not the published ones.`);
  if (bad.length > 1) sentences.push(`Take them away, then ${remedies(set).missing}.`);
  if (missing.length > 0) {
    const of = `${missing.length} of the ${set.files.length} files of the data "${set.title}"`;
    const names = missing.slice(0, named).map(({ path: name }) => name);
    const more = missing.length > named ? ` and ${missing.length - named} more` : '';
    const are = missing.length === 1 ? 'is' : 'are';
    sentences.push(`${of} ${are} missing: ${names.join(', ')}${more}; ${remedies(set).missing}.`);
  }
  return sentences;
}

/** Why no instance should be made from a data set, in whole sentences; null when all of it is there. */
export function dataProblem(set: DataSet): string | null {
  const state = checkData(set);
  if (state.good === set.files.length) return null;
  if (state.missing.length < set.files.length) return describeState(set, state).join(' ');
  const sentence = absentData(set);
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
