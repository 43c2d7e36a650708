/** The files of a published data set in a folder of the user's, each with the hash of what was read. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import { errorCode, explain } from '../failure.ts';

export interface PublishedFiles {
  /** The text of a file, by its path in the data set; the error is a sentence without its full stop. */
  read(name: string): Checked<string>;
  /** Over everything that `work` reads: `sha256:` and the hash of all paths and hashes. */
  hashOf(work: () => void): string;
}

/** Looks into the folder, and into a folder `dataset` in it: it may be a checkout of the source. */
export function openPublishedFiles(folder: string): PublishedFiles {
  const sums = new Map<string, string>();
  let reading = new Set<string>();
  return {
    read(name) {
      for (const root of [folder, path.join(folder, 'dataset')]) {
        const file = path.join(root, ...name.split('/'));
        try {
          const bytes = readFileSync(file);
          sums.set(name, createHash('sha256').update(bytes).digest('hex'));
          reading.add(name);
          return accept(bytes.toString('utf8'));
        } catch (error) {
          if (errorCode(error) !== 'ENOENT') return refuse(`cannot read ${file}: ${explain(error)}`);
        }
      }
      return refuse(`there is no ${name} in ${folder}`);
    },
    hashOf(work) {
      reading = new Set();
      work();
      const list = [...reading].sort().map((name) => `${sums.get(name)}  ${name}\n`);
      return `sha256:${createHash('sha256').update(list.join('')).digest('hex')}`;
    },
  };
}
