import { expect, test } from 'vitest';
import { navigator } from '../../../server/src/engine/environments/navigator/index.ts';

test.each([
  ['train', 0, {}],
  ['id_test', 299, {}],
  ['ood_test', 7, {}],
  ['scale_test', 1, {}],
  ['scale_test', 2, {}],
  ['train', 123_456, { n_hops: [4, 5] }],
  ['scale_test', 3, { doc_tokens: [32_000, 64_000] }],
])('%s %i with %j is listed as it is generated', (split, index, raw) => {
  const options = navigator.parseOptions(raw);
  if (!options.ok) throw new Error(options.error);
  const made = navigator.generate(split, index, options.value);
  if (!made.ok) throw new Error(made.error);
  const { instance } = made.value;
  const groups = navigator.groupings?.map(({ id, of }) => [id, of(instance)]) ?? [];
  expect(navigator.listing?.(split, index, options.value)).toEqual({
    ok: true,
    value: { id: instance.id, groups: Object.fromEntries(groups) },
  });
});

test.each([
  ['nowhere', 0],
  ['train', -1],
  ['train', 0.5],
])('%s %d is refused as by the generator', (split, index) => {
  expect(navigator.listing?.(split, index, {})).toEqual(navigator.generate(split, index, {}));
});
