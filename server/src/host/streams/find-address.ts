/** Finding the streams that somebody means who names a file of theirs, or a folder that holds them. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../failure.ts';
import { isStreamAddress } from './stream-address.ts';
import { type StreamGroup, streamGroups } from './stream-group.ts';

/**
 * The address of the streams that a path stands for: a file of theirs, their folder, or the folder above.
 *
 * @returns null where there are no streams.
 * @throws Failure with what to name where there are several.
 */
export async function findStreamAddress(given: string): Promise<string | null> {
  if (isStreamAddress(given)) return given;
  const groups = await groupsAt(given);
  const [first, ...others] = groups;
  if (first === undefined) return null;
  if (others.length === 0) return first.address;
  const names = groups.slice(0, 8).map(({ address }) => address);
  const more = groups.length > names.length ? `, and ${groups.length - names.length} more` : '';
  throw new Failure('request', `${given} holds several streams; name them: ${names.join(', ')}${more}.`);
}

/** Says how streams are gone on with; nothing where the path stands for none. @throws Failure */
export async function refuseStreams(given: string): Promise<void> {
  if (!isStreamAddress(given) && (await groupsAt(given)).length === 0) return;
  throw new Failure(
    'request',
    `${given} is of streams, not a run: the "hopscope eval" command that began them goes on with them.`,
  );
}

async function groupsAt(given: string): Promise<readonly StreamGroup[]> {
  const found = await stat(given).catch(() => null);
  if (found?.isFile()) {
    const { groups } = await streamGroups(path.dirname(given));
    return groups.filter(({ files }) =>
      files.some((file) => path.resolve(file.path) === path.resolve(given)),
    );
  }
  if (!found?.isDirectory()) return [];
  const { groups } = await streamGroups(given);
  if (groups.length > 0) return groups;
  const entries = await readdir(given, { withFileTypes: true }).catch(() => []);
  const below: StreamGroup[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) below.push(...(await streamGroups(path.join(given, entry.name))).groups);
  }
  return below;
}
