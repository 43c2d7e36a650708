/** What the reply of a step was made from, and what it is: for a comparison side by side. */

import { NONE } from '../../engine/environments/links.ts';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import type { TextsBeside } from '../../protocol.ts';
import type { Analysis } from './analysis.ts';
import { blockAt } from './places.ts';

/** The texts of the step at `offset`, of the last one when there is no step. */
export function comparedTexts(
  offset: number,
  { parsed, replay, environment, played }: Analysis,
): Checked<TextsBeside> {
  if (environment !== undefined && environment.comparedTexts === undefined) {
    return refuse(
      `In ${environment.title} replies are not made from a text, so there is nothing to compare.`,
    );
  }
  if (replay === undefined || played === undefined) {
    return refuse(
      'This transcript names no instance that can be found, so there is nothing to compare with.',
    );
  }
  const block = blockAt(parsed.layout.blocks, offset);
  const state = block === NONE ? replay.last : (replay.steps[block]?.after ?? replay.last);
  const texts = environment?.comparedTexts?.(state) ?? null;
  if (texts === null) return refuse('There is no reply yet: write one, then compare it.');
  return accept({ ...texts, instance: played.instance.id });
}
