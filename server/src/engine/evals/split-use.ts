/**
 * How often the test splits have been looked at. A prompt that is changed until a test split likes it has been fitted to that
 * split, and its figure there no longer says what it will do elsewhere. So uses are counted, and many are told of, gently.
 */
import type { Environment } from '../environments/environment.ts';
import { counted } from '../text/numbers.ts';

/** A run as far as it uses splits. */
export interface SplitUser {
  readonly environment: string;
  /** All that its instances are of. */
  readonly splits: readonly string[];
  /** Hash of the step prompt that a model read; null where none did: then nothing was fitted. */
  readonly promptHash: string | null;
}

export interface SplitUse {
  readonly environment: string;
  readonly split: string;
  readonly runs: number;
  /** Different texts of step prompts among them. */
  readonly prompts: number;
}

/** Different prompts on a test split from which on it is spoken of. */
export const manyPrompts = 5;

/** How often each test split was used, the most used first. */
export function testSplitUse(
  users: readonly SplitUser[],
  environments: readonly Environment[],
): readonly SplitUse[] {
  const found = new Map<string, { environment: string; split: string; runs: number; prompts: Set<string> }>();
  for (const { environment: id, splits, promptHash } of users) {
    if (promptHash === null) continue;
    const tests = environments.find((it) => it.id === id)?.splits.filter(({ test }) => test) ?? [];
    for (const split of new Set(splits)) {
      if (!tests.some((it) => it.id === split)) continue;
      const key = JSON.stringify([id, split]);
      const use = found.get(key) ?? { environment: id, split, runs: 0, prompts: new Set() };
      use.runs++;
      use.prompts.add(promptHash);
      found.set(key, use);
    }
  }
  return [...found.values()]
    .map((use) => ({ ...use, prompts: use.prompts.size }))
    .sort((a, b) => b.prompts - a.prompts || b.runs - a.runs || (a.split < b.split ? -1 : 1));
}

/** What to say of a split that was used that often, in a sentence; null while that is not much. */
export function describeOveruse({ split, runs, prompts }: SplitUse): string | null {
  if (prompts < manyPrompts) return null;
  return (
    `${split} is a test split, and ${counted(prompts, 'step prompt')} have been tried on it (${counted(runs, 'run')}): ` +
    'choose between prompts on another split, so that its figures keep their meaning.'
  );
}
