/** The messages of the results panel, the comparison page and the tests. Part of `protocol.ts`, which has them all. */
import type {
  FlipKind,
  FlipPage,
  OpenedRun,
  RowPage,
  RunProgress,
  StepsPage,
  TextPage,
  VerdictPage,
} from '../engine/evals/panel/answers.ts';
import type { ComparisonView, Parting } from '../engine/evals/panel/comparison.ts';
import type { ContextUse } from '../engine/evals/panel/context-use.ts';
import type { PanelFigures } from '../engine/evals/panel/figures.ts';
import type { RowQuery } from '../engine/evals/panel/rows.ts';
import type { StepPart } from '../engine/evals/panel/steps.ts';
import type { EpisodeTranscript } from '../engine/evals/panel/transcript.ts';
import type { Checked } from '../engine/problem.ts';

export type { Difference } from '../engine/evals/comparisons/differences.ts';
export type { FlipSide } from '../engine/evals/comparisons/flips.ts';
export type * from '../engine/evals/panel/answers.ts';
export type { ComparisonView, FlipRow, Parting, PartingSide } from '../engine/evals/panel/comparison.ts';
export type { ContextStep, ContextUse } from '../engine/evals/panel/context-use.ts';
export type { RunFacts } from '../engine/evals/panel/facts.ts';
export type { Estimate, GroupFigures, PanelFigures } from '../engine/evals/panel/figures.ts';
export type { EpisodeRow, OutcomeKind, RowQuery } from '../engine/evals/panel/rows.ts';
export type { PanelStep, StepPart } from '../engine/evals/panel/steps.ts';
export type { EpisodeTranscript } from '../engine/evals/panel/transcript.ts';
export type { Counts } from '../engine/evals/run-data.ts';

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
