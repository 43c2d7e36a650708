import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parseFileInstanceUri,
  parseInstanceUri,
  printFileInstanceUri,
  printInstanceUri,
} from '../../server/src/language/instances/uri.ts';

test('an address reads well', () => {
  const address = { environment: 'navigator', split: 'train', index: 17, id: 'hs1-train-17' };
  expect(printInstanceUri(address)).toBe('hopscope:/navigator/train/17/hs1-train-17.hopscope-instance');
});

test('any address comes back as it was', () => {
  const part = fc.string({ minLength: 1, unit: 'grapheme' });
  const address = fc.record(
    {
      environment: part,
      split: part,
      index: fc.nat(),
      id: part,
      options: fc.dictionary(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.oneof(fc.integer(), fc.string(), fc.boolean()),
        {
          minKeys: 1,
          noNullPrototype: true,
        },
      ),
    },
    { requiredKeys: ['environment', 'split', 'index', 'id'] },
  );
  fc.assert(
    fc.property(address, (value) => {
      expect(parseInstanceUri(printInstanceUri(value))).toEqual({ ok: true, value });
    }),
  );
});

test.each([
  'hopscope:/navigator/train/17',
  'hopscope:/navigator/train/seventeen/hs1-train-17.hopscope-instance',
  'hopscope:/navigator/train/-1/hs1-train-17.hopscope-instance',
  'hopscope:/navigator/%E0%A4%A/17/x.hopscope-instance',
  'hopscope:/navigator/train/17/x.txt',
  'hopscope:/navigator/train/17/x.hopscope-instance?[1]',
  'hopscope:/navigator/train/17/x.hopscope-instance?{',
  'file:///navigator/train/17/x.hopscope-instance',
  '',
])('%s is no address', (uri) => {
  expect(parseInstanceUri(uri)).toEqual({ ok: false, error: `there is no instance at ${uri}` });
});

test('any text is an address or is refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(parseInstanceUri(`hopscope:/${text}`)).toHaveProperty('ok');
    }),
  );
});

test('an address of an instance in a file reads well', () => {
  const address = { environment: 'navigator', file: 'file:///home/me/my%20own.jsonl', id: 'train/100000' };
  const uri = printFileInstanceUri(address);
  expect(uri).toMatch(/^hopscope:\/navigator\/my%20own\.jsonl\/train_100000\.hopscope-instance\?/);
  expect(parseFileInstanceUri(uri)).toEqual(address);
});

test('any address of an instance in a file comes back as it was, and is no generated one', () => {
  const part = fc.string({ minLength: 1, unit: 'grapheme' });
  const address = fc.record({ environment: part, file: part, id: part });
  fc.assert(
    fc.property(address, (value) => {
      const uri = printFileInstanceUri(value);
      expect(parseFileInstanceUri(uri)).toEqual(value);
      expect(parseInstanceUri(uri).ok).toBe(false);
    }),
  );
});

test('a generated address is none of a file', () => {
  const generated = printInstanceUri({
    environment: 'navigator',
    split: 'train',
    index: 1,
    id: 'x',
    options: { a: 1 },
  });
  expect(parseFileInstanceUri(generated)).toBeUndefined();
});
