/** The messages of the results panel, the comparison page and the tests. Part of `protocol.ts`, where all are declared. */
import type { ComparisonView, FlipRow, Parting } from '../engine/evals/panel/comparison.ts';
import type { ContextUse } from '../engine/evals/panel/context-use.ts';
import type { RunFacts } from '../engine/evals/panel/facts.ts';
import type { PanelFigures } from '../engine/evals/panel/figures.ts';
import type { EpisodeRow, RowQuery } from '../engine/evals/panel/rows.ts';
import type { PanelStep, StepPart } from '../engine/evals/panel/steps.ts';
import type { EpisodeTranscript } from '../engine/evals/panel/transcript.ts';
import type { Checked } from '../engine/problem.ts';

export type { Difference, GroupDifference } from '../engine/evals/differences.ts';
export type { CauseDifference, Flip, FlipSide } from '../engine/evals/flips.ts';
export type { ComparisonView, FlipRow, Parting, PartingSide } from '../engine/evals/panel/comparison.ts';
export type { ContextStep, ContextUse } from '../engine/evals/panel/context-use.ts';
export type { RunFacts } from '../engine/evals/panel/facts.ts';
export type { Estimate, GroupFigures, PanelFigures, StepsBucket } from '../engine/evals/panel/figures.ts';
export type { EpisodeRow, OutcomeKind, RowQuery } from '../engine/evals/panel/rows.ts';
export type { PanelStep, StepPart } from '../engine/evals/panel/steps.ts';
export type { EpisodeTranscript } from '../engine/evals/panel/transcript.ts';
export type { Counts } from '../engine/evals/run-data.ts';

/** How far a run is read, and whether it goes on. */
export interface RunProgress {
  /** Address as it was asked for. */
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

/** Two runs by their addresses, the one to compare with first. */
interface RunPair {
  readonly a: string;
  readonly b: string;
}

interface OfRun {
  /** Address of the folder, or of a file in it. */
  readonly run: string;
}

/** Everything is done in threads of its own. Answers have less than 256 kB. */
export interface ResultsRequests {
  /** Opens a run; the answer comes with its first rows, and {@link RunProgress} tells of the rest. */
  'hopscope/results/open': { readonly params: OfRun; readonly result: Checked<OpenedRun> };
  'hopscope/results/rows': {
    readonly params: OfRun & { readonly query: RowQuery; readonly from: number; readonly count: number };
    readonly result: Checked<RowPage>;
  };
  'hopscope/results/figures': { readonly params: OfRun; readonly result: Checked<PanelFigures> };
  /** Steps from place `from` on. */
  'hopscope/results/steps': {
    readonly params: OfRun & { readonly task: number; readonly from: number };
    readonly result: Checked<StepsPage>;
  };
  /** A text of the step at place `at`, from 0, from its place `from` on. */
  'hopscope/results/text': {
    readonly params: OfRun & {
      readonly task: number;
      readonly at: number;
      readonly part: StepPart;
      readonly from: number;
    };
    readonly result: Checked<TextPage>;
  };
  /** An episode as a transcript; the step to look at is counted from 1, and null for the one that shows the cause. */
  'hopscope/results/transcript': {
    readonly params: OfRun & { readonly task: number; readonly step: number | null };
    readonly result: Checked<EpisodeTranscript>;
  };
  /** Episodes of a run that is read whole, from place `from` on. */
  'hopscope/results/verdicts': {
    readonly params: OfRun & { readonly from: number };
    readonly result: Checked<VerdictPage>;
  };
  /** Context use over steps; null where there is none to tell of. */
  'hopscope/results/context': { readonly params: OfRun; readonly result: Checked<ContextUse | null> };
  /** Looks whether the run went on. */
  'hopscope/results/refresh': { readonly params: OfRun; readonly result: Checked<RunProgress> };
  /** Nobody looks at the run any more. */
  'hopscope/results/close': { readonly params: OfRun; readonly result: null };
  'hopscope/results/compare': { readonly params: RunPair; readonly result: Checked<ComparisonView> };
  'hopscope/results/flips': {
    readonly params: RunPair & { readonly kind: FlipKind; readonly from: number };
    readonly result: Checked<FlipPage>;
  };
  /** Where the episodes of the flip at place `at` part. */
  'hopscope/results/parting': {
    readonly params: RunPair & { readonly kind: FlipKind; readonly at: number };
    readonly result: Checked<Parting>;
  };
}

/** Notifications from the server to the editor about runs that are open. */
export interface ResultsNotifications {
  'hopscope/results/progress': RunProgress;
}
