/** Writing suites. Files of instances are named from where the suite is, so that a folder with both can be moved. */

import { open } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { printSuite } from '../engine/evals/suite-file.ts';
import type { Suite, SuiteMember } from '../engine/evals/suites.ts';
import { errorCode, explain, Failure } from './failure.ts';

/** The ending by which suites are known. */
export const suiteEnding = '.suite.json';

/**
 * Writes a suite whose files of instances are paths from the current folder.
 *
 * @param replace whether a file that is there may be written over.
 * @throws Failure when it cannot be written.
 */
export async function writeSuite(path: string, suite: Suite, replace: boolean): Promise<void> {
  const folder = dirname(path);
  const text = printSuite({ ...suite, members: suite.members.map((member) => seenFrom(folder, member)) });
  try {
    const file = await open(path, replace ? 'w' : 'wx');
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  } catch (error) {
    const reason =
      errorCode(error) === 'EEXIST' ? 'it is there already; write over it with --force' : explain(error);
    throw new Failure('request', `Cannot write ${path}: ${reason}.`);
  }
}

function seenFrom(folder: string, member: SuiteMember): SuiteMember {
  const { source } = member;
  if (!('file' in source)) return member;
  const file = relative(folder, source.file).replaceAll('\\', '/');
  return { ...member, source: { ...source, file } };
}
