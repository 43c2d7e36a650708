/**
 * Where data sets may lie: in a folder that a person named, or in the cache that they were fetched into. A named folder may
 * hold data sets by their names, be one itself, or be a checkout of the source.
 */
import { homedir } from 'node:os';
import path from 'node:path';
import type { DataSet } from '../../engine/environments/data-set.ts';

/** Names the folder; worker threads and child processes get it from the process that starts them. */
const DATA_VARIABLE = 'HOPSCOPE_DATA';

/** The folder that was named, as an absolute path; null when none was. */
export function namedFolder(): string | null {
  const named = process.env[DATA_VARIABLE] ?? '';
  return named.trim() === '' ? null : path.resolve(named);
}

/** Has this process, and those it starts from now on, look there first; null for nowhere but the cache. */
export function nameFolder(folder: string | null): void {
  if (folder === null || folder.trim() === '') delete process.env[DATA_VARIABLE];
  else process.env[DATA_VARIABLE] = path.resolve(folder);
}

/** Where fetched data sets are kept: where the system keeps what can be had again. */
export function cacheFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const given = env['HOPSCOPE_CACHE'];
  if (given !== undefined && given !== '') return path.resolve(given, 'data');
  const home = homedir();
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'hopscope', 'data');
  if (platform === 'win32') {
    return path.join(env['LOCALAPPDATA'] || path.join(home, 'AppData', 'Local'), 'hopscope', 'cache', 'data');
  }
  // The specification asks for an absolute path.
  const xdg = env['XDG_CACHE_HOME'] ?? '';
  return path.join(path.isAbsolute(xdg) ? xdg : path.join(home, '.cache'), 'hopscope', 'data');
}

/** The folder of the cache that a data set is fetched into: a commit has its own. */
export function cachedIn({ id, commit }: DataSet): string {
  return path.join(cacheFolder(), id, commit.slice(0, 12));
}

/** Folders in which the files of a data set are looked for, the first one that has a file counts. */
export function placesOf(set: DataSet): readonly string[] {
  const named = namedFolder();
  const roots = named === null ? [] : [path.join(named, set.id), named];
  return [...roots.flatMap((root) => [root, path.join(root, set.folder)]), cachedIn(set)];
}
