import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordPieces } from '../../../server/src/engine/text/word-pieces.ts';

test.each([
  ['', [0]],
  ['Two words.', [10]],
  ['a'.repeat(999), [999]],
  ['a'.repeat(2500), [1000, 1000, 500]],
  ['漢'.repeat(1001), [1000, 1]],
  ['😀'.repeat(1001), [2000, 2]],
  [' '.repeat(3000), [1000, 1000, 1000]],
  ['!?'.repeat(600), [1000, 200]],
  ['word '.repeat(1000), [5000]],
  ['1'.repeat(5000), [5000]],
])('of %j', (text, lengths) => {
  expect(wordPieces(text).map(({ length }) => length)).toEqual(lengths);
});

test('joined they are the text, and no character is cut', () => {
  const part = fc.tuple(
    fc.constantFrom('a', 'é', '😀', ' ', '\n', '!', '7', '\ud800'),
    fc.integer({ max: 2500, min: 0 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const text = parts.map(([unit, times]) => unit.repeat(times)).join('');
      const pieces = wordPieces(text);
      expect(pieces.join('')).toBe(text);
      const characters = pieces.reduce((sum, piece) => sum + [...piece].length, 0);
      expect(characters).toBe([...text].length);
    }),
  );
});
