/**
 * Hashes of files whose publisher tells none: kept beside them when they are fetched, in the form that `sha256sum -c` takes,
 * so that nobody takes other files for them later.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode, explain, Failure } from '../failure.ts';
import { writeWhole } from '../runs/atomic.ts';

const fileName = 'SHA256SUMS';

/** The hashes that are kept in a folder, by the path of the file; none when there is no list. @throws Failure */
export function keptSums(folder: string): ReadonlyMap<string, string> {
  const file = path.join(folder, fileName);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return new Map();
    throw new Failure('request', `Cannot read ${file}: ${explain(error)}.`);
  }
  const lines = text.matchAll(/^([0-9a-f]{64}) [ *](.+?)\r?$/gm);
  return new Map(Array.from(lines, ([, sum = '', name = '']) => [name, sum]));
}

/** Writes the list. @throws Failure when that is not possible. */
export async function keepSums(folder: string, sums: ReadonlyMap<string, string>): Promise<void> {
  const lines = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => `${sum}  ${name}\n`);
  await writeWhole(path.join(folder, fileName), async (file) => {
    await file.write(lines.join(''));
  });
}
