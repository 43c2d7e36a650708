/** What the agent of a transcript holds, for marking it in the document of the instance. */
import { NONE } from '../../engine/environments/links.ts';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import type { HeldChunks } from '../../protocol.ts';
import { rangeOf } from '../instances/mentions.ts';
import type { InstanceModel } from '../instances/models.ts';
import type { Analysis } from './analysis.ts';
import { blockAt } from './places.ts';

/**
 * The chunks that are held after the step at `offset`, as its gauge counts them; before the first step none.
 *
 * @param model of the instance; undefined when it cannot be found.
 */
export function heldChunks(
  offset: number,
  { parsed, replay, environment, played }: Analysis,
  model: InstanceModel | undefined,
): Checked<HeldChunks> {
  const { commentary } = environment ?? {};
  if (environment !== undefined && commentary?.held === undefined) {
    return refuse(`Agents of ${environment.title} hold no parts of a document, so there is nothing to mark.`);
  }
  if (replay === undefined || model === undefined || played === undefined || commentary?.held === undefined) {
    return refuse(
      'This transcript cannot be followed in a document: it names no instance that can be found.',
    );
  }
  const { blocks } = parsed.layout;
  const block = blockAt(blocks, offset);
  const state = block === NONE ? replay.first : (replay.steps[block]?.after ?? replay.last);
  const step = blocks.slice(0, block + 1).filter(({ kind }) => kind === 'step').length;
  const chunks = commentary.held(state).flatMap((number) => {
    const part = model.chunks.get(number);
    return part === undefined ? [] : [{ number, range: rangeOf(model, part) }];
  });
  return accept({ instance: played.uri, step, chunks });
}
