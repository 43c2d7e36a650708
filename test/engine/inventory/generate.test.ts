import { describe, expect, it } from 'vitest';
import { drawOperations } from '../../../server/src/engine/environments/inventory/draw.ts';
import {
  generate,
  listing,
  locate,
  sizeOf,
  splits,
} from '../../../server/src/engine/environments/inventory/generate.ts';
import {
  applyOperations,
  findOperations,
  type Instance,
  truthsOf,
} from '../../../server/src/engine/environments/inventory/instance.ts';
import {
  defaults,
  type Options,
  parseOptions,
} from '../../../server/src/engine/environments/inventory/options.ts';
import { parseInstance } from '../../../server/src/engine/environments/inventory/parse-instance.ts';
import { validate } from '../../../server/src/engine/environments/inventory/validate.ts';
import { adjectives, noise, nouns } from '../../../server/src/engine/environments/inventory/words.ts';
import { openStream } from '../../../server/src/engine/random/stream.ts';

function make(split: string, index: number, options: Partial<Options> = {}): Instance {
  const made = generate(split, index, { ...defaults, ...options });
  if (!made.ok) throw new Error(made.error);
  return made.value.instance;
}

it('no word is in two lists, or twice in one', () => {
  const all = [...adjectives, ...nouns, ...noise];
  expect(new Set(all).size).toBe(all.length);
  for (const word of all) expect(word).toMatch(/^[a-z]+$/);
});

it('a published instance has ten chunks of a thousand words and five operations', () => {
  const { chunks, operations, truth, distractors } = make('train', 0);
  expect(chunks).toHaveLength(10);
  for (const [at, chunk] of chunks.entries()) {
    const here = operations.filter((one) => one.chunk === at);
    expect(
      chunk
        .replace(/\[[^\]]*\]/g, '')
        .split(/\s+/)
        .filter(Boolean),
    ).toHaveLength(1000);
    expect(findOperations(chunk)).toMatchObject(here.map(({ kind, key }) => ({ kind, key })));
  }
  expect(operations).toHaveLength(5);
  expect(distractors).toEqual([]);
  expect([...(truthsOf(make('train', 0)).at(-1) ?? [])].sort()).toEqual(truth);
});

const shapes: readonly Partial<Options>[] = [
  {},
  { n_chunks: 1, chunk_size: 0, n_ops: 3 },
  { n_chunks: 3, chunk_size: 1, n_ops: 40, distractors: 20 },
  { n_chunks: 1000, chunk_size: 2, n_ops: 1152 },
  { n_ops: 0 },
  { n_ops: 1, chunk_size: 16 },
  { n_ops: 2, chunk_size: 17, distractors: 1000 },
  { seed: 7, distractors: 6 },
];

describe.each(shapes)('under %o', (options) => {
  it('instances are sound, found by their ids, listed without being made, and the same once more', () => {
    for (const split of splits) {
      for (let index = 0; index < 10; index++) {
        const instance = make(split.id, index, options);
        expect(validate(instance)).toEqual([]);
        expect(make(split.id, index, options)).toEqual(instance);
        const origin = locate(instance.id);
        expect(origin).toMatchObject({ split: split.id, index });
        const again = parseOptions(origin?.options);
        expect(again.ok && make(split.id, index, again.value)).toEqual(instance);
        const listed = listing(split.id, index, { ...defaults, ...options });
        const drops = instance.operations.filter(({ kind }) => kind === 'DROP').length;
        expect(listed).toEqual({
          ok: true,
          value: { id: instance.id, groups: { final_items: instance.truth.length, drops } },
        });
        expect(parseInstance(JSON.parse(JSON.stringify(instance)))).toEqual({ ok: true, value: instance });
      }
    }
  });
});

it('operations get what is absent and drop what is held, and no key comes twice', () => {
  for (let index = 0; index < 200; index++) {
    const { operations } = make('train', index, { n_ops: 30, chunk_size: 0 });
    const held = new Set<string>();
    for (const { kind, key } of operations) {
      expect(held.has(key)).toBe(kind === 'DROP');
      if (kind === 'GET') held.add(key);
      else held.delete(key);
    }
    const got = operations.filter(({ kind }) => kind === 'GET').map(({ key }) => key);
    expect(new Set(got).size).toBe(got.length);
    expect(operations.map(({ chunk }) => chunk)).toEqual(
      operations.map(({ chunk }) => chunk).sort((a, b) => a - b),
    );
  }
});

it('five operations leave 1, 3 or 5 items as often as the specification says, before and after drawing again', () => {
  const options = { ...defaults, n_chunks: 1 };
  const sizes = new Map<number, number>();
  let attempts = 0;
  const episodes = 20_000;
  for (let i = 0; i < episodes; i++) {
    const drawn = drawOperations(openStream('sizes', i), options);
    attempts += drawn.attempts;
    const left = applyOperations([], drawn.operations).length;
    sizes.set(left, (sizes.get(left) ?? 0) + 1);
  }
  // Each sequence that is thrown away is one of five GETs. Four standard errors of a share over 20,000 are 0.014.
  const five = (attempts - episodes) / attempts;
  expect(Math.abs(five - 0.13)).toBeLessThan(0.014);
  expect(sizes.get(5)).toBeUndefined();
  expect(Math.abs((sizes.get(1) ?? 0) / attempts - 0.46)).toBeLessThan(0.014);
  expect(Math.abs((sizes.get(3) ?? 0) / attempts - 0.41)).toBeLessThan(0.014);
});

it('operations stand anywhere: chunks and places are uniform', () => {
  const chunks = new Array<number>(10).fill(0);
  let sum = 0;
  const episodes = 400;
  for (let index = 0; index < episodes; index++) {
    const instance = make('train', index, { chunk_size: 40 });
    for (const { chunk, kind, key } of instance.operations) {
      chunks[chunk] = (chunks[chunk] ?? 0) + 1;
      const words = instance.chunks[chunk]?.replace(/: /g, ':').split(/\s+/) ?? [];
      sum += words.indexOf(`[${kind}:${key}]`) / (words.length - 1);
    }
  }
  // 2,000 operations: 200 a chunk with a deviation of 13.4, and a mean place of 0.5 with a standard error of 0.0065.
  for (const count of chunks) expect(Math.abs(count - 200)).toBeLessThan(60);
  expect(Math.abs(sum / (episodes * 5) - 0.5)).toBeLessThan(0.03);
});

it('splits, seeds and shapes share no instance', () => {
  const seen = new Set<string>();
  const some = [['train', {}] as const, ['test', {}] as const, ['train', { seed: 7 }] as const];
  for (const [split, options] of some) {
    for (let index = 0; index < 100; index++)
      seen.add(make(split, index, { ...options, chunk_size: 20 }).chunks.join());
  }
  expect(seen.size).toBe(300);
});

it.each([
  [{ n_chunks: 0 }, 'n_chunks must be a whole number from 1 to 1000, not 0'],
  [{ n_chunks: 1.5 }, 'n_chunks must be a whole number from 1 to 1000, not 1.5'],
  [{ chunk_size: -1 }, 'chunk_size must be a whole number from 0 to 100000, not -1'],
  [{ n_ops: -1 }, 'n_ops must be a whole number from 0 to 1152, not -1'],
  [{ max_episodes: 0 }, 'max_episodes must be a whole number from 1 to 1000000, not 0'],
  [{ seed: '42' }, 'seed must be a whole number from 0 to 999999999, not "42"'],
  [{ distractors: true }, 'distractors must be a whole number from 0 to 1000, not true'],
  [{ answer_block: 'middle' }, 'answer_block must be last or first, not "middle"'],
  [
    { n_chunks: 1000, chunk_size: 100_000 },
    'n_chunks × chunk_size must not be above 2000000 words, and is 100000000',
  ],
  [[], 'options must be an object of named values'],
  [
    { chunks: 3 },
    'there is no option "chunks"; there are n_chunks, chunk_size, n_ops, max_episodes, seed, distractors, answer_block',
  ],
])('%o is refused', (raw, error) => {
  expect(parseOptions(raw)).toEqual({ ok: false, error });
});

it('max_episodes ends a split', () => {
  const options = { ...defaults, max_episodes: 3 };
  expect(sizeOf('train', options)).toBe(3);
  expect(sizeOf('train', defaults)).toBe(100);
  expect(generate('train', 2, options)).toMatchObject({ ok: true });
  const error = 'index 3 is out of range; give a whole number from 0 to 2, since max_episodes is 3';
  expect(generate('train', 3, options)).toEqual({ ok: false, error });
  expect(generate('train', 100, defaults)).toMatchObject({ ok: true });
  expect(generate('nowhere', 0, defaults)).toEqual({
    ok: false,
    error: 'there is no split "nowhere"; there are train, test',
  });
});

it.each([
  'hs2-inv-train-0',
  'hs1-inv-train',
  'hs1-inv-elsewhere-1',
  'hs1-inv-train-01',
  'hs1-inv-train-1-c10',
  'hs1-inv-train-1-o3-c2',
  '',
])('no instance has the id %j', (id) => {
  expect(locate(id)).toBeNull();
});

describe('validation sees', () => {
  const sound = make('train', 3, { chunk_size: 30, distractors: 4, n_ops: 8 });
  const [first] = sound.operations;
  if (first === undefined) throw new Error('no operation');
  const inChunk = (change: (text: string) => string) =>
    sound.chunks.map((text, at) => (at === first.chunk ? change(text) : text));
  it.each<[string, Partial<Instance>, string]>([
    [
      'an operation that is not there',
      { chunks: inChunk((text) => text.replace(`[GET: ${first.key}]`, '')) },
      'operations_mismatch',
    ],
    ['one that is not recorded', { operations: sound.operations.slice(1) }, 'operations_mismatch'],
    ['another truth', { truth: ['tin-cup'] }, 'truth_mismatch'],
    [
      'a DROP of nothing',
      { operations: sound.operations.map((one) => ({ ...one, kind: 'DROP' as const })) },
      'illegal_operation',
    ],
    [
      'a key in the noise',
      { chunks: inChunk((text) => `${text} ${first.key}`), distractors: [] },
      'key_in_noise',
    ],
    ['a distractor that is not there', { chunks: sound.chunks.map(() => 'quiet') }, 'distractor_missing'],
    [
      'an operation beyond the last chunk',
      { operations: [...sound.operations, { ...first, chunk: 99 }] },
      'operations_mismatch:100',
    ],
    ['a truth that cannot be reported', { truth: ['a, b'] }, 'grader_refuses_truth:plain'],
  ])('%s', (_, change, reason) => {
    expect(validate({ ...sound, ...change }).join(' ')).toContain(reason);
  });
});

it.each([
  [{}, 'it has no id'],
  [{ ...make('train', 0, { chunk_size: 1 }), chunks: [] }, 'chunks must be a list that is not empty'],
  [{ ...make('train', 0, { chunk_size: 1 }), truth: 'a' }, 'truth must be a list'],
  [
    { ...make('train', 0, { chunk_size: 1 }), operations: [{ kind: 'PUT', key: 'a', chunk: 0 }] },
    'operations.0.kind must be "GET" or "DROP"',
  ],
  ['a text', 'it must be an object'],
])('no instance: %#', (raw, error) => {
  expect(parseInstance(raw)).toMatchObject({ ok: false, error: expect.stringContaining(error) });
});
