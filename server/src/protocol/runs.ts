/** The messages of the Runs view and of what is begun from it. Part of `protocol.ts`, which has them all. */
import type { Note } from '../engine/evals/notes.ts';
import type { Counts } from '../engine/evals/run-data.ts';
import type { SplitUse } from '../engine/evals/split-use.ts';
import type { Mean } from '../engine/evals/summarize.ts';
import type { Checked } from '../engine/problem.ts';
import type { EnvironmentInfo } from './environments.ts';
import type { StreamChoices } from './streams.ts';

/**
 * `running`: a process is at work on it; `errors`: nothing is left but episodes that failed at the endpoint; `stopped`: some
 * were not played to their end.
 */
export type RunStatus = 'running' | 'done' | 'stopped' | 'errors';

/** The figures of a run, as far as it is. */
export interface RunFigures {
  readonly counts: Counts;
  readonly reward: Mean;
  readonly accuracy: Mean;
  /** How many episodes failed by which cause, the most frequent first. */
  readonly causes: Readonly<Record<string, number>>;
  /** Sent to the endpoint, failed ones included. */
  readonly requests: number;
  /** In the model's tokens; null when no endpoint said. */
  readonly tokens: { readonly input: number; readonly output: number } | null;
  /** What that cost in US dollars; null when the price is not known. */
  readonly dollars: number | null;
}

/** A run as a list shows it. */
export interface RunRow {
  /** `file:` address of its folder. */
  readonly uri: string;
  /** Eight hexadecimal digits for runs of this program, otherwise the folder's name. */
  readonly id: string;
  /** When it was begun, or written to where that is not known, in ms since 1970. */
  readonly time: number;
  readonly environment: string;
  /** What its instances are called in figures. */
  readonly label: string;
  readonly suite: string | null;
  readonly splits: readonly string[];
  readonly rollouts: number;
  readonly prompt: {
    readonly name: string;
    /** Where the file was, as it was given. */
    readonly path: string | null;
    readonly hash: string;
  } | null;
  readonly agent: {
    readonly kind: 'model' | 'policy';
    readonly name: string;
    /** Where the model was asked; null for policies, and where the folder does not say. */
    readonly baseUrl: string | null;
  };
  /** Of this program: only such a run can be gone on with. */
  readonly isOwn: boolean;
  readonly status: RunStatus;
  readonly figures: RunFigures;
  readonly note: Note;
}

/** A folder that looks like a run and cannot be read. */
export interface BrokenRun {
  readonly uri: string;
  /** One sentence. */
  readonly problem: string;
}

export interface RunListing {
  /** The newest first. */
  readonly runs: readonly RunRow[];
  readonly broken: readonly BrokenRun[];
  /** How often the test splits were used by these runs, and what to say of it; null while that is not much. */
  readonly testSplits: readonly (SplitUse & { readonly warning: string | null })[];
}

/** What a run of a step prompt can be of. */
export interface RunChoices {
  readonly environment: EnvironmentInfo;
  readonly policies: readonly { readonly id: string; readonly description: string }[];
  /** What the prompt itself names; null where it does not. */
  readonly split: string | null;
  readonly model: string | null;
  /** Streams for methods that learn; null where episodes do not come in streams. */
  readonly streams: StreamChoices | null;
}

/** Requests about runs. */
export interface RunRequests {
  /**
   * The runs in these folders, given as `file:` addresses. Counting goes on in a worker thread, and only what is new is
   * counted. `prices` is a table of prices on disk, or null.
   */
  'hopscope/listRuns': {
    readonly params: { readonly folders: readonly string[]; readonly prices: string | null };
    readonly result: RunListing;
  };
  /** One run, by the address of its folder; the error says why there is none. */
  'hopscope/runSummary': {
    readonly params: { readonly uri: string; readonly prices: string | null };
    readonly result: Checked<RunRow>;
  };
  /** The step prompt of a run as it was then. */
  'hopscope/runPrompt': {
    readonly params: { readonly uri: string };
    readonly result: Checked<{ readonly name: string; readonly path: string | null; readonly text: string }>;
  };
  /** The note about a run, or about the episode of that number in its plan. */
  'hopscope/runNote': {
    readonly params: { readonly uri: string; readonly task: number | null };
    readonly result: Checked<Note>;
  };
  /** Writes that note; an empty one takes it away. */
  'hopscope/annotateRun': {
    readonly params: { readonly uri: string; readonly task: number | null; readonly note: Note };
    readonly result: Checked<Note>;
  };
  /** What a run of the step prompt of that text can be of; the error says what is wrong with the prompt. */
  'hopscope/runChoices': {
    readonly params: { readonly text: string };
    readonly result: Checked<RunChoices>;
  };
}
