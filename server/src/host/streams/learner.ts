/** A method at work: its memory between blocks, wherever the method itself runs. */
import type { ChatMessage } from '../../engine/environments/chat.ts';
import type { Experience, Method, TaskView } from '../../engine/environments/streams.ts';

/** What a task is told, and what rows say of it. */
export interface Advice {
  readonly context: string;
  readonly traits: Readonly<Record<string, unknown>>;
}

/** A method with its memory, which changes in {@link Learner.update} only. */
export interface Learner {
  readonly id: string;
  readonly learns: boolean;
  readonly privileged: boolean;
  advise(task: TaskView): Promise<Advice>;
  /** What to ask a model before the update with this block; null for nothing. */
  question(block: readonly Experience[]): Promise<readonly ChatMessage[] | null>;
  update(block: readonly Experience[], answer: string | null): Promise<void>;
  /** What is remembered, as a text for people, cut at {@link longestMemory}; null where nobody tells. */
  describe(): Promise<string | null>;
  close(): Promise<void>;
}

/** Longest text about what is remembered, in UTF-16 code units: the end is kept, which is the newest. */
export const longestMemory = 20_000;

/** A shipped method, in this thread. */
export function openMethod(method: Method): Learner {
  let memory = method.start();
  return {
    id: method.id,
    learns: method.learns,
    privileged: method.privileged,
    advise: async (task) => ({
      context: method.context(memory, task),
      traits: method.traits?.(memory, task) ?? {},
    }),
    question: async (block) => method.question?.(memory, block) ?? null,
    async update(block, answer) {
      memory = method.update(memory, block, answer);
    },
    describe: async () => method.describe?.(memory).slice(-longestMemory) ?? null,
    close: async () => undefined,
  };
}
