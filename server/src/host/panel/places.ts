/** Stretches of a file that are read again later. */
import { open } from 'node:fs/promises';
import { explain, Failure } from '../failure.ts';

export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** The texts at some places of a file. @throws Failure when they cannot be read. */
export async function readPlaces(path: string, places: readonly Place[]): Promise<string[]> {
  try {
    const file = await open(path, 'r');
    try {
      const texts: string[] = [];
      for (const { offset, length } of places) {
        const bytes = Buffer.alloc(length);
        await file.read(bytes, 0, length, offset);
        texts.push(bytes.toString('utf8').replace(/^\uFEFF/, ''));
      }
      return texts;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new Failure('run', `Cannot read ${path} again: ${explain(error)}.`);
  }
}

/** What is said of a file in which something else stands by now. */
export function changedFile(path: string): Failure {
  return new Failure('run', `${path} is not what it was when it was read; open the run again.`);
}
