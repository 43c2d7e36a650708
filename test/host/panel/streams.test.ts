/** Streams read as runs: what belongs together, what is shown of it, and what is said where nothing can be. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { environmentNote } from '../../../server/src/engine/evals/panel/environment-note.ts';
import { findEnvironment } from '../../../server/src/host/data/environments.ts';
import { Comparisons } from '../../../server/src/host/panel/comparisons.ts';
import { Panels } from '../../../server/src/host/panel/panels.ts';
import { listStreams, memoryOf, viewStream } from '../../../server/src/host/panel/streams.ts';
import { findStreamGroup } from '../../../server/src/host/streams/stream-group.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'streams-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const begun = {
  created: '2026-01-02T03:04:05.000Z',
  streams: ['mini_retail', 'mini_pitch'],
  prompt: null,
  baseUrl: null,
  published: null,
  out: 'outputs',
};

/** A file of a stream: a row for each reward, test tasks of the first window. */
function write(name: string, scenario: string, method: string, rewards: readonly number[], more = {}): void {
  const config = { scenario, method, model: 'm', environment: 'serving', policy: 'm', seed: '0', ...more };
  const rows = rewards.map((reward, at) => ({
    scenario,
    phase: 'test',
    window: 0,
    timestamp: 12,
    task_id: `${scenario}-${at}`,
    category: at % 2 === 0 ? 'hidden' : 'fully_specified',
    reward,
    block: null,
    source: 'hopscope 1',
    trace: [{ kind: 'invalid', reason: 'no_action', raw: '<b>no</b>', obs: 'Call a tool.' }],
    tokens: { input: 10, output: 2, calls: 1 },
  }));
  const memory = { memory: { window: 0, block: 0, text: `learnt by ${method}` } };
  const lines = [{ config, begun }, ...rows, memory].map((line) => JSON.stringify(line));
  mkdirSync(path.join(folder, 'm'), { recursive: true });
  writeFileSync(path.join(folder, 'm', name), `${lines.join('\n')}\n`);
}

const list = () => listStreams({ folders: [folder], prices: null });

function panels(): Panels {
  const environment = findEnvironment('serving');
  if (environment === undefined) throw new Error('there is no such environment');
  return new Panels([environmentNote(environment)], () => undefined);
}

/** The path that stands for the only streams with that method. */
async function addressOf(method: string): Promise<string> {
  const { streams } = await list();
  const found = streams.filter((it) => it.method === method);
  expect(found).toHaveLength(1);
  return path.join(folder, 'm', path.basename(new URL(found[0]?.uri ?? '').pathname));
}

test('files of one agent, method and size belong together, and no others', async () => {
  write('mini_retail_rag.jsonl', 'mini_retail', 'rag', [1, 0]);
  write('mini_pitch_rag.jsonl', 'mini_pitch', 'rag', [0.5]);
  write('retail_l1_rag.jsonl', 'retail_l1', 'rag', [1]);
  write('mini_banking_rag.jsonl', 'mini_banking', 'rag', [1], { options: { turns: 3 } });
  const { streams, broken } = await list();
  expect(broken).toEqual([]);
  const told = streams.map(({ size, done, streams: all }) => [size, done, all.map(({ id }) => id)]);
  expect(told).toHaveLength(3);
  expect(told).toContainEqual(['mini', 3, ['mini_retail', 'mini_pitch']]);
});

test('an entry says how far it is, what it scores, and how it was begun', async () => {
  write('mini_retail_rag.jsonl', 'mini_retail', 'rag', [1, 0]);
  const [entry] = (await list()).streams;
  expect(entry).toMatchObject({ status: 'stopped', done: 2, of: 80, time: Date.parse(begun.created) });
  expect(entry?.streams[0]?.scores).toEqual([
    { category: 'hidden', score: 100, tasks: 1 },
    { category: 'fully_specified', score: 0, tasks: 1 },
  ]);
  expect(entry?.streams[0]?.windows.map(({ changes }) => changes > 0)).toEqual([false, true]);
  expect(entry?.resume).toMatchObject({ method: 'rag', streams: begun.streams, seed: '0' });
});

test('a page has averages only when all is there, invalid turns, costs and what was learnt', async () => {
  write('mini_retail_rag.jsonl', 'mini_retail', 'rag', [1, 0]);
  const all = panels();
  const run = await addressOf('rag');
  const view = await viewStream(all, { run, prices: null });
  expect(view.averages.map(({ score }) => score)).toEqual([null, null]);
  expect(view.invalid).toEqual([{ reason: 'no_action', count: 2 }]);
  expect(view.spent.find(({ part }) => part === 'test')).toMatchObject({ input: 20, output: 4, calls: 2 });
  expect(view.sources).toEqual(['hopscope 1']);
  expect(await memoryOf(all, { run, at: 0 })).toEqual({ text: 'learnt by rag', next: null });
  await expect(memoryOf(all, { run, at: 7 })).rejects.toThrow('There is no such text');
  await all.close({ run });
});

test('two methods are compared on the test tasks that both played', async () => {
  write('mini_retail_rag.jsonl', 'mini_retail', 'rag', [1, 0, 0]);
  write('mini_retail_blind.jsonl', 'mini_retail', 'blind', [0, 0]);
  const all = panels();
  const pair = { a: await addressOf('blind'), b: await addressOf('rag') };
  const compared = await new Comparisons(all).compare(pair);
  expect(compared).toMatchObject({ instances: 2, reward: { a: 0, b: 0.5 } });
  expect(compared.changes).toEqual([{ what: 'method', a: 'blind', b: 'rag' }]);
  await all.close({ run: pair.a });
  await all.close({ run: pair.b });
});

test.each([
  ['breaks off', '{"config": {"scen', 'breaks off in its first line'],
  [
    'is of another environment',
    '{"config":{"scenario":"a","method":"b","environment":"c"}}\n',
    'does not know',
  ],
  [
    'is of no stream',
    '{"config":{"scenario":"retail_l9","method":"b","environment":"serving"}}\n',
    'no stream retail_l9',
  ],
])('a file that %s is told of in a sentence', async (_, text, sentence) => {
  writeFileSync(path.join(folder, 'x.jsonl'), text);
  const { streams, broken } = await list();
  expect(streams).toEqual([]);
  expect(broken).toHaveLength(1);
  expect(broken[0]?.problem).toContain(sentence);
});

test('files of anything else are left alone, and an address of nothing says so', async () => {
  writeFileSync(path.join(folder, 'data.jsonl'), '{"id": 1}\n');
  writeFileSync(path.join(folder, 'empty.jsonl'), '');
  expect(await list()).toEqual({ streams: [], broken: [] });
  await expect(findStreamGroup(path.join(folder, 'rag-123456.stream'))).rejects.toThrow('no such stream');
});
