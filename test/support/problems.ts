/** Problems as short texts that a test can write down. */
import type { Problem } from '../../server/src/engine/problem.ts';

/** `code «what it marks»` for each problem, in order. */
export function showProblems(text: string, problems: readonly Problem[]): string[] {
  return problems.map(({ code, start, end }) => `${code} «${text.slice(start, end)}»`);
}
