/**
 * The generator: the instance at an index of a split, a pure function of version, split, index and options. Nothing is
 * ever rejected but sequences of operations without a DROP, which are drawn again.
 */
import { accept, type Checked, refuse } from '../../problem.ts';
import { openStream, type Stream } from '../../random/stream.ts';
import type { Generated, InstanceOrigin, Listing, Split } from '../environment.ts';
import { composeChunk } from './compose.ts';
import { type Drawn, drawDistractors, drawOperations } from './draw.ts';
import { applyOperations, type Instance, type Operation } from './instance.ts';
import { defaults, type Options, parseOptions, usualEpisodes } from './options.ts';

/** Raised whenever the same split and index would give other bytes. */
export const GENERATOR_VERSION = 1;

/** Indices run from 0 to this, far beyond every split. */
const maxIndex = 999_999_999;

export const splits: readonly Split[] = [
  { id: 'train', size: usualEpisodes, test: false, description: 'to iterate on' },
  { id: 'test', size: usualEpisodes, test: true, description: 'held out: the same distribution as train' },
];

/** How many instances a split has under these options. */
export function sizeOf(_split: string, { max_episodes }: Options): number {
  return max_episodes ?? usualEpisodes;
}

/** Generates the instance at `index` of `split`; the error says what is wrong with split or index. */
export function generate(splitId: string, index: number, options: Options): Checked<Generated<Instance>> {
  const planned = plan(splitId, index, options);
  if (!planned.ok) return planned;
  const { operations, attempts } = planned.value;
  const { chunk_size, n_chunks, seed } = options;
  const open = opener(splitId, index, options);
  const distractors = drawDistractors(open('distractors'), options, operations);
  const stream = open('noise');
  const here = <T extends { readonly chunk: number }>(list: readonly T[], chunk: number) =>
    list.filter((one) => one.chunk === chunk);
  const chunks = Array.from({ length: n_chunks }, (_, chunk) =>
    composeChunk(stream, chunk_size, here(operations, chunk), here(distractors, chunk)),
  );
  const instance: Instance = {
    id: instanceId(splitId, index, options),
    split: splitId,
    chunks,
    operations,
    distractors,
    truth: [...applyOperations([], operations)].sort(),
    generator: { seed, index, chunk_size },
  };
  const reasons: Record<string, number> = attempts > 1 ? { no_drop: attempts - 1 } : {};
  return accept({ instance, attempts, reasons });
}

/** Id and groups of the instance at `index` of `split` without its noise. */
export function listing(splitId: string, index: number, options: Options): Checked<Listing> {
  const planned = plan(splitId, index, options);
  if (!planned.ok) return planned;
  return accept({ id: instanceId(splitId, index, options), groups: groupsOf(planned.value.operations) });
}

/** How many keys are held in the end, and how many were dropped on the way. */
export function groupsOf(operations: readonly Operation[]): {
  readonly final_items: number;
  readonly drops: number;
} {
  const drops = operations.filter(({ kind }) => kind === 'DROP').length;
  return { final_items: applyOperations([], operations).length, drops };
}

function opener(split: string, index: number, options: Options): (what: string) => Stream {
  const { seed, n_chunks, chunk_size, n_ops, distractors } = options;
  const shape = [n_chunks, chunk_size, n_ops, distractors].join('x');
  return (what) => openStream('inventory', GENERATOR_VERSION, seed, split, shape, index, what);
}

function plan(splitId: string, index: number, options: Options): Checked<Drawn> {
  if (!splits.some(({ id }) => id === splitId)) {
    return refuse(`there is no split "${splitId}"; there are ${splits.map(({ id }) => id).join(', ')}`);
  }
  const most = options.max_episodes === null ? maxIndex : options.max_episodes - 1;
  if (!Number.isInteger(index) || index < 0 || index > most) {
    const why = options.max_episodes === null ? '' : `, since max_episodes is ${options.max_episodes}`;
    return refuse(`index ${index} is out of range; give a whole number from 0 to ${most}${why}`);
  }
  return accept(drawOperations(opener(splitId, index, options)('operations'), options));
}

/** Options that an id tells, by their letter, in the order in which they stand. */
const letters = [
  ['c', 'n_chunks'],
  ['w', 'chunk_size'],
  ['o', 'n_ops'],
  ['d', 'distractors'],
  ['s', 'seed'],
] as const;

/** E.g. `hs1-inv-train-7`, or `hs1-inv-train-7-c3-o2` for other options than the published ones. */
function instanceId(split: string, index: number, options: Options): string {
  const others = letters.flatMap(([letter, key]) =>
    options[key] === defaults[key] ? [] : [`${letter}${options[key]}`],
  );
  return [`hs${GENERATOR_VERSION}-inv`, split, index, ...others].join('-');
}

const idShape = /^hs(\d+)-inv-([a-z]+)-(\d{1,9})((?:-[cwods]\d{1,9})*)$/;

/** Where the instance of that id comes from; null for an id that this generator does not give. */
export function locate(id: string): InstanceOrigin | null {
  const [, version, split = '', index = '', rest = ''] = idShape.exec(id) ?? [];
  if (Number(version) !== GENERATOR_VERSION) return null;
  const given = new Map(rest.split('-').map((part) => [part.charAt(0), Number(part.slice(1))]));
  const options = Object.fromEntries(
    letters.flatMap(([letter, key]) => {
      const value = given.get(letter);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
  // The one spelling of an id counts: another one is of no instance.
  const parsed = parseOptions(options);
  if (!parsed.ok || instanceId(split, Number(index), parsed.value) !== id) return null;
  return splits.some((it) => it.id === split) ? { split, index: Number(index), options } : null;
}
