/**
 * Policies that know no more than a model does. What they may see is a type without answer and evidence, so that
 * the compiler, not good intentions, keeps them honest.
 */
import { openStream, type Stream } from '../../../random/stream.ts';
import type { Reply } from '../../chat.ts';
import type { Policy } from '../../environment.ts';
import type { State } from '../episode.ts';
import type { Instance } from '../instance.ts';
import { type Observation, observe } from '../observation.ts';

/** The part of an observation that every step prompt may show. */
export type Visible = Pick<Observation, 'question' | 'map' | 'held' | 'steps_left'>;

/** What a blind policy is: an id, a sentence, and how it opens an episode. */
interface Script {
  readonly id: string;
  readonly description: string;
  /** Called once per episode; the function returned gives each reply from what is visible then. */
  open(stream: Stream): (seen: Visible) => Reply;
}

/** A policy that knows what the prompt shows, and nothing else. */
export function blind({ id, description, open }: Script): Policy<Instance, State> {
  return {
    id,
    description,
    privileged: false,
    begin(instance, seed) {
      const play = open(openStream('policy', id, instance.id, seed));
      return (state) => play(observe(state));
    },
  };
}

/** What the policies that list candidates answer with: one text made from all of them. */
interface ListScript {
  readonly id: string;
  readonly description: string;
  answer(candidates: readonly string[]): Reply;
}

/** A policy that reads nothing and answers with something made from all candidate answers, which it is told. */
export function listing({ id, description, answer }: ListScript): Policy<Instance, State> {
  return {
    id,
    description,
    privileged: false,
    begin: ({ candidate_answers: candidates }) => {
      return () => answer(candidates);
    },
  };
}
