import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInstanceUri, printInstanceUri } from '../../server/src/language/instance-uri.ts';

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
