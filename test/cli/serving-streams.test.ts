/** Evals of learning methods from the command line: with policies, with a model behind an endpoint, with a method of one's own. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { findScenario } from '../../server/src/engine/environments/serving/scenarios.ts';
import { streams } from '../../server/src/engine/environments/serving/stream/index.ts';
import { buildCommand, type HopscopeCommand, parseLines } from '../support/command.ts';
import { startModelServer } from '../support/model-server.ts';
import { servingAnswers } from '../support/serving-endpoint.ts';
import { exportScenario } from '../support/serving-export.ts';

let command: HopscopeCommand;
let prompt: string;

beforeAll(async () => {
  command = await buildCommand();
  const shipped = path.resolve(import.meta.dirname, '../../prompts/serving/serving.step.md');
  prompt = command.file('mine.step.md', readFileSync(shipped, 'utf8'));
});

afterAll(() => command?.remove());

interface Summary {
  readonly agent: string;
  readonly method: string;
  readonly tasks: number;
  readonly scores: readonly { readonly stream: string; readonly category: string; readonly score: number }[];
  readonly averages: Readonly<Record<string, number | null>>;
  readonly tokens: Readonly<Record<string, { readonly input: number; readonly calls: number }>>;
}

function summaries(out: string): Summary[] {
  return parseLines(out).flatMap((line) => {
    const { summary } = line as { summary?: Summary };
    return summary === undefined ? [] : [summary];
  });
}

it('plays the small size with a policy and a method, and prints what there is to know', async () => {
  const { code, out, err } = await command.run([
    'eval',
    'serving',
    '--size',
    'mini',
    '--method',
    'rag',
    '--policy',
    'documents',
  ]);
  expect(err).toBe('');
  expect(code).toBe(0);
  expect(out).toMatch(/documents · rag +mini_retail +0\.0 +100\.0 +16/);
  expect(out).toContain('Tasks were made by hopscope 1.');
  expect(out).toContain('Judged by phrases');
  expect(out).not.toContain('avg_h');
});

it('says all of it as lines of JSON', async () => {
  const args = [
    'eval',
    'serving',
    '--method',
    'blind,refusals',
    '--policy',
    'oracle',
    '--stream',
    'mini_banking',
    '--json',
  ];
  const { out } = await command.run(args);
  const found = summaries(out);
  expect(found.map(({ method, tasks }) => [method, tasks])).toEqual([
    ['blind', 16],
    ['refusals', 40],
  ]);
  for (const { scores, averages } of found) {
    expect(scores.map(({ score }) => score)).toEqual([100, 100]);
    expect(averages).toEqual({ avg_h: null, avg_f: null });
  }
  const episodes = parseLines(out).filter((line) => Object.hasOwn(line as object, 'episode'));
  expect(episodes).toHaveLength(56);
  expect(episodes[0]).toMatchObject({
    episode: { source: 'hopscope 1', scenario: 'mini_banking', method: 'blind' },
  });
});

it('shows published results with their caveat', async () => {
  const { out } = await command.run([
    'eval',
    'serving',
    '--stream',
    'mini_pitch',
    '--policy',
    'documents',
    '--leaderboard',
  ]);
  expect(out).toContain('Kimi K3');
  expect(out.replace(/\s+/g, ' ')).toContain('read them as a scale, not as opponents');
});

it('asks a model behind an endpoint, keeps the rows, and goes on with them', async () => {
  const server = await startModelServer(servingAnswers(['mini_retail'], 'oracle'), { record: false });
  onTestFinished(server.close);
  const out = path.join(command.folder, 'results');
  const args = [
    'eval',
    prompt,
    '--method',
    'rag',
    '--stream',
    'mini_retail',
    '--model',
    'org/small',
    '--base-url',
    server.baseUrl,
  ];
  const first = await command.run([...args, '--out', out, '--json']);
  expect(first).toMatchObject({ code: 0, err: '' });
  const [summary] = summaries(first.out);
  expect(summary?.scores.map(({ score }) => score)).toEqual([100, 100]);
  expect(summary?.tokens['serving']?.calls).toBeGreaterThan(24);
  const file = path.join(out, 'small/mini_retail_rag.jsonl');
  const [config, row] = parseLines(readFileSync(file, 'utf8'));
  expect(config).toMatchObject({ config: { scenario: 'mini_retail', method: 'rag', model: 'org/small' } });
  expect(row).toMatchObject({ phase: 'serving', window: 0, block: 0, reward: 1 });
  const before = server.count;
  const again = await command.run([...args, '--out', out, '--json']);
  expect(server.count).toBe(before);
  expect(summaries(again.out)).toEqual(summaries(first.out));
});

it('takes a method from a file', async () => {
  const method = command.file(
    'mine.mjs',
    'export default { start: () => 0, context: (seen) => "seen " + seen, update: (seen, block) => seen + block.length };',
  );
  const out = path.join(command.folder, 'own');
  const { code } = await command.run([
    'eval',
    'serving',
    '--method',
    method,
    '--stream',
    'mini_pitch',
    '--policy',
    'oracle',
    '--out',
    out,
  ]);
  expect(code).toBe(0);
  expect(existsSync(path.join(out, 'oracle/mini_pitch_mine.jsonl'))).toBe(true);
});

it.each([
  [['--method', 'ragg'], 'There is no method ragg, and no file of that name. Did you mean rag?'],
  [['--stream', 'retail_l9', '--method', 'rag'], 'There is no stream retail_l9. Did you mean retail_l1?'],
  [['--size', 'big'], 'There is no size big.'],
  [['--method', 'notes'], 'The method notes learns through a model; name one with --model.'],
  [
    ['--environment', 'navigator', '--method', 'rag'],
    'do not come in streams: leave --method out. Those of serving do.',
  ],
  [['--method', 'rag', '--size', 'mini', '-o', 'turns=0'], 'turns has to be a whole number from 1 to 1000'],
])('%j says what is wrong', async (args, message) => {
  const named = args.includes('--environment') ? [] : ['serving'];
  const { code, err } = await command.run(['eval', ...named, '--policy', 'oracle', ...args]);
  expect(code).not.toBe(0);
  expect(err.replace(/\s+/g, ' ')).toContain(message);
});

it('plays published tasks from a folder, names their source, and keeps them apart', async () => {
  const scenario = findScenario('pitch_l1');
  if (scenario === undefined) throw new Error('there is no such scenario');
  for (const [name, content] of exportScenario(scenario)) {
    const file = path.join(command.folder, 'theirs/dataset', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const args = [
    'eval',
    'serving',
    '--published',
    'theirs',
    '--stream',
    'published_pitch_l1',
    '--windows',
    '0',
  ];
  const { code, out, err } = await command.run([...args, '--policy', 'oracle', '--out', 'theirs-out']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out.replace(/\s+/g, ' ')).toMatch(
    /Tasks were made by another export in the format of ServeLearnBench, [0-9a-f]{8}\./,
  );
  expect(out).toMatch(/published_pitch_l1 +100\.0 +24/);
  const file = path.join(command.folder, 'theirs-out/oracle/published_pitch_l1_blind.jsonl');
  const [config] = parseLines(readFileSync(file, 'utf8'));
  expect(config).toMatchObject({ config: { data: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) } });
  // With other files in the same place nothing goes on, and nobody takes them for what they were.
  const tests = path.join(command.folder, 'theirs/dataset/data/pitch_l1/test.jsonl');
  writeFileSync(tests, readFileSync(tests, 'utf8').replace('"window":0', '"window": 0'));
  const other = await command.run([...args, '--policy', 'oracle', '--out', 'theirs-out']);
  expect(other.code).toBe(2);
  expect(other.err.replace(/\s+/g, ' ')).toContain('was made with other published files');
  const nowhere = await command.run([
    ...args.map((it) => (it === 'theirs' ? 'nowhere' : it)),
    ...['--policy', 'oracle'],
  ]);
  expect(nowhere.code).toBe(2);
  expect(nowhere.err.replace(/\s+/g, '')).toMatch(/Thereisnofolder.*nowhere\.$/);
  const missing = await command.run([...args.slice(0, 4), '--policy', 'oracle']);
  expect(missing.code).toBe(2);
  expect(missing.err).toContain('There is no data/retail_l1/serving.jsonl');
  expect(missing.err.replace(/\s+/g, ' ')).toMatch(/ and \d+ more files in .*theirs\./);
});

it.each([
  ['documents', 'retail_l1'],
  ['remembering', 'retail_l1'],
  ['documents,oracle', 'banking_l1'],
])('refuses to have %s play published tasks of %s, and says who can', async (policy, id) => {
  const scenario = findScenario(id);
  if (scenario === undefined) throw new Error('there is no such scenario');
  for (const [name, content] of exportScenario(scenario)) {
    const file = path.join(command.folder, `export-${id}`, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const args = ['eval', 'serving', '--published', `export-${id}`, '--stream', `published_${id}`];
  const { code, out, err } = await command.run([...args, '--policy', policy]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  const [name = ''] = policy.split(',');
  const words = err.replace(/\s+/g, ' ');
  expect(words).toContain(`The policy ${name} cannot play published_${id}: it knows the documents`);
  expect(words).toContain('What can: oracle, finish-at-once, a model with a step prompt.');
});

it('plays published tasks that were fetched, and keeps to the hashes they had then', async () => {
  const files = new Map<string, string>();
  for (const { path: name } of streams.published?.set.files ?? []) files.set(`/c0ffee/dataset/${name}`, '[]');
  const scenario = findScenario('pitch_l1');
  if (scenario === undefined) throw new Error('there is no such scenario');
  for (const [name, content] of exportScenario(scenario)) files.set(`/c0ffee/dataset/${name}`, content);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const content = files.get(request.url ?? '');
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const env = { HOPSCOPE_CACHE: path.join(command.folder, 'cache'), HOPSCOPE_DATA: undefined };
  const play = ['eval', 'serving', '--stream', 'published_pitch_l1', '--policy', 'oracle', '--published'];
  // Nothing is fetched unless somebody asks for it.
  const absent = await command.run(play, { env });
  expect(absent.code).toBe(2);
  expect(absent.err.replace(/\s+/g, ' ')).toContain(
    'get them once with "hopscope data fetch servelearnbench"',
  );
  expect(asked).toEqual([]);
  const fetch = ['data', 'fetch', 'servelearnbench', '--from', `http://127.0.0.1:${port}/c0ffee`];
  const fetched = await command.run(fetch, { env });
  expect({ code: fetched.code, out: fetched.out }).toEqual({
    code: 0,
    out: expect.stringContaining('servelearnbench: 54 files fetched, all in '),
  });
  expect((await command.run(['data', 'check', 'servelearnbench'], { env })).code).toBe(0);
  // The tasks came from this test, not from the authors: their fingerprints tell.
  const strange = await command.run(play, { env });
  expect(strange.code).toBe(2);
  expect(strange.err.replace(/\s+/g, ' ')).toContain(
    'environments/pitch_l1/tools.json is not the published one: its fingerprint begins with',
  );
  const folder = path.join(env.HOPSCOPE_CACHE, 'data/servelearnbench/0102d861a97f');
  writeFileSync(path.join(folder, 'data/pitch_l1/test.jsonl'), '{}\n');
  const damaged = await command.run(play, { env });
  expect(damaged.code).toBe(2);
  expect(damaged.err.replace(/\s+/g, ' ')).toContain(
    'test.jsonl is not the published file: its SHA-256 begins',
  );
  expect((await command.run(['data', 'check', 'servelearnbench'], { env })).code).toBe(1);
  // Another file under the same name is not taken for it either.
  files.set('/c0ffee/dataset/data/pitch_l1/test.jsonl', '{"changed": true}');
  const again = await command.run(fetch, { env });
  expect(again.code).toBe(1);
  expect(again.err.replace(/\s+/g, ' ')).toContain('is not the published file, so nothing of it was kept.');
  const commit = await command.run([...fetch.slice(0, 3), '--commit', 'abcdef1'], { env });
  expect(commit.err.replace(/\s+/g, ' ')).toContain('--commit cannot be used for servelearnbench');
});

it('has a model judge where one is named, and says so in every row', async () => {
  const play = servingAnswers(['mini_pitch'], 'oracle');
  const server = await startModelServer((seen) => {
    if (seen.body?.['model'] !== 'strict') return play(seen);
    const [, user] = seen.body['messages'] as readonly { readonly content: string }[];
    const facts = Array.from((user?.content ?? '').matchAll(/^(\w+): \w/gm), ([, fact = '']) => fact);
    const verdicts = Object.fromEntries(facts.map((fact) => [fact, 'N']));
    return { said: { text: JSON.stringify({ verdicts, invented: [] }) } };
  });
  onTestFinished(server.close);
  const args = ['eval', prompt, '--stream', 'mini_pitch', '--model', 'm', '--base-url', server.baseUrl];
  const { code, out } = await command.run([...args, '--judge-model', 'strict', '--out', 'judged', '--json']);
  expect(code).toBe(0);
  // Nothing that is liked was mentioned, says the judge.
  expect(summaries(out)[0]?.scores.map(({ score }) => score)).toEqual([0]);
  expect(summaries(out)[0]?.tokens['judge']?.calls).toBe(16);
  const rows = parseLines(out).flatMap((line) => (Object.hasOwn(line as object, 'episode') ? [line] : []));
  for (const row of rows) expect(row).toMatchObject({ episode: { judge: 'strict' } });
});

it.each([
  ['eight times again unless asked otherwise', [], 9],
  ['as often as asked', ['--tries', '2'], 2],
])('sends a request of a stream %s, in each of four attempts at an episode', async (_, tries, sent) => {
  const busy = { status: 503, headers: { 'retry-after-ms': '1' }, body: { error: { message: 'Busy.' } } };
  const server = await startModelServer(() => busy, { record: false });
  onTestFinished(server.close);
  const { code, err } = await command.run([
    ...['eval', prompt, '--stream', 'mini_retail', '-c', '1', '--model', 'm', ...tries],
    ...['--base-url', server.baseUrl, '--out', `tries-${sent}`],
  ]);
  expect(code).not.toBe(0);
  expect(err).toContain('Busy.');
  expect(server.count).toBe(4 * sent);
});
