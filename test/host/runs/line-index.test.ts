import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openLineIndex } from '../../../server/src/host/runs/line-index.ts';
import { openRunRows } from '../../../server/src/host/runs/run-rows.ts';
import { newFolder } from '../../support/played-runs.ts';

/** Everything that is taken for a line end somewhere, and long lines. */
const piece = fc.oneof(
  fc.constantFrom('\n', '\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\0', 'ü', '{"a":1}'),
  fc.integer({ min: 0, max: 3000 }).map((length) => 'x'.repeat(length)),
);

test('lines are found as they stand, however far one looks at once', async () => {
  const file = path.join(await newFolder(), 'lines');
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece),
      fc.integer({ min: 1, max: 5000 }),
      fc.constantFrom('line', 'torn'),
      async (pieces, bytes, tail) => {
        const text = pieces.join('');
        await writeFile(file, text);
        const index = await openLineIndex(file, tail);
        while (index.scanned < index.size) await index.scan(bytes);
        const found: string[] = [];
        for (let at = 0; at < index.count; at++) found.push(await index.read(at));
        const all = text.split('\n');
        if (tail === 'torn') all.pop();
        expect(found).toEqual(all.filter((line) => line !== ''));
        expect(() => index.place(index.count)).toThrow(RangeError);
        if (index.count > 0)
          expect(await index.read(0, 2)).toBe(
            Buffer.from(found[0] ?? '')
              .subarray(0, 2)
              .toString(),
          );
        await index.close();
      },
    ),
  );
});

test('more lines than the first tables hold', async () => {
  const file = path.join(await newFolder(), 'lines');
  await writeFile(file, Array.from({ length: 5000 }, (_, i) => `${i}\n`).join(''));
  const index = await openLineIndex(file, 'torn');
  await index.scan(Number.POSITIVE_INFINITY);
  expect(index.count).toBe(5000);
  expect(await index.read(4999)).toBe('4999');
  await index.close();
});

test('rows of a file, those that are no episodes among them', async () => {
  const file = path.join(await newFolder(), 'results.jsonl');
  const lines = [
    '{"example_id":1,"completion":"a\u2028b","reward":1}',
    '{"reward":1}',
    'not JSON',
    '{"example_id":2,"reward":0}',
  ];
  await writeFile(file, lines.join('\n'));
  const rows = await openRunRows(file, 'results');
  expect(rows.complete).toBe(true);
  expect((await rows.rows(0, 10)).map((row) => row?.instanceId ?? null)).toEqual(['1', null, null, '2']);
  expect((await rows.rows(3, 1)).map((row) => row?.task)).toEqual([3]);
  await rows.close();
});

test('a file that is not there', async () => {
  await expect(openLineIndex(path.join(await newFolder(), 'missing'), 'line')).rejects.toThrow(
    /no such file/,
  );
});
