/**
 * Streams of episodes with a learning method: a second fold, over episodes.
 *
 * A method sees the tasks of a stream in order and, of those it may learn from, what came of them. It gives a text that
 * the agent reads with its next task. A block of episodes is played against one frozen memory, then the memory is updated
 * with the whole block, so replaying the recorded blocks gives the memory back:
 *
 *     let memory = method.start();
 *     for (const { serving, test } of windows) {
 *       for (const block of blocksOf(serving)) {
 *         const played = await Promise.all(block.map((one) => play(one, method.context(memory, streams.task(one)))));
 *         const question = method.question?.(memory, played) ?? null;
 *         memory = method.update(memory, played, question === null ? null : await model(question));
 *       }
 *       for (const one of test) await play(one, method.context(memory, streams.task(one)));
 *     }
 */
import type { Checked } from '../problem.ts';
import type { ChatMessage, Event } from './chat.ts';
import type { DataSet } from './data-set.ts';

/** All that a method is told of a task before it is played. */
export interface TaskView {
  /** Whoever runs a stream gives methods one that tells nothing, the same one whenever the task comes up. */
  readonly taskId: string;
  /** As the agent reads it, without the line that gives the time. */
  readonly instruction: string;
  /** Position in the stream, from 1. */
  readonly timestamp: number;
}

/** All that a method is told of an episode. */
export interface Experience extends TaskView {
  /** From 0 to 1. */
  readonly reward: number;
  /** What was said and done, as text, with the outcome in its last line. */
  readonly record: string;
}

/** What a method in a file of the user's may take up. */
export const methodLimits = {
  /** For one call. */
  seconds: 60,
  /** Of memory, for its thread. */
  megabytes: 1024,
  /** Of a text for the agent's prompt. Longer ones fit no model. */
  characters: 1_000_000,
} as const;

/** Something that learns from episodes, or only pretends to. `M` is plain immutable data. */
export interface Method<M = unknown> {
  readonly id: string;
  readonly description: string;
  /** Only methods that learn are given serving tasks. */
  readonly learns: boolean;
  /** True when it is told the rules that hold: then {@link Streams.bulletin} takes the place of its context. */
  readonly privileged: boolean;
  start(): M;
  /** Text for the agent's prompt; may be empty. Depends on nothing but its arguments. */
  context(memory: M, task: TaskView): string;
  /** What rows of results say of how that text came about. */
  traits?(memory: M, task: TaskView): Readonly<Record<string, unknown>>;
  /** What is remembered, as a text for people; not told where it is absent. */
  describe?(memory: M): string;
  /** What to ask a model before the update; without it, or when it gives null, none is asked. */
  question?(memory: M, block: readonly Experience[]): readonly ChatMessage[] | null;
  /** @param answer the model's, where one was asked. */
  update(memory: M, block: readonly Experience[], answer: string | null): M;
}

/** A stretch of a stream in which the rules stay the same. */
export interface StreamWindow<I> {
  readonly serving: readonly I[];
  /** Never shown to a method beyond {@link TaskView}. */
  readonly test: readonly I[];
}

/** What is known of a window before its tasks are made. */
export interface WindowPlan {
  readonly serving: number;
  readonly test: number;
  /** How many rules are not what they were in the window before; 0 for the first. Which ones is for the agent to find out. */
  readonly changes: number;
}

export interface StreamInfo {
  readonly id: string;
  readonly title: string;
  readonly windows: number;
  /** Which set of streams it belongs to, e.g. `full` or `mini`. */
  readonly size: string;
  /** Whether its episodes are judged, by what the option `judge` says. */
  readonly isJudged: boolean;
  /** Where its scores stand in a table: a row of streams of one kind, and the column in it, e.g. `retail` and `tier 1`. */
  readonly place: readonly [row: string, column: string];
  /** One for each window. */
  readonly plan: readonly WindowPlan[];
}

/** One scored episode of a stream, as scoring and files need it. */
export interface StreamRow {
  readonly stream: string;
  readonly phase: 'serving' | 'test';
  readonly window: number;
  readonly timestamp: number;
  readonly category: string;
  readonly reward: number;
}

/** A mean over the test tasks of one stream and category, from 0 to 100. */
export interface StreamScore {
  readonly stream: string;
  readonly category: string;
  readonly score: number;
  readonly tasks: number;
}

/** A point of a learning curve: test tasks by window, serving tasks by block. */
export interface CurvePoint {
  readonly stream: string;
  readonly phase: 'serving' | 'test';
  readonly category: string;
  readonly window: number;
  /** Of the last task that is in it. */
  readonly position: number;
  readonly score: number;
  readonly tasks: number;
}

export interface StreamReport {
  readonly scores: readonly StreamScore[];
  /** Named means over scores; null while a stream that belongs to it is missing. */
  readonly averages: Readonly<Record<string, number | null>>;
  readonly curves: readonly CurvePoint[];
}

/** What an average is called, and what it is over. */
export interface AverageInfo {
  readonly id: string;
  readonly label: string;
  /** A sentence. */
  readonly description: string;
}

/** Rows of a published table, and what must be said when they stand beside one's own. */
export interface Leaderboard {
  readonly caveat: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  /** Columns that are about one stream alone, by its id. */
  readonly columnsOf?: Readonly<Record<string, readonly string[]>>;
}

/** What an environment whose episodes come in streams offers beyond the contract. */
export interface Streams<I, O, S> {
  readonly list: readonly StreamInfo[];
  readonly methods: readonly Method[];
  /** Episodes between two updates. */
  readonly blockSize: number;
  /** The windows of a stream; errors name the nearest id. */
  open(id: string): Checked<readonly StreamWindow<I>[]>;
  task(instance: I): TaskView;
  /** What a method is told of an episode that is over. */
  experience(state: S): Experience;
  /** False for an episode that ended without a score, as when a judge gave none: it is played again, never counted as 0. */
  isScored(state: S): boolean;
  /** The options with the method's text in them. */
  withContext(options: O, context: string): O;
  /** The rules that hold for this task, in words. Privileged. */
  bulletin(instance: I): string;
  /** What files of results say of an episode, beyond its events. */
  row(state: S): StreamRow & Readonly<Record<string, unknown>>;
  /** What was said in the episode of such a row, as far as the row tells: folding it gives the states back. */
  said?(row: Readonly<Record<string, unknown>>): readonly Event[];
  /** Why turns of such a row's episode counted for nothing, one for each such turn. */
  invalid?(row: Readonly<Record<string, unknown>>): readonly string[];
  score(rows: readonly StreamRow[]): StreamReport;
  /** Why a scripted policy cannot play a stream, as half a sentence; null, or no such member, where it can. */
  unplayable?(policy: string, stream: string): string | null;
  /** Of {@link StreamReport.averages}. */
  readonly averages?: readonly AverageInfo[];
  readonly leaderboard?: Leaderboard;
  /** Streams of a data set that others publish: the same episodes and methods over its tasks. */
  readonly published?: {
    readonly set: DataSet;
    /** What of it a stream reads, by path. */
    filesOf(stream: string): readonly string[];
    /** @param read gives the text of a file of the data set; files are asked for when a stream is opened. */
    open(read: (path: string) => Checked<string>): Streams<I, O, S>;
  };
}
