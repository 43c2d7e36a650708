/** Making a folder together with those above it. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from './failure.ts';

/**
 * Makes the folder `path`, and all above it that are missing; nothing when it is there. Node's own way of doing so never
 * ends where a folder says that it is there and that nothing can be in it, as some do that a system only makes up.
 *
 * @throws the system's error for the first one that cannot be made.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !isThere(at); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    if (isThere(folder)) continue; // somebody was quicker
    mkdirOf(folder);
  }
}

/** Whether something is there that may be a folder: the root is, whatever the system says. */
function isThere(path: string): boolean {
  if (path === dirname(path)) return true;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory())
    throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
  return found !== undefined;
}

function mkdirOf(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' && isThere(folder)) return;
    // The one above it is there: then it is a place where nothing can be made.
    if (code === 'ENOENT')
      throw new Error(`no folder can be made in ${dirname(folder)}; choose another place`);
    throw error;
  }
}
