/** Figures of the front page that the program knows itself. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scenarios } from '../../server/src/engine/environments/serving/scenarios.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');

test('the full size of streams has as many test tasks as the page says', () => {
  const [, said] = /--size full .*# ([\d,]+) test tasks of nine scenarios/.exec(page) ?? [];
  const full = scenarios.filter(({ size }) => size === 'full');
  const windows = full.flatMap((it) => it.windows);
  const tests = windows.reduce((sum, it) => sum + it.hidden + it.specified, 0);
  expect(full).toHaveLength(9);
  expect(said).toBe(tests.toLocaleString('en-US'));
});
