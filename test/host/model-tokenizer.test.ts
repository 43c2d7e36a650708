import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { openModelTokenizer } from '../../server/src/host/model-tokenizer.ts';
import { bundled } from '../support/bundles.ts';

let folder: string;

beforeAll(async () => {
  folder = await bundled('server');
});

const script = (name: string) => pathToFileURL(path.join(folder, name));

test('texts are counted as the model counts them', async () => {
  const tokenizer = openModelTokenizer(script('model-tokenizer.js'));
  const [first, second] = await Promise.all([
    // Known: "Hello", ",", " world", "!".
    tokenizer.count(['Hello, world!', '', '<|endoftext|>', '\ud800\u0000']),
    tokenizer.count(['Hello']),
  ]);
  expect(first?.slice(0, 2)).toEqual([4, 0]);
  // What looks like a special token is text here: several tokens.
  expect(first?.[2]).toBeGreaterThan(1);
  expect(first?.[3]).toBeGreaterThan(0);
  expect(second).toEqual([1]);
  tokenizer.close();
  expect(await tokenizer.count(['Hello'])).toEqual([1]);
  tokenizer.close();
});

test.each(['a', '漢', ' ', '!?', '😀'])('a hundred thousand times %j is counted in no time', async (unit) => {
  const tokenizer = openModelTokenizer(script('model-tokenizer.js'));
  const [one = 0, hundred = 0] = (await tokenizer.count([unit.repeat(1000), unit.repeat(100_000)])) ?? [];
  tokenizer.close();
  expect(one).toBeGreaterThan(0);
  // Cut or not, it is about as many tokens.
  expect(Math.abs(hundred / one - 100)).toBeLessThan(15);
});

test('questions under way are answered when the thread is ended', async () => {
  const tokenizer = openModelTokenizer(script('model-tokenizer.js'));
  const asked = tokenizer.count(['Hello']);
  tokenizer.close();
  expect(await asked).toBeNull();
});

test('a thread that does not start is not started again', async () => {
  const tokenizer = openModelTokenizer(script('missing.js'));
  expect(await tokenizer.count(['Hello'])).toBeNull();
  expect(await tokenizer.count(['Hello'])).toBeNull();
});
