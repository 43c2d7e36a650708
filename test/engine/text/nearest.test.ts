import { expect, it } from 'vitest';
import { nearestName, suggest } from '../../../server/src/engine/text/nearest.ts';

const splits = ['train', 'id_test', 'ood_test', 'scale_test'];

it.each([
  ['trian', 'train'],
  ['TRAIN', 'train'],
  ['idtest', 'id_test'],
  ['ood-test', 'ood_test'],
  ['scaletest', 'scale_test'],
  ['od_test', 'id_test'],
  ['validation', null],
  ['x'.repeat(1_000_000), null],
])('%.12s is closest to %s', (word, name) => {
  expect(nearestName(word, splits)).toBe(name);
});

it('knows nothing when there are no names', () => expect(nearestName('a', [])).toBeNull());

it('ends a message with a guess, or with all there is', () => {
  expect(suggest('trian', splits)).toBe(' Did you mean train?');
  expect(suggest('validation', splits)).toBe(' Known: train, id_test, ood_test, scale_test.');
});
