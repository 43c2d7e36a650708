/** The state of a navigator episode: plain immutable data that events fold into. */
import type { Action, ParseCode } from './actions.ts';
import type { Instance } from './instance.ts';
import type { Settings } from './options.ts';

/** Something in the working context. */
export interface HeldItem {
  /** The chunk's number as text, or `S1`, `S2`, … */
  readonly id: string;
  readonly kind: 'chunk' | 'summary';
  /** What it costs; for a chunk what the instance recorded, never a recount. */
  readonly tokens: number;
  readonly text: string;
  /** Ids that a summary was made from; empty for a chunk. */
  readonly sources: readonly string[];
}

/** One successful COMPRESS. Kept when its summary is gone, so summary numbers are never used twice. */
export interface Note {
  /** Id of the summary it made. */
  readonly id: string;
  readonly sources: readonly string[];
  /** The summary after it was cut to the limit. */
  readonly text: string;
  /** The step that made it, counted from 1. */
  readonly step: number;
}

/** Why a step failed, in the fields of the published logs. Only `ceiling-exceeded` ends the episode. */
export type StepError =
  | { readonly code: 'invalid-action'; readonly reason: ParseCode }
  | { readonly code: 'no-such-chunk' | 'already-held'; readonly id: string }
  | { readonly code: 'not-held'; readonly ids: readonly string[] }
  | {
      readonly code: 'ceiling-exceeded';
      /** Tokens held before the step, freed by it and added by it. */
      readonly used: number;
      readonly freed: number;
      readonly added: number;
      readonly ceiling: number;
    };

/** What the last step was and how it went. */
interface StepResult {
  readonly reply: string;
  readonly action: Action;
  /** Null when the step did what it asked for. */
  readonly error: StepError | null;
}

/** Why an episode is over. */
type Ending = 'answered' | 'ceiling-exceeded' | 'budget-exhausted';

export interface State {
  readonly instance: Instance;
  readonly settings: Settings;
  /** In order of arrival. */
  readonly held: readonly HeldItem[];
  /** Tokens held. */
  readonly used: number;
  /** Chunk numbers that were read, in order, with repeats. */
  readonly reads: readonly number[];
  /** Chunk numbers that were dropped or compressed away, each once, in the order in which that first happened. */
  readonly dropped: readonly number[];
  readonly notes: readonly Note[];
  /** Steps taken, failed ones included. */
  readonly steps: number;
  /** Successful DROP actions. */
  readonly drops: number;
  /** Steps that failed, for any reason. */
  readonly errors: number;
  /** Steps whose reply held no action. */
  readonly invalid: number;
  readonly last: StepResult | null;
  readonly ended: Ending | null;
  /** Given exactly when the episode ended with an answer. */
  readonly answer: string | null;
}
