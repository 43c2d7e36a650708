/** What is malformed in the replies of a transcript, step by step. */
import type { Environment } from '../engine/environments/environment.ts';
import type { Problem } from '../engine/problem.ts';

/** Malformed replies of the transcript `text[start, end)`, in text order. */
export function transcriptProblems(
  text: string,
  start: number,
  end: number,
  environments: readonly Environment[],
): readonly Problem[] {
  const environment = environments.find(({ replyProblems }) => replyProblems);
  return environment?.replyProblems?.(text, start, end) ?? [];
}
