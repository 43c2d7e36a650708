/**
 * What a run is once it has been read, wherever it came from: our own folders or the two public formats. Everything
 * that compares, explains or reports works on these types alone.
 */
import type { Event, Usage } from '../environments/chat.ts';
import type { Outcome } from '../environments/environment.ts';
import type { Sampling } from '../prompts/sampling.ts';
import type { ModelFailure } from './model.ts';

/** Where one instance of a run is to be had: made again by its environment, or read from a file of instances. */
export type InstanceSource =
  | { readonly split: string; readonly index: number }
  | { readonly file: string; readonly id: string };

/** Who gave the replies. */
export type RunAgent =
  | {
      readonly kind: 'model';
      readonly model: string;
      /** Null for runs whose folder does not say. Never holds a key. */
      readonly baseUrl: string | null;
      readonly sampling: Sampling;
      /** Further keys of every request's body, as they were given. */
      readonly extraBody: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'policy'; readonly policy: string; readonly seed: string };

/** The step prompt of a run, in full. */
export interface RunPrompt {
  /** Its file name without `.step.md`. */
  readonly name: string;
  /** Where the file was, as it was given; it may have changed since. */
  readonly path: string | null;
  readonly text: string;
  /** `sha256:` and the hash of the text. */
  readonly hash: string;
}

/** Which format the folder has: ours, or one of the public ones. */
export type FolderFormat = 'hopscope' | 'traces' | 'results';

/** Streams have files of their own instead of a folder. */
export type RunFormat = FolderFormat | 'stream';

/** What identifies a run and says whether others are comparable with it. */
export interface RunInfo {
  /** Eight hexadecimal digits for our runs, otherwise the folder's name. */
  readonly id: string;
  readonly folder: string;
  readonly format: RunFormat;
  /** Equal exactly when two runs ask the same of the same agent; null for foreign runs. */
  readonly identity: string | null;
  /** ISO 8601 in UTC; null when the folder does not say. */
  readonly created: string | null;
  readonly environment: string;
  /** Null for instances of other generators. */
  readonly generatorVersion: number | null;
  /** Options of the environment as they were given. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The model that judges, where one was named. */
  readonly judge?: string;
  /** What the instances are called in figures: a split, a suite or a file. */
  readonly label: string;
  readonly split: string | null;
  /** Name of the suite the instances were taken from, if they were. */
  readonly suite: string | null;
  readonly rollouts: number;
  readonly shuffleSeed: number | null;
  readonly agent: RunAgent;
  /** Null for runs of policies and for foreign ones. */
  readonly prompt: RunPrompt | null;
  /** Of streams: the method, and how many of the episodes it may learn from. Figures are over the others, see `measured`. */
  readonly stream?: { readonly method: string; readonly learned: number };
  /** Episodes that were asked for; those that have not been begun are among them and nowhere else. */
  readonly requested: number;
}

/** One episode as far as it got. */
export interface RunEpisode {
  /** Its number in the plan of the run, from 0. Unique in a run. */
  readonly task: number;
  readonly instanceId: string;
  /**
   * `sha256:` and the hash of the instance's content, see `identity.ts`; null where the instance is not known. Episodes of
   * two runs are on the same instance exactly when this is equal.
   */
  readonly instanceHash: string | null;
  readonly split: string | null;
  /** Number in its split; null for instances of files. */
  readonly index: number | null;
  /** Which repetition on the same instance, from 0. */
  readonly rollout: number;
  /** By the environment's groupings, e.g. `n_hops`. */
  readonly groups: Readonly<Record<string, string | number>>;
  readonly minSteps: number | null;
  /** Null unless the episode is scored: it ended by itself and no request of it failed for good. */
  readonly outcome: Outcome | null;
  /** Why the provider gave no reply; null otherwise. An episode with neither outcome nor error is unfinished. */
  readonly error: ModelFailure | null;
  /**
   * Id of the primary cause: null for correct episodes; `provider-error`, `prompt-too-large` and `unfinished` for those
   * without a score.
   * Null too where the environment explains nothing.
   */
  readonly cause: string | null;
  /** The step (from 1) and hop (from 0) the cause is seen at. */
  readonly causeStep: number | null;
  readonly causeHop: number | null;
  /** Everything that was said, in order: folding it gives the states back. */
  readonly events: readonly Event[];
  /** Replies given so far. */
  readonly steps: number;
  /** Summed over the replies whose endpoint said; null when none did. */
  readonly usage: Usage | null;
  /** The same of the model that judged; absent when there was none, or nobody counted. */
  readonly judgeUsage?: Usage;
  /** Requests sent for it, failed ones included. */
  readonly attempts: number;
}

/** How many episodes a figure stands for. Shown beside every figure. */
export interface Counts {
  readonly requested: number;
  readonly scored: number;
  readonly errored: number;
  /** Begun and neither scored nor errored, or never begun. */
  readonly unfinished: number;
}

/** A run as it was read. */
export interface Run {
  readonly info: RunInfo;
  /** In the order of the plan; episodes that were never begun are absent. */
  readonly episodes: readonly RunEpisode[];
}

/** The counts of some episodes out of `requested`. */
export function countEpisodes(episodes: readonly RunEpisode[], requested: number): Counts {
  const scored = episodes.filter((episode) => episode.outcome !== null).length;
  const errored = episodes.filter((episode) => episode.outcome === null && episode.error !== null).length;
  return { requested, scored, errored, unfinished: requested - scored - errored };
}
