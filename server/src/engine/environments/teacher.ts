/**
 * Episodes to learn from: played by agents that know the evidence, kept only when no reply says what its prompt does not
 * show. An episode that leaks teaches to guess.
 */
import type { Reply } from './chat.ts';
import type { AnyInstance } from './environment.ts';

/** Something that a reply says or does and cannot know from its prompt. */
export interface Leak {
  /** Stable id, e.g. `name`, `value`. */
  readonly kind: string;
  /** What was said. */
  readonly text: string;
}

/** The prompt of one step as text. */
export interface TaughtPrompt {
  /** All messages. */
  readonly text: string;
  /** The same without what {@link Teacher.overview} names. */
  readonly withoutOverview: string;
}

export interface Teacher<I extends AnyInstance, S> {
  /** Policies that play each instance once, in order. */
  readonly policies: readonly string[];
  /** Longer episodes are not kept: steps divided by those of the shortest correct one. */
  readonly maxStepsOverMin: number;
  /** Variables that name everything there is without telling of it: standing there is no reason to go for a thing. */
  readonly overview: readonly string[];
  /** What the reply given in `before` leaks. `after` is the state that it led to. */
  leaks(instance: I, before: S, reply: Reply, after: S, prompt: TaughtPrompt): readonly Leak[];
}
