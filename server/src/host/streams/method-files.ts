/**
 * The files of a method: its own, and those that it names by a path relative to themselves, as in `import './words.mjs'`,
 * `require('./words.cjs')` or `new URL('./words.txt', import.meta.url)`, and so on from each. Names that are put together
 * only when the method runs are not seen, packages and absolute paths are not followed.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from '../data/open.ts';

interface MethodFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** What names another file. In a comment it only adds a file. */
const naming =
  /\b(?:from|import|require|URL)\s{0,99}\(?\s{0,99}(["'`])(\.{1,2}\/[^"'`\n?#]{1,500})[^"'`\n]{0,100}\1/g;

/** Files that are looked into. */
const isCode = /\.[cm]?js$/;

/** What `require` leaves out. */
const endings = ['', '.js', '.cjs', '.json', '/index.js'];

/** More files than any method has. */
const mostFiles = 1000;

/** The files, the method's own first. Throws what reading that one throws; of others, those that can be read are there. */
export function methodFiles(file: string): readonly MethodFile[] {
  const found: MethodFile[] = [{ path: file, bytes: readFileSync(file) }];
  const seen = new Set([file]);
  // Grows while it is gone through.
  for (const one of found) {
    if (!isCode.test(one.path)) continue;
    for (const [, , name = ''] of one.bytes.toString('utf8').matchAll(naming)) {
      const wanted = path.resolve(path.dirname(one.path), name);
      const there = endings.map((end) => wanted + end).find(isFile);
      if (there === undefined || seen.has(there) || found.length >= mostFiles) continue;
      seen.add(there);
      found.push({ path: there, bytes: readFileSync(there) });
    }
  }
  return found;
}

/** The hash of a method's content: of its file where it is alone, otherwise of the names and contents of all. */
export function methodHash(file: string): string {
  const [own, ...others] = methodFiles(file);
  if (own === undefined || others.length === 0) return own === undefined ? '' : hashOf(own.bytes);
  const lines = [own, ...others].map((one) => {
    const name = path.relative(path.dirname(file), one.path).replaceAll('\\', '/');
    return `${hashOf(one.bytes)}  ${name}\n`;
  });
  return hashOf(Buffer.from(lines.sort().join('')));
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
