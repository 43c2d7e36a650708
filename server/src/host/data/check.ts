/** How a data set stands on this machine, file by file. */
import path from 'node:path';
import type { DataFile, DataSet } from '../../engine/environments/data-set.ts';
import { placesOf } from './folders.ts';
import { inspectFile } from './open.ts';

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

/** Whether the first file is there: a quick guess at whether all are. Damaged files are told of when they are read. */
export function seemsPresent(set: DataSet): boolean {
  const [first] = set.files;
  return first === undefined || inspectFile(placesOf(set), first).kind === 'good';
}
