/** The messages about streams of learning methods. Part of `protocol.ts`, which has them all. */
import type { TextPage } from '../engine/evals/panel/answers.ts';
import type { StreamListing } from '../engine/evals/panel/stream-list.ts';
import type { StreamView } from '../engine/evals/panel/stream-view.ts';
import type { Checked } from '../engine/problem.ts';

export type * from '../engine/evals/panel/stream-list.ts';
export type * from '../engine/evals/panel/stream-view.ts';

/** What can be learned from, and by what. */
export interface StreamChoices {
  readonly methods: readonly { readonly id: string; readonly description: string }[];
  readonly list: readonly {
    readonly id: string;
    readonly title: string;
    readonly size: string;
    /** Numbers of tasks. */
    readonly serving: number;
    readonly test: number;
    readonly windows: number;
  }[];
}

/** Requests about streams. */
export interface StreamRequests {
  /** The streams in these folders, given as `file:` addresses. What is read goes on in a thread; only what is new is read. */
  'hopscope/listStreams': {
    readonly params: { readonly folders: readonly string[]; readonly prices: string | null };
    readonly result: StreamListing;
  };
  /** What is shown of streams, as far as they are read. `prices` is a table of prices on disk, or null. */
  'hopscope/results/stream': {
    readonly params: { readonly run: string; readonly prices: string | null };
    readonly result: Checked<StreamView>;
  };
  /** What the method remembered, by its place among {@link StreamView.memories}. */
  'hopscope/results/memory': {
    readonly params: { readonly run: string; readonly at: number };
    readonly result: Checked<TextPage>;
  };
}
