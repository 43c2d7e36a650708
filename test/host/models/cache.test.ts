/** Replies that are kept: which requests share one, and what happens when the disk does not play along. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ModelConfig, ModelRequest } from '../../../server/src/engine/evals/model.ts';
import { openCache } from '../../../server/src/host/models/cache.ts';
import type { ModelDeps } from '../../../server/src/host/models/open-model.ts';
import { asker, newFolder, question, serve } from './kit.ts';

/** A server that never says the same twice. */
const counting = () =>
  serve(({ number }) => ({
    said: { text: `reply ${number}`, reasoning: 'so', usage: { input: 5, output: 2 } },
  }));

async function setUp(deps: Partial<ModelDeps> = {}) {
  const folder = await newFolder();
  const problems: string[] = [];
  const server = await counting();
  const open = (config: Partial<ModelConfig> = {}) => {
    const cache = openCache(folder, (problem) => problems.push(problem));
    return asker(server.baseUrl, config, { cache, ...deps });
  };
  return { folder, problems, server, open };
}

const cold = { messages: [question], sampling: { temperature: 0 } };

test('the same question at temperature 0 is asked once', async () => {
  const { server, open, problems } = await setUp();
  const first = await open().ask(cold);
  expect(first).toMatchObject({ ok: true, cached: false, attempts: 1 });
  const shown: unknown[] = [];
  const second = await open().ask({ ...cold, stream: (delta) => shown.push(delta) });
  expect(second).toEqual({ ...first, cached: true, attempts: 0 });
  expect(shown).toEqual([{ reasoning: 'so' }, { text: 'reply 0' }]);
  expect([server.count, problems]).toEqual([1, []]);
});

const different: readonly (readonly [string, Partial<ModelRequest>, Partial<ModelConfig>])[] = [
  ['messages', { messages: [{ role: 'user', content: 'Which one? ' }] }, {}],
  ['roles', { messages: [{ role: 'system', content: question.content }] }, {}],
  ['sampling', { sampling: { temperature: 0, top_p: 0.9 } }, {}],
  ['tools', { tools: [{ name: 'read', description: '', parameters: {} }] }, {}],
  ['rollout', { rollout: 1 }, {}],
  ['model', {}, { model: 'other-model' }],
  ['extra body', {}, { extraBody: { think: false } }],
];

test.each(different)('another value of %s is another question', async (_, request, config) => {
  const { server, open } = await setUp();
  await open().ask(cold);
  await open(config).ask({ ...cold, ...request });
  expect(server.count).toBe(2);
});

test('the order of keys does not matter, the endpoint does', async () => {
  const { folder, server, open } = await setUp();
  await open({ extraBody: { a: 1, b: { c: 1, d: 2 } } }).ask(cold);
  await open({ extraBody: { b: { d: 2, c: 1 }, a: 1 } }).ask(cold);
  expect(server.count).toBe(1);
  const other = await counting();
  await asker(other.baseUrl, {}, { cache: openCache(folder, () => {}) }).ask(cold);
  expect(other.count).toBe(1);
});

test('what is sampled is asked again, unless all is to be kept', async () => {
  for (const [cached, expected] of [
    ['deterministic', 4],
    ['all', 2],
  ] as const) {
    const { server, open } = await setUp({ cached });
    for (const sampling of [{}, { temperature: 0.5 }]) {
      await open().ask({ ...cold, sampling });
      await open().ask({ ...cold, sampling });
    }
    expect(server.count).toBe(expected);
    await open({ extraBody: { temperature: 0 } }).ask({ ...cold, sampling: { temperature: 0.7 } });
    await open({ extraBody: { temperature: 0 } }).ask({ ...cold, sampling: { temperature: 0.7 } });
    expect(server.count).toBe(expected + 1);
  }
});

test('a damaged file is asked for again', async () => {
  const { folder, server, open } = await setUp();
  await open().ask(cold);
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('.json'),
  );
  for (const damage of ['', '{', 'null', '{"kind":"reply"}']) {
    const before = server.count;
    writeFileSync(path.join(folder, file ?? ''), damage);
    expect(await open().ask(cold)).toMatchObject({ ok: true, cached: false });
    expect(server.count).toBe(before + 1);
  }
  expect(await open().ask(cold)).toMatchObject({ cached: true });
});

test('a folder that cannot be written is told of once, and replies come all the same', async () => {
  const folder = path.join(await newFolder(), 'file');
  writeFileSync(folder, '');
  const problems: string[] = [];
  const server = await counting();
  const { ask } = asker(
    server.baseUrl,
    {},
    { cache: openCache(folder, (problem) => problems.push(problem)) },
  );
  for (const rollout of [0, 1, 2])
    expect(await ask({ ...cold, rollout })).toMatchObject({ ok: true, cached: false });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(folder);
});

test('failures are not kept', async () => {
  const folder = await newFolder();
  const server = await serve(() => ({ status: 400, body: 'No.' }));
  const { ask } = asker(server.baseUrl, {}, { cache: openCache(folder, () => {}) });
  await ask(cold);
  await ask(cold);
  expect([server.count, readdirSync(folder)]).toEqual([2, []]);
});
