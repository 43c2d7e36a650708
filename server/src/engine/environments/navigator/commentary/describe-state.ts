/** How an episode stands, for the hover over a step. */
import { fewestStepsLeft, frontierOf } from '../progress.ts';
import type { State } from '../state.ts';

/** Markdown: what is held, what is free, how many steps are left; for a person who may know, what is needed next. */
export function describeState(state: State, privileged: boolean): string {
  const { held, used, settings, instance, steps } = state;
  const free = settings.contextCeiling - used;
  const left = settings.stepBudget - steps;
  const items = held.map(({ id, tokens, sources }) => {
    const from = sources.length === 0 ? '' : ` from ${sources.join(', ')}`;
    return `- \`${id}\` ${tokens} tokens${from}`;
  });
  const lines = [
    `**${used} of ${settings.contextCeiling} tokens** held, ${free} free, ${left} of ${settings.stepBudget} steps left`,
    items.length === 0 ? 'Nothing is held.' : items.join('\n'),
  ];
  if (privileged && state.ended === null) {
    const next = instance.evidence[frontierOf(state)];
    const fewest = fewestStepsLeft(state);
    const need =
      next === undefined
        ? `the answer, ${instance.answer}`
        : `the ${next.field.toLowerCase()} of ${next.entity}, in chunk ${next.chunk_idx}`;
    lines.push(
      `Next: ${need}. ${fewest === null ? 'No way leads there.' : `At least ${fewest} steps to the end.`}`,
    );
  }
  return lines.join('\n\n');
}
