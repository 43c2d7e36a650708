/** The state of an episode: what is carried, and beside it, never shown to an agent, what every turn made of it. */
import type { Instance } from './instance.ts';
import type { AnswerBlock } from './options.ts';

/** One turn that has been answered. */
export interface Turn {
  /** What was carried into it. */
  readonly before: readonly string[];
  /** What the reply reported; null when it had no complete block, or one that is too long. */
  readonly reported: readonly string[] | null;
  /** Whether nothing was reported because the block holds more than can be carried. */
  readonly tooLong: boolean;
  /** Words, numbers and punctuation marks of the reply. */
  readonly tokens: number;
}

export interface State {
  readonly instance: Instance;
  readonly answerBlock: AnswerBlock;
  /** The items of the last block, normalised: all that the next turn gets to know of the past. */
  readonly carried: readonly string[];
  readonly turns: readonly Turn[];
}

/** Whether every chunk has been answered. */
export function isOver({ instance, turns }: State): boolean {
  return turns.length >= instance.chunks.length;
}
