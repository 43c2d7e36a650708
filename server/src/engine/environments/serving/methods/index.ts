/** The methods that are shipped. What they see is what their types say, and nothing else. */
import type { Method } from '../../streams.ts';
import { notes } from './notes.ts';
import { rag } from './rag.ts';
import { refusals } from './refusals.ts';

/** A method that keeps nothing. */
function forgetful(id: string, description: string, privileged: boolean): Method<null> {
  return {
    id,
    description,
    learns: false,
    privileged,
    start: () => null,
    context: () => '',
    update: () => null,
  };
}

export const methods: readonly Method[] = [
  forgetful('blind', 'Learns nothing and tells nothing.', false),
  forgetful('oracle', 'Tells the rules that hold in each window: what there is to be learned.', true),
  rag,
  notes,
  refusals,
] as readonly Method[];
