import fc from 'fast-check';
import { expect, test } from 'vitest';
import { secrets as navigatorSecrets } from '../../../server/src/engine/environments/navigator/secrets.ts';
import { findSecrets, type Secret } from '../../../server/src/engine/environments/secrets.ts';
import { smallInstance } from '../../support/small-instance.ts';

const secrets: readonly Secret[] = [
  { text: '4107', kind: 'answer' },
  { text: 'Ida Berg', kind: 'bridge entity' },
  { text: 'Ida Berg (a.k.a. I.B.)', kind: 'bridge entity' },
  { text: 'LG-7103 [a/b]', kind: 'bridge entity' },
  { text: 'no', kind: 'answer' },
];

test.each([
  ['the desk is 4107.', ['4107']],
  ['41075 and 14107 and x4107', []],
  ['ida berg, IDA BERG', ['ida berg', 'IDA BERG']],
  ['Ida Berg (a.k.a. I.B.)', ['Ida Berg (a.k.a. I.B.)']],
  ['Ida Bergen', []],
  ['see lg-7103 [a/b]', ['lg-7103 [a/b]']],
  ['LG-7103 [a/b].', ['LG-7103 [a/b]']],
  ['no, no', []],
  ['', []],
])('in %j', (text, expected) => {
  expect(findSecrets(text, secrets).map(({ start, end }) => text.slice(start, end))).toEqual(expected);
});

test('any text can be searched for any secrets', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, fc.array(text), (where, what) => {
      const found = findSecrets(
        where,
        what.map((it) => ({ text: it, kind: 'answer' })),
      );
      for (const { start, end } of found) expect(end).toBeGreaterThan(start);
    }),
  );
});

test('of the navigator: the answer and what lies between it and the question', () => {
  expect(navigatorSecrets(smallInstance)).toEqual([
    { text: '4107', kind: 'answer' },
    { text: 'Ida Berg', kind: 'bridge entity' },
  ]);
});
