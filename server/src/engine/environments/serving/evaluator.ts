/** What makes an episode right: the actions that lead to the right database, and what the finish must say. */

/** A call of a tool by what it does. */
export interface Action {
  readonly name: string;
  readonly kwargs: Readonly<Record<string, unknown>>;
}

export type Compare = 'int' | 'float' | 'str_norm' | 'set';

/** What the finish must say. A pitch is scored by a judge instead. */
export type Answer =
  | { readonly kind: 'action' }
  | { readonly kind: 'refuse'; readonly reasons: readonly string[] }
  | { readonly kind: 'value'; readonly expect: unknown; readonly compare: Compare }
  | { readonly kind: 'pitch' };

/** What a perfect reader of the documents gets wrong, gets right, or got wrong once. */
export type Slice = 'adapt' | 'general' | 'reopen';

export interface Evaluator {
  readonly slice: Slice;
  /** What sort of task it is. */
  readonly family: string;
  /** Replayed on a clean world, they give the right database. */
  readonly actions: readonly Action[];
  readonly answer: Answer;
}
