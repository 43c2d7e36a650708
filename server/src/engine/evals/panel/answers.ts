/** Answers to questions about runs that are shown, as plain data of bounded size. */
import type { FlipRow } from './comparison.ts';
import type { RunFacts } from './facts.ts';
import type { EpisodeRow } from './rows.ts';
import type { PanelStep } from './steps.ts';

/** How far a run is read, and whether it goes on. */
export interface RunProgress {
  /** Address or path, as it was asked for. */
  readonly run: string;
  /** Raised whenever something has changed. */
  readonly version: number;
  readonly episodes: number;
  /** Bytes. */
  readonly scanned: number;
  readonly size: number;
  readonly isComplete: boolean;
  /** A process is at work on it. */
  readonly isRunning: boolean;
  /** Lines that could not be read. */
  readonly badLines: number;
  /** Why reading ended early, as a sentence. */
  readonly failure: string | null;
}

export interface OpenedRun {
  readonly facts: RunFacts;
  readonly progress: RunProgress;
}

/** Some rows of the table of episodes. */
export interface RowPage {
  readonly version: number;
  readonly from: number;
  readonly rows: readonly EpisodeRow[];
  /** How many episodes the query wants. */
  readonly total: number;
  /** Over the scored ones among them. */
  readonly scored: number;
  readonly reward: number | null;
}

/** Some steps of an episode. */
export interface StepsPage {
  readonly row: EpisodeRow;
  readonly steps: readonly PanelStep[];
  /** Place to go on from; null when these are the last. */
  readonly next: number | null;
  /** Steps and verdicts in all. */
  readonly total: number;
  /** The cause in one sentence. */
  readonly sentence: string | null;
  /** From which step on a correct end was out of reach. */
  readonly unwinnableAt: number | null;
  /** Why it could not be played again, as a sentence. */
  readonly unplayed: string | null;
  /** What to do about an error of the provider. */
  readonly advice: string | null;
}

export interface TextPage {
  readonly text: string;
  /** Place to go on from; null when this is the end. */
  readonly next: number | null;
}

/** An episode as a test that passed or failed. */
export interface EpisodeVerdict {
  readonly row: EpisodeRow;
  /** Of the transcript, where the cause is seen; from 0. */
  readonly line: number;
}

export interface VerdictPage {
  readonly facts: RunFacts;
  readonly verdicts: readonly EpisodeVerdict[];
  /** Place to go on from; null when these are the last. */
  readonly next: number | null;
  readonly total: number;
}

export type FlipKind = 'fixed' | 'broken';

/** Some of the instances on which two runs come out differently. */
export interface FlipPage {
  readonly flips: readonly FlipRow[];
  readonly next: number | null;
}
