import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished, test } from 'vitest';
import { openDownload, proxyOf } from '../../../server/src/host/data/download.ts';
import {
  addressOf,
  type Fetched,
  type FetchRequest,
  fetchData,
} from '../../../server/src/host/data/fetch.ts';
import { cachedIn } from '../../../server/src/host/data/folders.ts';
import { type Answers, lay, scratch, set, startSource, texts, withVariables } from './fixtures.ts';

let cache: string;
beforeEach(() => {
  cache = scratch();
  withVariables({
    HOPSCOPE_CACHE: cache,
    HOPSCOPE_DATA: undefined,
    http_proxy: undefined,
    HTTP_PROXY: undefined,
  });
});

/** Fetches from a source that answers so; waits for nothing. */
async function fetchFrom(answers: Answers, more: Partial<FetchRequest> = {}) {
  const source = await startSource(answers);
  const { download, close } = openDownload();
  onTestFinished(close);
  const waits: number[] = [];
  const progress: number[] = [];
  const end = await fetchData({
    set,
    from: source.address,
    signal: new AbortController().signal,
    download,
    async wait(ms) {
      waits.push(ms);
    },
    progress: (done) => progress.push(done),
    ...more,
  }).catch((error: unknown) => error);
  return { end, waits, progress, asked: source.asked };
}

const honest: Answers = (name) => texts[name.replace('/deep/down/', '')] ?? 404;

function expectWhole(): void {
  for (const [name, text] of Object.entries(texts)) {
    expect(readFileSync(path.join(cachedIn(set), name), 'utf8')).toBe(text);
  }
  expect(leftovers()).toEqual([]);
}

/** Files in the cache that are none of the data set. */
function leftovers(): string[] {
  if (!existsSync(cachedIn(set))) return [];
  const names = readdirSync(cachedIn(set), { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.includes('.') && !(name in texts));
}

it('fetches every file once, tells how far it is, and has nothing left to do after that', async () => {
  const first = await fetchFrom(honest);
  expect(first.end).toEqual({ folder: cachedIn(set), fetched: 3, kept: 0 } satisfies Fetched);
  expect([...first.asked].sort()).toEqual(Object.keys(texts).map((name) => `/deep/down/${name}`));
  expect(first.progress).toEqual([0, 1, 2, 3]);
  expectWhole();
  const again = await fetchFrom(() => 500);
  expect(again.end).toMatchObject({ fetched: 0, kept: 3 });
  expect(again.asked).toEqual([]);
});

it('goes on where it was stopped, and mends what was damaged', async () => {
  lay(cachedIn(set), { 'a/one.txt': 'one\n', 'b/three.txt': 'dr' });
  const { end, asked } = await fetchFrom(honest);
  expect(end).toMatchObject({ fetched: 2, kept: 1 });
  expect(asked).not.toContain('/deep/down/a/one.txt');
  expectWhole();
});

test.each<[string, Answers]>([
  [
    'is not the published file',
    (name, before) => (name.endsWith('one.txt') ? 'uno\n' : honest(name, before)),
  ],
  [
    'that goes on and on',
    (name, before) => (name.endsWith('one.txt') ? 'one\n'.repeat(1e6) : honest(name, before)),
  ],
  ['that is a page', (name, before) => (name.endsWith('one.txt') ? '<!doctype html>' : honest(name, before))],
])('keeps nothing of a file %s', async (_, answers) => {
  const { end } = await fetchFrom(answers);
  expect(String(end)).toMatch(/one\.txt is not the published file, so nothing of it was kept\.$/);
  expect(existsSync(path.join(cachedIn(set), 'a/one.txt'))).toBe(false);
  expect(leftovers()).toEqual([]);
});

test.each<[string, Answers]>([
  ['an error of the server', (name, before) => (before === 0 ? 503 : honest(name, before))],
  ['too many requests', (name, before) => (before < 3 ? 429 : honest(name, before))],
  ['a broken connection', (name, before) => (before === 0 ? null : honest(name, before))],
])('tries again after %s', async (_, answers) => {
  const { end, waits } = await fetchFrom(answers);
  expect(end).toMatchObject({ fetched: 3 });
  expect(waits.length).toBeGreaterThanOrEqual(3);
  expectWhole();
});

test.each<[string, Answers, RegExp, number]>([
  ['a source without the file', () => 404, /^Failure: Cannot get http.*: it answers with status 404\.$/, 0],
  ['a source that moved', () => 301, /it answers with status 301\.$/, 0],
  ['a source out of order', () => 500, /it answers with status 500; check the connection/, 3],
  [
    'a source that hangs up',
    () => null,
    /^Failure: Cannot get http.*; check the connection, or name a folder/,
    3,
  ],
])('gives up on %s', async (_, answers, message, pauses) => {
  const { end, waits } = await fetchFrom(answers);
  expect(String(end)).toMatch(message);
  expect(new Set(waits).size).toBe(pauses);
  expect(leftovers()).toEqual([]);
});

it('stops when it is told to, and keeps what it has', async () => {
  const stop = new AbortController();
  const reason = new Error('stopped');
  const { end } = await fetchFrom(
    (name, before) => {
      if (name.endsWith('three.txt')) stop.abort(reason);
      return honest(name, before);
    },
    { signal: stop.signal },
  );
  expect(end).toBe(reason);
  expect(leftovers()).toEqual([]);
});

it('says where it cannot write', async () => {
  mkdirSync(cache, { recursive: true });
  writeFileSync(path.join(cache, 'data'), 'a file in the way');
  const { end } = await fetchFrom(honest);
  expect(String(end)).toMatch(/^Failure: Cannot make .*: a part of the path is not a folder\.$/);
});

test.each([
  [{}, `https://data.example/${set.commit}/deep/down/a/two%20words.txt`],
  [{ commit: 'abcdef0' }, 'https://data.example/abcdef0/deep/down/a/two%20words.txt'],
  [{ from: 'http://mirror/x/' }, 'http://mirror/x/deep/down/a/two%20words.txt'],
  [
    { from: 'http://mirror/{commit}', commit: 'abcdef0' },
    'http://mirror/abcdef0/deep/down/a/two%20words.txt',
  ],
])('%j is fetched from %s', (more, address) => {
  const file = set.files.find((it) => it.path.includes(' '));
  expect(file && addressOf({ set, ...more }, file)).toBe(address);
});

test.each([
  ['https://a.example/x', {}, null],
  ['https://a.example/x', { https_proxy: 'http://p:1' }, 'http://p:1'],
  ['https://a.example/x', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
  ['http://a.example/x', { HTTPS_PROXY: 'http://p:1' }, null],
  ['https://a.example/x', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.example, .example' }, null],
  ['https://a.example/x', { HTTPS_PROXY: 'http://p:1', no_proxy: '*' }, null],
  ['https://a.example/x', { HTTPS_PROXY: 'http://p:1', no_proxy: 'xample' }, 'http://p:1'],
  ['nonsense', { HTTPS_PROXY: 'http://p:1' }, null],
])('%s with %j goes through %s', (address, env, proxy) => {
  expect(proxyOf(address, env)).toBe(proxy);
});
