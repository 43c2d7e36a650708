/**
 * A run read a little at a time, without the texts in it: what was said is read again when somebody looks at an episode.
 * So gigabytes fit, first rows are there at once, and a run that goes on is followed by reading on.
 */
import type { Event } from '../../engine/environments/chat.ts';
import type { StepCost } from '../../engine/evals/panel/steps.ts';
import type { RunEpisode, RunInfo } from '../../engine/evals/run-data.ts';
import { locateRun, type RunPlace } from '../runs/locate-run.ts';
import { openForeignReader } from './foreign-reader.ts';
import { openOwnReader } from './own-reader.ts';
import type { StreamFacts } from './stream-reader.ts';

/** What was said in an episode. */
export interface Said {
  readonly events: readonly Event[];
  /** Of each event; null where the run does not tell. */
  readonly costs: readonly (StepCost | null)[];
  /** The line itself, of runs of other programs. */
  readonly line: unknown;
}

export interface RunReader {
  readonly place: RunPlace;
  /** Whether a process is at work on it; absent where a lock in its folder says so. */
  readonly isRunning?: boolean;
  /** What its episodes are told apart by, where that is not the environment's groupings. */
  readonly groupings?: readonly { readonly id: string; readonly label: string }[];
  /** Of streams. */
  readonly stream?: StreamFacts;
  /** As far as it is read. */
  readonly info: RunInfo;
  /** In the order of the plan, without texts. A new list whenever something has changed. */
  readonly episodes: readonly RunEpisode[];
  /** How many these are. */
  readonly count: number;
  /** Lines that are none. */
  readonly badLines: number;
  readonly scanned: number;
  readonly size: number;
  /** Whether everything that is there now has been read. */
  readonly isComplete: boolean;
  /** Reads lines until `enough` says so, or there are no more. @throws Failure when they cannot be read. */
  read(enough: () => boolean): Promise<void>;
  /** Looks whether there is more to read. @returns `changed` when the run has to be opened again. */
  refresh(): Promise<'same' | 'grown' | 'changed'>;
  /** What was said in an episode. @throws Failure when it cannot be read again. */
  said(task: number): Promise<Said>;
  close(): Promise<void>;
}

/**
 * @param groupings ids of what to look for in runs of other programs.
 * @throws Failure when there is no run at `path`.
 */
export async function openRunReader(path: string, groupings: readonly string[]): Promise<RunReader> {
  const place = await locateRun(path);
  if (place.format === 'stream') return (await import('./stream-reader.ts')).openStreamReader(place);
  return place.config === null ? openForeignReader(place, groupings) : openOwnReader(place);
}
