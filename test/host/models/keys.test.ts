/** Where keys go: to the origin they are bound to, and nowhere else. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { isLoopback, parseBaseUrl } from '../../../server/src/host/models/base-url.ts';
import { openCache } from '../../../server/src/host/models/cache.ts';
import { systemClock } from '../../../server/src/host/models/clock.ts';
import { environmentKeys, keyVariable } from '../../../server/src/host/models/keys.ts';
import { listModels } from '../../../server/src/host/models/list-models.ts';
import { findPreset, presetAt, presets } from '../../../server/src/host/models/presets.ts';
import { type Answer, wrong } from '../../support/model-server.ts';
import { asker, newFolder, saying, serve } from './kit.ts';

const key = 'sk-very-secret-0123456789';
const keys = () => key;

afterEach(() => {
  vi.unstubAllEnvs();
});

test('the key is sent to its endpoint, and nothing of the environment is', async () => {
  vi.stubEnv('OPENAI_API_KEY', 'sk-other');
  vi.stubEnv('OPENAI_ADMIN_KEY', 'sk-admin');
  vi.stubEnv('OPENAI_ORG_ID', 'org-other');
  vi.stubEnv('OPENAI_PROJECT_ID', 'proj-other');
  vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/elsewhere');
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'authorization: Bearer sk-custom\nx-custom: yes');
  const server = await saying('x');
  await asker(server.baseUrl, {}, { keys }).ask();
  await asker(server.baseUrl).ask();
  const [withKey, without] = server.requests.map(({ headers }) => headers);
  expect(withKey?.authorization).toBe(`Bearer ${key}`);
  expect(without?.authorization).toBeUndefined();
  const names = ['accept', 'connection', 'content-length', 'content-type', 'host', 'user-agent'];
  expect(Object.keys(without ?? {}).sort()).toEqual(names);
  expect(without?.['user-agent']).toBe('hopscope');
});

test.each([301, 302, 303, 307, 308])('a redirect (%i) is followed nowhere', async (status) => {
  const other = await saying('x');
  const server = await serve(
    (): Answer => ({ status, headers: { location: `${other.baseUrl}/chat/completions` } }),
  );
  const result = await asker(server.baseUrl, {}, { keys }).ask();
  expect(result).toMatchObject({
    failure: {
      code: 'redirect',
      message: `Redirected (HTTP status ${status}) to ${other.baseUrl}/chat/completions`,
      attempts: 1,
      retriable: false,
    },
  });
  expect(other.count).toBe(0);
  const inside = await serve((): Answer => ({ status, headers: { location: '/v1/other' } }));
  expect(await asker(inside.baseUrl, {}, { keys }).ask()).toMatchObject({ failure: { code: 'redirect' } });
  expect(inside.requests.map((seen) => seen.path)).toEqual(['/v1/chat/completions']);
});

test('no result, message, output or file holds the key, even if the endpoint repeats it', async () => {
  const written: string[] = [];
  const outputs = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    }),
  );
  vi.stubEnv('OPENAI_LOG', 'debug');
  const folder = await newFolder();
  const results: unknown[] = [];
  const answers: Answer[] = [
    { said: { text: `Bearer ${key}`, reasoning: key } },
    wrong(401, `Incorrect API key provided: ${key}.`),
    wrong(500, `Header: Bearer ${key}`),
    { body: `not json ${key}` },
    { status: 302, headers: { location: `http://127.0.0.1:1/?key=${key}` } },
    { said: { text: 'x' }, delivery: 'cut' },
  ];
  for (const answer of answers) {
    const server = await serve(() => answer);
    const cache = openCache(folder, (problem) => results.push(problem));
    const { ask } = asker(server.baseUrl, { attempts: 2 }, { keys, cache, cached: 'all' });
    results.push(await ask(), await ask({ stream: () => {} }));
    for (const { path: url, text } of server.requests) results.push(url, text);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  }
  for (const output of outputs) output.mockRestore();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const kept = files.map((file) => readFileSync(path.join(file.parentPath, file.name), 'utf8'));
  expect(kept).toHaveLength(1);
  const everything = JSON.stringify({ results, written, kept, argv: process.argv });
  expect(everything).not.toContain('very-secret');
  expect(everything).toContain('[API key]');
});

test.each(['two words', 'line\nbreak', 'quote’s', '\u0000'])('%j is not sent, nor shown', async (odd) => {
  const server = await saying('x');
  const result = await asker(server.baseUrl, {}, { keys: () => odd }).ask();
  expect(result).toMatchObject({ failure: { code: 'auth', retriable: false } });
  expect(JSON.stringify(result)).not.toContain(odd);
  expect(server.count).toBe(0);
});

test('keys of the environment are bound to origins', () => {
  const example = 'https://api.example.com';
  const local = 'http://localhost:8000';
  const openai = 'https://api.openai.com';
  const check = (variables: Record<string, string>, chosen: string | null, expected: (string | null)[]) => {
    const find = environmentKeys(variables, chosen);
    expect([example, local, openai].map(find)).toEqual(expected);
  };
  check({}, `${example}/v1`, [null, null, null]);
  check({ HOPSCOPE_API_KEY: 'a' }, null, [null, null, null]);
  check({ HOPSCOPE_API_KEY: ' a\n' }, `${example}/v1`, ['a', null, null]);
  check({ HOPSCOPE_API_KEY: 'a' }, `${local}/v1`, [null, 'a', null]);
  check({ HOPSCOPE_API_KEY: 'a', HOPSCOPE_BASE_URL: `${local}/v1` }, `${example}/v1`, [null, 'a', null]);
  check({ HOPSCOPE_API_KEY: 'a', HOPSCOPE_BASE_URL: 'openai' }, null, [null, null, 'a']);
  check({ HOPSCOPE_API_KEY: 'a', HOPSCOPE_BASE_URL: 'nonsense' }, `${example}/v1`, [null, null, null]);
  check({ OPENAI_API_KEY: 'o' }, `${example}/v1`, [null, null, 'o']);
  check({ OPENAI_API_KEY: 'o', HOPSCOPE_API_KEY: 'a' }, `${openai}/v1`, [null, null, 'a']);
  const own = { HOPSCOPE_API_KEY_API_EXAMPLE_COM: 'e', HOPSCOPE_API_KEY_LOCALHOST_8000: 'l' };
  check({ ...own, HOPSCOPE_API_KEY: 'a' }, `${example}/v1`, ['e', 'l', null]);
});

test('each origin has a variable of its own', () => {
  const names: Record<string, string | null> = {
    'https://api.example.com': 'HOPSCOPE_API_KEY_API_EXAMPLE_COM',
    'https://api-example.com': 'HOPSCOPE_API_KEY_API__EXAMPLE_COM',
    'http://api.example.com': 'HOPSCOPE_API_KEY_API_EXAMPLE_COM_80',
    'https://api.example.com:8443': 'HOPSCOPE_API_KEY_API_EXAMPLE_COM_8443',
    'http://127.0.0.1:8080': 'HOPSCOPE_API_KEY_127_0_0_1_8080',
    'http://[::1]:8080': null,
    'https://under_score.example': null,
  };
  for (const [origin, name] of Object.entries(names))
    expect([origin, keyVariable(origin)]).toEqual([origin, name]);
});

test.each([
  ['http://localhost:8000/v1', 'http://localhost:8000/v1'],
  [' https://API.Example.com:443/v1// ', 'https://api.example.com/v1'],
  ['https://api.example.com/v1/chat/completions/', 'https://api.example.com/v1'],
  ['https://api.example.com', 'https://api.example.com'],
  ['api.example.com/v1', null],
  ['ftp://api.example.com', null],
  ['https://me:hunter2@api.example.com/v1', null],
  ['https://api.example.com/v1?key=sk-1', null],
  ['https://api.example.com/v1#x', null],
  ['', null],
])('the base URL %j is %j', (given, expected) => {
  const parsed = parseBaseUrl(given);
  expect(parsed.ok ? parsed.value : null).toBe(expected);
  if (!parsed.ok) expect(parsed.error).not.toMatch(/hunter2|sk-1/);
});

test('presets are base URLs as they are stored', () => {
  for (const preset of presets) {
    expect(parseBaseUrl(preset.baseUrl)).toEqual({ ok: true, value: preset.baseUrl });
    expect(isLoopback(preset.baseUrl)).toBe(!preset.needsKey);
    expect(presetAt(preset.baseUrl)).toBe(findPreset(preset.id));
  }
});

test('an endpoint lists its models', async () => {
  const server = await serve(() => ({}), { models: ['b', 'a'], key });
  const deps = { clock: systemClock, signal: new AbortController().signal };
  expect(await listModels(server.baseUrl, { ...deps, keys })).toEqual({
    ok: true,
    models: [{ id: 'a' }, { id: 'b' }],
  });
  expect(await listModels(server.baseUrl, deps)).toMatchObject({
    ok: false,
    failure: { code: 'auth', advice: expect.stringMatching(/HOPSCOPE_API_KEY_127_0_0_1_\d+/) },
  });
  expect(await listModels(`${server.origin}/nowhere`, { ...deps, keys })).toMatchObject({
    failure: { code: 'not-found' },
  });
});
