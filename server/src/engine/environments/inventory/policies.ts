/**
 * Scripted agents. But for the oracle, all of them see what a model sees, the chunk and what is carried, and keep nothing
 * between turns themselves. What each of them must score is known, and tests hold it to that.
 */
import { openStream } from '../../random/stream.ts';
import { type Reply, reply } from '../chat.ts';
import type { Policy } from '../environment.ts';
import { applyOperations, findOperations, type Instance, truthsOf } from './instance.ts';
import { listText, type Sight, sightOf } from './observation.ts';
import type { State } from './state.ts';

/** A reply in the form that the shipped prompts ask for. */
export function say(items: readonly string[]): Reply {
  return reply(`<answer>${listText(items)}</answer>`);
}

/** Anything that could be a key. */
const keyLike = /(?<![a-z-])[a-z]+-[a-z]+(?![a-z-])/g;

interface Simple {
  readonly id: string;
  readonly description: string;
  /** The items to report. `id` and `seed` are for what is left to chance. */
  report(sight: Sight, chance: { readonly id: string; readonly seed: string }): readonly string[];
}

function simple({ id, description, report }: Simple): Policy<Instance, State> {
  return {
    id,
    description,
    privileged: false,
    begin: (instance, seed) => (state) => say(report(sightOf(state), { id: instance.id, seed })),
  };
}

const got = (chunk: string) =>
  findOperations(chunk).flatMap(({ kind, key }) => (kind === 'GET' ? [key] : []));

export const policies: readonly Policy<Instance, State>[] = [
  simple({
    id: 'carrier',
    description: 'Carries out the operations of each chunk on what it carries: always right.',
    report: ({ carried, chunk }) => applyOperations(carried, findOperations(chunk)),
  }),
  {
    id: 'oracle',
    description: 'Knows the truth and reports it in every turn: always right, whatever is carried.',
    privileged: true,
    begin: (instance) => {
      const truths = truthsOf(instance);
      return ({ turns }) => say(truths[turns.length] ?? []);
    },
  },
  simple({
    id: 'append-only',
    description: 'Never drops anything: right only where no operation is a DROP.',
    report: ({ carried, chunk }) => [...new Set([...carried, ...got(chunk)])],
  }),
  simple({
    id: 'last-chunk-only',
    description: 'Forgets what it carries: right only when the last chunk gives all that is held in the end.',
    report: ({ chunk }) => applyOperations([], findOperations(chunk)),
  }),
  simple({
    id: 'forgetful',
    description:
      'Carries out every operation, but loses each item that it carries with probability 0.1 a turn.',
    report: ({ turn, carried, chunk }, { id, seed }) => {
      const stream = openStream('inventory', 'forgetful', seed, id, turn);
      const kept = carried.filter(() => !stream.chance(0.1));
      return applyOperations(kept, findOperations(chunk));
    },
  }),
  simple({
    id: 'echo-seen',
    description: 'Reports every key that it has ever seen, dropped ones and those in the noise included.',
    report: ({ carried, chunk }) => [...new Set([...carried, ...(chunk.match(keyLike) ?? [])])],
  }),
  simple({
    id: 'everything',
    description: 'Reports every word of the chunk, so that the right items are surely among them.',
    report: ({ carried, chunk }) => [...new Set([...carried, ...(chunk.match(/[a-z-]+/gi) ?? [])])],
  }),
  simple({
    id: 'empty',
    description: 'Always reports the empty inventory: right only when nothing is held in the end.',
    report: () => [],
  }),
  {
    id: 'silent',
    description: 'Talks, but never gives an answer block: never right.',
    privileged: false,
    begin: () => () => reply('I have read the chunk and will remember what was in it.'),
  },
];
