/** What is asked for and cannot be played as streams, said before anything is. */
import type { Environment } from '../../engine/environments/environment.ts';
import type { StreamInfo } from '../../engine/environments/streams.ts';
import { environments } from '../../host/data/environments.ts';
import { Failure } from '../../host/failure.ts';
import { flagOf, streamOptions } from '../evals/eval-modes.ts';
import type { AnyStreams, StreamsChoice } from './play.ts';

/** Environments whose episodes come in streams, by id. */
export const streamed: readonly string[] = environments
  .filter(({ streams }) => streams !== undefined)
  .map(({ id }) => id);

/** For an environment whose episodes do not come in streams. @param isNamed whether somebody asked for it */
export function noStreams({ id }: Environment, { given = [] }: StreamsChoice, isNamed: boolean): Failure {
  const flags = given.filter((name) => streamOptions.some((it) => it === name)).map(flagOf);
  const leave = `leave ${flags.join(', ')} out`;
  const sentence = isNamed
    ? `The episodes of ${id} do not come in streams: ${leave}. Those of ${streamed.join(', ')} do.`
    : `No environment is named, and the episodes of ${id} do not come in streams: put ${streamed.join(' or ')} in ` +
      `the place of a step prompt, as in "hopscope eval ${streamed[0]} ${flags[0]} …", or ${leave}.`;
  return new Failure('request', sentence);
}

/** @throws Failure for the first policy that cannot play one of the streams, with those that can. */
export function checkPlayable(
  { policies }: Environment,
  streams: AnyStreams,
  list: readonly StreamInfo[],
  wanted: readonly string[] = [],
): void {
  const problem = (policy: string): string | null => {
    for (const { id } of list) {
      const why = streams.unplayable?.(policy, id) ?? null;
      if (why !== null) return `${policy} cannot play ${id}: ${why}`;
    }
    return null;
  };
  for (const policy of wanted) {
    const found = problem(policy);
    if (found === null) continue;
    const able = policies.map(({ id }) => id).filter((id) => problem(id) === null);
    const instead = [...able, 'a model with a step prompt'].join(', ');
    throw new Failure('request', `The policy ${found}. What can: ${instead}.`);
  }
}
