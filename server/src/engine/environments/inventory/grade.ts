/** What a reported inventory is worth: all or nothing, whatever the order and the case of letters. */
import { normalizeItem } from './answer.ts';

export interface Grade {
  /** 1 when exactly the true items are reported, else −1. */
  readonly reward: 1 | -1;
  /** True items that are not reported, and reported ones that are not true; sorted. */
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

/** @param reported normalised; null for a reply without a complete block, which is never right. */
export function grade(reported: readonly string[] | null, truth: readonly string[]): Grade {
  const wanted = new Set(truth.map(normalizeItem));
  const found = new Set(reported ?? []);
  const missing = [...wanted].filter((item) => !found.has(item)).sort();
  const extra = [...found].filter((item) => !wanted.has(item)).sort();
  const isRight = reported !== null && missing.length === 0 && extra.length === 0;
  return { reward: isRight ? 1 : -1, missing, extra };
}
