/** The log beside what was made of it, for a comparison of lines. */
import type { ComparedTexts } from '../compared-texts.ts';
import { contentOf, prefixOf } from './fidelity.ts';
import type { State } from './state.ts';
import { shownLine } from './view.ts';

/**
 * Both texts are given as the grader reads them, line by line without prefixes: a line that was kept is the same in both,
 * whether or not its prefix was.
 */
export function comparedTexts({ instance, candidate }: State): ComparedTexts | null {
  if (candidate === null) return null;
  const prefix = prefixOf(instance);
  const read = (text: string) =>
    text
      .split('\n')
      .map((line) => shownLine(contentOf(line, prefix)))
      .join('\n');
  return {
    before: { title: 'log without prefixes', text: `${read(instance.raw)}\n` },
    after: { title: 'reply without prefixes', text: `${read(candidate)}\n` },
  };
}
