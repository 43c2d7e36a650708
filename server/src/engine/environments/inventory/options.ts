/** What can be set: which instances are made, and which block of a reply counts. */
import { accept, type Checked, refuse } from '../../problem.ts';
import { adjectives, nouns } from './words.ts';

export type AnswerBlock = 'last' | 'first';

export interface Options {
  /** Chunks of an instance, and so turns of an episode. */
  readonly n_chunks: number;
  /** Noise words in each chunk. */
  readonly chunk_size: number;
  /** Operations in all chunks together. */
  readonly n_ops: number;
  readonly seed: number;
  /** Distractors in all chunks together. */
  readonly distractors: number;
  /** Instances that a split has; null for as many as it says, and fresh ones beyond. */
  readonly max_episodes: number | null;
  /** Which complete block of a reply is read. */
  readonly answer_block: AnswerBlock;
}

/** The published values. */
export const defaults: Options = {
  n_chunks: 10,
  chunk_size: 1000,
  n_ops: 5,
  seed: 42,
  distractors: 0,
  max_episodes: null,
  answer_block: 'last',
};

/** Instances that a split has unless more or fewer are asked for. */
export const usualEpisodes = 100;

/** Legal values of whole numbers, both ends included. */
export const ranges = {
  n_chunks: [1, 1000],
  chunk_size: [0, 100_000],
  // Every key is used once, and there must be enough of them.
  n_ops: [0, Math.floor((adjectives.length * nouns.length) / 2)],
  max_episodes: [1, 1_000_000],
  seed: [0, 999_999_999],
  distractors: [0, 1000],
} as const;

/** Noise words of one instance: some ten megabytes. */
const mostWords = 2_000_000;

const answerBlocks: readonly AnswerBlock[] = ['last', 'first'];
const knownKeys: readonly string[] = [...Object.keys(ranges), 'answer_block'];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Checks options from a file, a setting or the command line; the error names the key and the legal range. */
export function parseOptions(raw: unknown): Checked<Options> {
  if (raw === undefined || raw === null) return accept(defaults);
  if (typeof raw !== 'object' || Array.isArray(raw)) {
    return refuse('options must be an object of named values');
  }
  const options: Mutable<Options> = { ...defaults };
  for (const [key, value] of Object.entries(raw)) {
    if (value === undefined) continue;
    if (isKey(ranges, key)) {
      const [low, high] = ranges[key];
      if (!isWhole(value, low, high)) {
        return refuse(`${key} must be a whole number from ${low} to ${high}, not ${show(value)}`);
      }
      options[key] = value;
    } else if (key === 'answer_block') {
      const block = answerBlocks.find((it) => it === value);
      if (block === undefined) return refuse(`answer_block must be last or first, not ${show(value)}`);
      options.answer_block = block;
    } else return refuse(`there is no option ${show(key)}; there are ${knownKeys.join(', ')}`);
  }
  const words = options.n_chunks * options.chunk_size;
  if (words > mostWords) {
    return refuse(`n_chunks × chunk_size must not be above ${mostWords} words, and is ${words}`);
  }
  return accept(options);
}

function isKey<T extends object>(table: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(table, key);
}

function isWhole(value: unknown, low: number, high: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high;
}

/** A value as it stands in a sentence; long ones are cut. */
function show(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
