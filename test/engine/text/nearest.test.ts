import { expect, it } from 'vitest';
import { nearest, suggest } from '../../../server/src/engine/text/nearest.ts';

const splits = ['train', 'id_test', 'ood_test', 'scale_test'];

it.each([
  ['trian', 'train'],
  ['TRAIN', 'train'],
  ['idtest', 'id_test'],
  ['ood-test', 'ood_test'],
  ['scaletest', 'scale_test'],
  ['od_test', 'id_test'],
  ['validation', undefined],
  ['', undefined],
  ['x'.repeat(1_000_000), undefined],
])('%.12s is closest to %s', (word, name) => {
  expect(nearest(word, splits)).toBe(name);
});

it('knows nothing when there are no names', () => expect(nearest('a', [])).toBeUndefined());

it('ends a message with a guess, or with all there is', () => {
  expect(suggest('trian', splits)).toBe(' Did you mean train?');
  expect(suggest('validation', splits)).toBe(' Known: train, id_test, ood_test, scale_test.');
});
