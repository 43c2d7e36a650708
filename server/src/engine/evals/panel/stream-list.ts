/** Streams as a list shows them. */
import type { StreamSummary } from './stream-view.ts';

/** Streams of one agent with one method, as a list shows them. */
export interface StreamEntry {
  /** `file:` address; what lies behind it are files, of which none has that name. */
  readonly uri: string;
  readonly method: string;
  readonly environment: string;
  readonly size: string;
  readonly agent: {
    readonly kind: 'model' | 'policy';
    readonly name: string;
    /** Null for policies, and where the files do not say. */
    readonly baseUrl: string | null;
  };
  readonly prompt: { readonly name: string; readonly path: string | null; readonly hash: string } | null;
  /** When it was begun, or written to where that is not known, in ms since 1970. */
  readonly time: number;
  readonly status: 'running' | 'done' | 'stopped';
  readonly done: number;
  readonly of: number;
  readonly streams: readonly StreamSummary[];
  /** In US dollars; null where no price is known. */
  readonly dollars: number | null;
  /** What is needed to go on with it; null where its files do not say. */
  readonly resume: StreamResume | null;
}

/** How it was begun. Paths are as they were given. */
export interface StreamResume {
  /** Name of a shipped method, or the path of a file. */
  readonly method: string;
  readonly streams: readonly string[];
  readonly windows: readonly number[] | null;
  readonly options: Readonly<Record<string, unknown>>;
  readonly promptPath: string | null;
  readonly seed: string | null;
  readonly judge: string | null;
  /** True for where data are otherwise. */
  readonly published: string | true | null;
  readonly out: string;
}

export interface StreamListing {
  /** The newest first. */
  readonly streams: readonly StreamEntry[];
  /** Files that cannot be read: their addresses, and a sentence each. */
  readonly broken: readonly { readonly uri: string; readonly problem: string }[];
}
