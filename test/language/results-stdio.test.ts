/** Results as an editor asks for them: through a server process and its threads. */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Instance } from '../../server/src/engine/environments/navigator/instance.ts';
import type {
  EpisodeVerdict,
  RequestMethod,
  RequestParams,
  RequestResult,
  RowQuery,
  RunProgress,
} from '../../server/src/protocol.ts';
import { oracleReplies, writeRunFolder } from '../support/run-folders.ts';
import { ServerProcess } from '../support/server-process.ts';

let server: ServerProcess;
let folder: string;
let first: string;
let second: string;
const told: RunProgress[] = [];

function numberOf({ id }: Instance): number {
  return Number(/\d+$/.exec(id)?.[0]);
}

beforeAll(async () => {
  server = await ServerProcess.start();
  server.connection.onNotification('hopscope/results/progress', (progress: RunProgress) => {
    told.push(progress);
  });
  folder = mkdtempSync(path.join(tmpdir(), 'results-'));
  const indices = [0, 1, 2, 3, 4, 5];
  const write = (id: string, prompt: string, replies: (instance: Instance) => readonly string[] | null) =>
    pathToFileURL(writeRunFolder(folder, { id, split: 'id_test', indices, prompt, replies })).href;
  first = write('00000001', 'user:\nFirst {{question}}\n', (instance) =>
    numberOf(instance) === 5
      ? null
      : numberOf(instance) % 2 === 0
        ? oracleReplies(instance)
        : [oracleReplies(instance)[0] ?? '', 'ACTION: ANSWER unknown'],
  );
  second = write('00000002', 'user:\nSecond {{question}}\n', oracleReplies);
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  expect(await server.stop()).toEqual({ code: 0, errors: '' });
});

const query: RowQuery = { sort: 'task', descending: false, outcomes: [], causes: [], groups: {}, text: '' };

type Given<M extends RequestMethod> =
  RequestResult<M> extends { readonly ok: true; readonly value: infer T } | { readonly ok: false }
    ? T
    : never;

async function ask<M extends RequestMethod>(method: M, params: RequestParams<M>): Promise<Given<M>> {
  const answer: unknown = await server.ask(method, params);
  if (typeof answer !== 'object' || answer === null || !('ok' in answer)) throw new Error('no answer');
  if (!answer.ok || !('value' in answer)) throw new Error(JSON.stringify(answer));
  return answer.value as Given<M>;
}

/** Why a request is refused. */
async function refusal<M extends RequestMethod>(method: M, params: RequestParams<M>): Promise<string> {
  const answer: unknown = await server.ask(method, params);
  if (typeof answer === 'object' && answer !== null && 'error' in answer) return String(answer.error);
  throw new Error('not refused');
}

describe('a run', () => {
  test('is opened with what it is', async () => {
    const { facts, progress } = await ask('hopscope/results/open', { run: first });
    expect(facts).toMatchObject({ id: '00000001', title: 'p · test-model', label: 'id_test', rollouts: 1 });
    expect(facts.groupings.map(({ id }) => id)).toContain('n_hops');
    expect(progress).toMatchObject({ run: first, isRunning: false });
    await expect.poll(() => told.at(-1)).toMatchObject({ run: first, isComplete: true, episodes: 6 });
  });

  test('has rows', async () => {
    const params = { run: first, query: { ...query, causes: ['gave-up'] }, from: 1, count: 5 };
    const page = await ask('hopscope/results/rows', params);
    expect(page).toMatchObject({ from: 1, total: 2, scored: 2, reward: 0 });
    expect(page.rows).toMatchObject([{ task: 3, cause: 'gave-up', causeStep: 2, outcome: 'wrong' }]);
  });

  test('has figures', async () => {
    const figures = await ask('hopscope/results/figures', { run: first });
    expect(figures.counts).toEqual({ requested: 6, scored: 5, errored: 1, unfinished: 0 });
    expect(figures.causes).toEqual([
      { cause: 'gave-up', count: 2 },
      { cause: 'provider-error', count: 1 },
    ]);
  });

  test('has episodes, step by step, with what was asked', async () => {
    const page = await ask('hopscope/results/steps', { run: first, task: 1, from: 0 });
    expect(page).toMatchObject({ next: null, total: 2, unplayed: null });
    expect(page.sentence).toContain('unknown');
    expect(page.steps.map(({ label }) => label)).toEqual([expect.stringMatching(/^READ/), 'ANSWER unknown']);
    const part = { kind: 'asked', at: 0 } as const;
    const text = await ask('hopscope/results/text', { run: first, task: 1, at: 1, part, from: 0 });
    expect(text).toMatchObject({ text: expect.stringMatching(/^First What/), next: null });
  });

  test('has transcripts that are at the step which shows the cause', async () => {
    const made = await ask('hopscope/results/transcript', { run: first, task: 1, step: null });
    expect(made.text.split('\n')[made.line]).toBe('=== step 2');
  });

  test('is published as tests', async () => {
    const verdicts: EpisodeVerdict[] = [];
    // A page has as many as take some milliseconds.
    for (let from: number | null = 0; from !== null; ) {
      const page: Given<'hopscope/results/verdicts'> = await ask('hopscope/results/verdicts', {
        run: first,
        from,
      });
      expect(page.total).toBe(6);
      verdicts.push(...page.verdicts);
      from = page.next;
    }
    expect(verdicts.map(({ row }) => row.outcome)).toEqual([
      ...['correct', 'wrong', 'correct', 'wrong', 'correct', 'errored'],
    ]);
    expect(verdicts[1]?.line).toBeGreaterThan(0);
  });

  test('tells how full the context was', async () => {
    const use = await ask('hopscope/results/context', { run: first });
    expect(use).toMatchObject({ unit: 'tokens', limit: 600, episodes: 5, of: 5 });
  });

  test('that goes on is followed', async () => {
    const begin = { type: 'begin', task: 6, attempt: 1, rollout: 0 };
    const instance = { id: 'i', hash: 'sha256:i', split: 'id_test', index: 6, groups: {}, minSteps: 2 };
    const file = new URL(`${first}/steps.jsonl`);
    appendFileSync(file, `${JSON.stringify({ ...begin, instance })}\n`);
    await ask('hopscope/results/refresh', { run: first });
    await expect.poll(() => told.at(-1)).toMatchObject({ episodes: 7, isComplete: true });
    const page = await ask('hopscope/results/rows', { run: first, query, from: 6, count: 1 });
    expect(page.rows).toMatchObject([{ outcome: 'unfinished', cause: 'unfinished' }]);
  });

  test('that was rewritten is read anew, under a version that never was', async () => {
    const before = await ask('hopscope/results/refresh', { run: first });
    const file = new URL(`${first}/steps.jsonl`);
    const text = readFileSync(file);
    writeFileSync(file, '');
    const empty = await ask('hopscope/results/refresh', { run: first });
    expect(empty).toMatchObject({ episodes: 0, isComplete: true });
    expect(empty.version).toBeGreaterThan(before.version);
    expect(await ask('hopscope/results/rows', { run: first, query, from: 0, count: 9 })).toMatchObject({
      total: 0,
    });
    writeFileSync(file, text);
    await ask('hopscope/results/refresh', { run: first });
    await expect.poll(() => told.at(-1)).toMatchObject({ episodes: 7, isComplete: true });
  });
});

describe('a comparison', () => {
  test('is paired', async () => {
    const comparison = await ask('hopscope/results/compare', { a: first, b: second });
    expect(comparison).toMatchObject({ instances: 5, fixed: 2, broken: 0, promptsDiffer: true });
    expect(comparison.reward.mean).toBeGreaterThan(0);
    expect(comparison.warnings.map(({ code }) => code)).toContain('errors');
  });

  test('lists flips and where their episodes part', async () => {
    const page = await ask('hopscope/results/flips', { a: first, b: second, kind: 'fixed', from: 0 });
    expect(page.flips.map(({ instance }) => instance)).toEqual(['hs1-id_test-1', 'hs1-id_test-3']);
    const parting = await ask('hopscope/results/parting', { a: first, b: second, kind: 'fixed', at: 0 });
    expect(parting).toMatchObject({ step: 2, isWordingOnly: false, a: { label: 'ANSWER unknown' } });
  });
});

describe('a run of another program', () => {
  test('is shown with what its lines say', async () => {
    const foreign = path.join(folder, 'foreign');
    mkdirSync(foreign);
    const nodes = [
      { message: { role: 'user', content: 'What?' }, sampled: false },
      { message: { role: 'assistant', content: 'This.' }, sampled: true },
    ];
    const line = { id: 'e', env: { id: 'other' }, task: { key: 'k' }, traces: [{ nodes, reward: 1 }] };
    writeFileSync(path.join(foreign, 'traces.jsonl'), `${JSON.stringify(line)}\nnonsense\n`);
    const run = pathToFileURL(foreign).href;
    expect((await ask('hopscope/results/open', { run })).facts).toMatchObject({
      environment: 'other',
      title: 'foreign',
      groupings: [],
    });
    await expect.poll(() => told.at(-1)).toMatchObject({ badLines: 1 });
    const page = await ask('hopscope/results/steps', { run, task: 0, from: 0 });
    expect(page.steps).toMatchObject([{ text: { text: 'This.' }, asked: [{ role: 'user', length: 5 }] }]);
    expect(page.unplayed).toContain('not to be had');
    expect(await ask('hopscope/results/context', { run })).toBeNull();
  });

  test('with huge texts stays within its messages', async () => {
    const huge = path.join(folder, 'huge');
    mkdirSync(huge);
    const long = '\u0001é'.repeat(100_000);
    const lines = Array.from({ length: 300 }, (_, i) =>
      JSON.stringify({
        example_id: `${i} ${i < 3 ? long : 'x'.repeat(500)}`,
        reward: 0,
        stop_condition: long.slice(0, 500),
        info: { cause: long.slice(0, 500) },
        completion:
          i === 0
            ? Array.from({ length: 20 }, () => ({ role: 'assistant', content: long, reasoning: long }))
            : 'a',
      }),
    );
    writeFileSync(path.join(huge, 'results.jsonl'), lines.join('\n'));
    const run = pathToFileURL(huge).href;
    const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
    const limit = 256_000;
    await ask('hopscope/results/verdicts', { run, from: 0 });
    const page = await ask('hopscope/results/rows', { run, query, from: 0, count: 1000 });
    expect(page.rows.length).toBeGreaterThan(20);
    expect(size(page)).toBeLessThan(limit);
    expect(size(await ask('hopscope/results/figures', { run }))).toBeLessThan(limit);
    const steps = await ask('hopscope/results/steps', { run, task: 0, from: 0 });
    expect(size(steps)).toBeLessThan(limit);
    expect(steps.next).toBeGreaterThan(0);
    const part = { kind: 'text' } as const;
    let text = '';
    for (let from: number | null = 0; from !== null; ) {
      const portion: Given<'hopscope/results/text'> = await ask('hopscope/results/text', {
        ...{ run, task: 0, at: 0, part, from },
      });
      expect(size(portion)).toBeLessThan(limit);
      text += portion.text;
      from = portion.next;
    }
    expect(text).toBe(long);
  });
});

describe('what is refused is said in a sentence', () => {
  test('an address that is no folder on a disk', async () => {
    expect(await refusal('hopscope/results/open', { run: 'vscode-vfs://github/x' })).toBe(
      'Runs are folders on a disk, and vscode-vfs://github/x is none.',
    );
  });

  test('a folder without a run', async () => {
    expect(await refusal('hopscope/results/open', { run: pathToFileURL(folder).href })).toContain(
      'holds no run',
    );
  });

  test('an episode that there is not', async () => {
    expect(await refusal('hopscope/results/steps', { run: second, task: 99, from: 0 })).toBe(
      'The run has no episode 99.',
    );
  });

  test('runs of different environments', async () => {
    const a = pathToFileURL(path.join(folder, 'foreign')).href;
    expect(await refusal('hopscope/results/compare', { a, b: second })).toContain('different environments');
  });
});

test('a server that read runs answers others meanwhile', async () => {
  const big = path.join(folder, 'big');
  mkdirSync(big);
  const line = JSON.stringify({ example_id: 1, reward: 1, completion: 'x'.repeat(1000) });
  writeFileSync(path.join(big, 'results.jsonl'), `${line}\n`.repeat(60_000));
  await ask('hopscope/results/open', { run: pathToFileURL(big).href });
  // The answers come while the run is still being read.
  const environments = await server.ask('hopscope/environments', null);
  const page = await ask('hopscope/results/rows', {
    run: pathToFileURL(big).href,
    query,
    from: 0,
    count: 10,
  });
  expect(environments.length).toBeGreaterThan(0);
  expect(page.rows.length).toBe(10);
  await ask('hopscope/results/verdicts', { run: pathToFileURL(big).href, from: 59_999 });
  expect(told.at(-1)).toMatchObject({ episodes: 60_000, isComplete: true });
});
