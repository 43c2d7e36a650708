/** Writing whole files: what stands under a name is the old content or the new one, never a part. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { explain, Failure } from '../failure.ts';
import { passingName } from '../passing-name.ts';

/**
 * Writes a file under a temporary name beside it, forces it to the disk and gives it its name.
 *
 * @param write is given the open file.
 * @throws Failure when it cannot be written; nothing of it is left then.
 */
export async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const partial = passingName(path, 'partial');
  try {
    const file = await open(partial, 'w');
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    if (error instanceof Failure) throw error;
    throw new Failure('run', `Cannot write ${path}: ${explain(error)}.`);
  }
}

/** Forces the names in a folder to the disk, where the system can. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch {
    // Windows opens no folders; there the names are on the disk when the system says so.
  }
}
