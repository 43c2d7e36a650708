/** How much of what is wrong is shown: a text with thousands of problems has one cause for most of them. */
import type { Problem } from '../engine/problem.ts';

/** Problems of one document that an editor is sent. */
export const mostProblems = 1000;

/** From the most to the least pressing. */
const weights: Readonly<Record<Problem['severity'], number>> = { error: 0, warning: 1, info: 2 };

/**
 * The first {@link mostProblems} of `problems`, errors before warnings before remarks, in the order they came in, and
 * behind them one problem (`document.more`) that says how many are left out and stands where the first of those does.
 */
export function shownProblems<P extends Problem>(problems: readonly P[]): readonly (P | Problem)[] {
  if (problems.length <= mostProblems) return problems;
  const byWeight = [...problems.keys()].sort(
    (a, b) => weightOf(problems[a]) - weightOf(problems[b]) || a - b,
  );
  const kept = new Set(byWeight.slice(0, mostProblems));
  const firstLeftOut = problems.find((_, position) => !kept.has(position));
  const left = problems.length - mostProblems;
  return [
    ...problems.filter((_, position) => kept.has(position)),
    {
      code: 'document.more',
      severity: 'info',
      message: `${left} more ${left === 1 ? 'problem is' : 'problems are'} not shown: mend some of these first.`,
      start: firstLeftOut?.start ?? 0,
      end: firstLeftOut?.end ?? 0,
    },
  ];
}

function weightOf(problem: Problem | undefined): number {
  return weights[problem?.severity ?? 'info'];
}
