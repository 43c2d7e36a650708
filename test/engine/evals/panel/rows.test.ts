import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bounded } from '../../../../server/src/engine/evals/panel/portions.ts';
import {
  episodeRow,
  type RowQuery,
  selectEpisodes,
  sortColumns,
} from '../../../../server/src/engine/evals/panel/rows.ts';
import { beginning, clip } from '../../../../server/src/engine/text/clip.ts';
import { sketchRun } from '../../../support/runs.ts';

const all: RowQuery = { sort: 'task', descending: false, outcomes: [], causes: [], groups: {}, text: '' };

const { episodes } = sketchRun([
  { instance: 'x-10', reward: 0.5, hops: 3, replies: ['a', 'b', 'c'] },
  { instance: 'x-9', reward: 0, cause: 'gave-up', replies: ['a'] },
  { instance: 'y-1', reward: null },
  { instance: 'x-2', reward: 0.9, replies: ['a', 'b'] },
  { instance: 'z-1', reward: 0, cause: 'guessed', hops: 3, replies: [] },
]);

/** The numbers of the episodes that a query wants. */
function tasks(query: Partial<RowQuery>): readonly number[] {
  return selectEpisodes(episodes, { ...all, ...query }, ({ task }) => (task === 3 ? 'Odd one [v2]' : '')).map(
    ({ task }) => task,
  );
}

describe('what is wanted', () => {
  test.each<[string, Partial<RowQuery>, readonly number[]]>([
    ['everything, in the order of the plan', {}, [0, 1, 2, 3, 4]],
    ['the other way round', { descending: true }, [4, 3, 2, 1, 0]],
    ['by reward, without a score last', { sort: 'reward' }, [1, 4, 0, 3, 2]],
    ['by falling reward, without a score last', { sort: 'reward', descending: true }, [3, 0, 1, 4, 2]],
    ['by instance, numbers as numbers', { sort: 'instance' }, [3, 1, 0, 2, 4]],
    ['by outcome', { sort: 'outcome' }, [0, 3, 1, 4, 2]],
    ['by a grouping', { sort: 'group:n_hops', descending: true }, [0, 4, 1, 2, 3]],
    ['by steps', { sort: 'steps' }, [2, 4, 1, 3, 0]],
    ['by steps over the fewest', { sort: 'over-min', descending: true }, [0, 3, 1, 2, 4]],
    ['by cause, correct ones last', { sort: 'cause' }, [1, 4, 2, 0, 3]],
    ['by what there is not', { sort: 'nothing' }, [0, 1, 2, 3, 4]],
    ['one outcome', { outcomes: ['wrong'] }, [1, 4]],
    ['two outcomes', { outcomes: ['errored', 'correct'] }, [0, 2, 3]],
    ['one cause', { causes: ['gave-up'] }, [1]],
    ['a cause that is none', { causes: [''] }, []],
    ['a group', { groups: { n_hops: ['3'] } }, [0, 4]],
    ['a group and an outcome', { groups: { n_hops: ['3'] }, outcomes: ['correct'] }, [0]],
    ['a group that nobody has', { groups: { other: ['3'] } }, []],
    ['no values are all values', { groups: { n_hops: [] } }, [0, 1, 2, 3, 4]],
    ['words, whatever their case', { text: ' X-  GAVE ' }, [1]],
    ['words of an error', { text: 'overloaded' }, [2]],
    ['words of a note', { text: 'odd v2' }, [3]],
  ])('%s', (_, query, expected) => {
    expect(tasks(query)).toEqual(expected);
  });

  test('sorting loses and doubles nothing', () => {
    for (const sort of sortColumns) {
      for (const descending of [false, true]) {
        expect([...tasks({ sort, descending })].sort()).toEqual([0, 1, 2, 3, 4]);
      }
    }
  });
});

test('a row of whatever texts has a sane size', () => {
  const long = 'ä'.repeat(100_000);
  const { episodes: huge } = sketchRun([{ instance: long, reward: 0, cause: long, replies: ['a'] }]);
  const [episode] = huge;
  if (!episode) throw new Error('no episode');
  const row = episodeRow({ ...episode, groups: { a: long } }, long);
  expect(JSON.stringify(row).length).toBeLessThan(1000);
});

/** Whether there is no half of a surrogate pair in it. */
const isWhole = (text: string) => !/\p{Cs}/u.test(text);

test('cutting never leaves half of a pair', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 12 }), (text, most) => {
      expect(clip(text, most).length).toBeLessThanOrEqual(most);
      if (isWhole(text)) expect(isWhole(clip(text, most))).toBe(true);
      let read = '';
      while (read.length < text.length) {
        const next = beginning(text, read.length, most);
        expect(next.length).toBeGreaterThan(0);
        if (isWhole(text)) expect(isWhole(next)).toBe(true);
        read += next;
      }
      expect(read).toBe(text);
    }),
  );
});

test('portions are as large as is allowed, and never empty', () => {
  expect(bounded(['aaa', 'bbb', 'ccc'], 13)).toEqual(['aaa', 'bbb']);
  expect(bounded(['a'.repeat(100)], 10)).toEqual(['a'.repeat(100)]);
  expect(bounded([], 10)).toEqual([]);
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary' })),
      fc.integer({ min: 10, max: 200 }),
      (items, bytes) => {
        const portion = bounded(items, bytes);
        expect(portion).toEqual(items.slice(0, portion.length));
        if (portion.length > 1)
          expect(Buffer.byteLength(JSON.stringify(portion))).toBeLessThanOrEqual(bytes + 2);
      },
    ),
  );
});
