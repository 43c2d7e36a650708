/**
 * A file of episodes that may be gigabytes: its first rows are there as soon as it is open, the rest is found a piece at a
 * time, and a row is read only when somebody looks at it.
 */
import type { ForeignContext } from '../../engine/evals/formats/foreign.ts';
import { readResult } from '../../engine/evals/formats/read-result.ts';
import { readTrace } from '../../engine/evals/formats/read-trace.ts';
import { knownGroupings } from '../../engine/evals/known-groupings.ts';
import type { RunEpisode } from '../../engine/evals/run-data.ts';
import { openLineIndex } from './line-index.ts';

export interface RunRows {
  /** Rows found so far. */
  readonly count: number;
  /** Whether the whole file has been gone through. */
  readonly complete: boolean;
  /** Looks further. @throws Failure when the file cannot be read. */
  more(): Promise<void>;
  /**
   * Rows from `from` on, at most `count` of those found so far; null for a line that is no episode. Rollouts are numbered
   * only where the lines say so: nobody has read the others.
   */
  rows(from: number, count: number): Promise<readonly (RunEpisode | null)[]>;
  close(): Promise<void>;
}

/** Bytes gone through by one call of `more`: some milliseconds. */
const stretch = 32 * 2 ** 20;
/** Bytes gone through when a file is opened: more than the first screen of rows takes. */
const firstStretch = 8 * 2 ** 20;

/** Opens `traces.jsonl` or `results.jsonl`. @throws Failure when it cannot be read. */
export async function openRunRows(path: string, format: 'traces' | 'results'): Promise<RunRows> {
  const index = await openLineIndex(path, 'line');
  const groupings = knownGroupings();
  const read = format === 'traces' ? readTrace : readResult;

  async function row(at: number): Promise<RunEpisode | null> {
    const context: ForeignContext = { task: at, groupings, rolloutOf: () => 0 };
    try {
      return read(JSON.parse(await index.read(at)), context);
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      throw error;
    }
  }

  await index.scan(firstStretch);
  return {
    get count() {
      return index.count;
    },
    get complete() {
      return index.scanned >= index.size;
    },
    more: () => index.scan(stretch),
    async rows(from, count) {
      const end = Math.min(index.count, from + count);
      const found: (RunEpisode | null)[] = [];
      for (let at = from; at < end; at++) found.push(await row(at));
      return found;
    },
    close: () => index.close(),
  };
}
