import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sideBySide } from '../../server/src/cli/runs/side-by-side.ts';

it.each<[string, string, readonly string[]]>([
  ['', '', ['           |']],
  ['one', 'two', ['one        | two']],
  ['one two three', 'x', ['one two    | x', 'three      |']],
  ['incomprehensible', '', ['incomprehe |', 'nsible     |']],
  ['a\r\nb\rc', 'x\ty', ['a          | x  y', 'b          |', 'c          |']],
  ['a\u0007b', '', ['a\\u0007b   |']],
])('%j beside %j', (left, right, lines) => {
  expect(sideBySide(left, right, 10)).toEqual(lines);
});

it('loses nothing but blanks at which lines are broken', () => {
  const word = fc.stringMatching(/^[a-z]{1,14}$/);
  fc.assert(
    fc.property(fc.array(word), fc.array(word), (left, right) => {
      const lines = sideBySide(left.join(' '), right.join(' '), 10).map((line) => line.split(/ *\| ?/));
      expect(
        lines
          .map(([it]) => it)
          .join('')
          .replaceAll(' ', ''),
      ).toBe(left.join(''));
      expect(
        lines
          .map(([, it]) => it)
          .join('')
          .replaceAll(' ', ''),
      ).toBe(right.join(''));
      for (const [it = ''] of lines) expect(it.length).toBeLessThanOrEqual(10);
    }),
  );
});
