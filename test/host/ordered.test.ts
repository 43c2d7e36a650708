import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mapOrdered } from '../../server/src/host/ordered.ts';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

it('keeps the order and never runs more than the window at once, whoever finishes first', async () => {
  const run = fc.asyncProperty(
    fc.scheduler(),
    fc.nat(20),
    fc.integer({ min: 1, max: 5 }),
    async (s, n, window) => {
      const items = Array.from({ length: n }, (_, i) => i);
      let running = 0;
      let most = 0;
      const work = async (item: number) => {
        most = Math.max(most, ++running);
        await s.schedule(Promise.resolve(), `item ${item}`);
        running--;
        return item * 2;
      };
      const results = await s.waitFor(collect(mapOrdered(items, window, work)));
      expect(results).toEqual(items.map((item) => item * 2));
      expect(most).toBeLessThanOrEqual(window);
    },
  );
  await fc.assert(run);
});

it('passes on the first failure in order, and later ones stay silent', async () => {
  const work = async (item: number) => {
    if (item >= 2) throw new Error(`item ${item}`);
    return item;
  };
  const seen: number[] = [];
  const all = async () => {
    for await (const item of mapOrdered([0, 1, 2, 3, 4], 4, work)) seen.push(item);
  };
  await expect(all()).rejects.toThrow('item 2');
  expect(seen).toEqual([0, 1]);
});

it('takes no more items than it works on when its consumer stops', async () => {
  let taken = 0;
  function* items() {
    for (;;) yield taken++;
  }
  for await (const item of mapOrdered(items(), 3, async (i) => i)) if (item === 1) break;
  expect(taken).toBe(4);
});
