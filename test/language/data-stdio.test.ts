/** An environment whose data are not on the machine, in a real server process: what is said, and what works once they are. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ServerProcess } from '../support/server-process.ts';
import { describeShared, sharedFolder } from '../support/shared.ts';

let server: ServerProcess;
let cache: string;

beforeAll(async () => {
  cache = mkdtempSync(path.join(tmpdir(), 'hopscope-cache-'));
  vi.stubEnv('HOPSCOPE_CACHE', cache);
  vi.stubEnv('HOPSCOPE_DATA', undefined);
  server = await ServerProcess.start();
  await server.open(prompt, 'hopscope-prompt', text);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  const { code, errors } = await server.stop();
  rmSync(cache, { recursive: true, force: true });
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
});

const prompt = 'file:///prompts/two-hop.step.md';
const text = readFileSync('prompts/two-hop/two-hop.step.md', 'utf8').replace(
  'options: {}',
  'options: { domains: [parks] }',
);
const source = { environment: 'two-hop', split: 'nocot' };
const selector = { ...source, index: 3, options: { domains: ['parks'] } };
const absent = /are not on this machine.*Hopscope: Get Data…/;

const preview = () => server.ask('hopscope/previewPrompt', { uri: prompt, place: {}, saved: null });
const list = () => server.ask('hopscope/listInstances', { source, from: 0, count: 3, filter: {} });

it('says what is missing, wherever it is needed, and fetches nothing by itself', async () => {
  expect(await preview()).toMatchObject({
    rendering: null,
    reason: expect.stringMatching(absent),
    missingData: 'two-hop',
  });
  const refused = { ok: false, error: expect.stringMatching(absent) };
  expect(await list()).toMatchObject(refused);
  expect(await server.ask('hopscope/instanceGroups', { source })).toMatchObject(refused);
  expect(await server.ask('hopscope/locateInstance', selector)).toMatchObject(refused);
  expect(await server.ask('hopscope/promptTokens', { uri: prompt })).toMatchObject(refused);
  expect(await server.ask('hopscope/data', null)).toContainEqual({
    set: 'two-hop',
    title: 'semi-synthetic two-hop questions',
    origin: 'mbalesni/synthetic-two-hop on GitHub, published without a licence',
    size: '5.6 MB',
    environment: 'two-hop',
    isHere: false,
  });
  // The prompt itself is sound.
  expect(await server.diagnostics(prompt)).toMatchObject({ items: [] });
});

it('knows the data that there are to get', async () => {
  expect(await server.ask('hopscope/fetchData', { set: 'nothing', token: 'a' })).toEqual({
    ok: false,
    error: 'There are no data "nothing".',
  });
});

describeShared('data in the editor', () => {
  it('shows everything as soon as a folder is named', async () => {
    await server.ask('hopscope/dataFolder', { folder: `${sharedFolder}/data` });
    expect(await preview()).toMatchObject({
      reason: null,
      missingData: null,
      rendering: {
        instance: { id: 'hs1-two-hop-nocot-parks-code-0' },
        messages: [{ role: 'system' }, { role: 'user' }],
      },
    });
    expect(await list()).toMatchObject({
      ok: true,
      value: { total: 1380, rows: [{ id: 'hs1-two-hop-nocot-ancient_cities-continent-0' }, {}, {}] },
    });
    const located = await server.ask('hopscope/locateInstance', selector);
    if (!located.ok) throw new Error(located.error);
    expect(located.value.id).toBe('hs1-two-hop-nocot-parks-code-3');
    const read = await server.ask('hopscope/readInstance', { uri: located.value.uri });
    expect(read).toMatchObject({ ok: true, value: expect.stringContaining('# Question') });
    const transcript = await server.ask('hopscope/newTranscript', selector);
    expect(transcript).toMatchObject({ ok: true });
    const examined = await server.ask('hopscope/examine', { source, position: 7, audit: false, token: 'b' });
    expect(examined).toMatchObject({ ok: true });
    expect(await server.ask('hopscope/data', null)).toContainEqual(expect.objectContaining({ isHere: true }));
  });
});
