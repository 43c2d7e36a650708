/** Requests about runs, asked of the real server: lists with costs, prompts of then, notes, and what a prompt can be run on. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashText } from '../../server/src/engine/evals/identity.ts';
import type { RunAgent } from '../../server/src/engine/evals/run-data.ts';
import { createRunFolder } from '../../server/src/host/runs/folder.ts';
import type { RequestMethod, RequestParams, RequestResult } from '../../server/src/protocol.ts';
import { ServerProcess } from '../support/server-process.ts';

const promptText =
  '---\nformat: 1\nenvironment: navigator\nmodel: gpt\nsplit: train\n---\nuser:\n{{question}} {{map_text}} {{held_text}}\n';
const model: RunAgent = {
  kind: 'model',
  model: 'm-1',
  baseUrl: 'http://127.0.0.1:1/v1',
  sampling: {},
  extraBody: {},
};

let server: ServerProcess;
let root: string;

function ask<M extends RequestMethod>(method: M, params: RequestParams<M>): Promise<RequestResult<M>> {
  return server.ask(method, params);
}

async function makeRun(parent: string, split = 'id_test', text = promptText): Promise<string> {
  const { path: folder } = await createRunFolder(parent, {
    version: '0.0.0',
    environment: 'navigator',
    generatorVersion: 1,
    options: {},
    label: split,
    suite: null,
    parts: [{ split, indices: [0] }],
    rollouts: 1,
    shuffleSeed: null,
    agent: model,
    prompt: { name: 'a prompt', path: 'a.step.md', text, hash: hashText(text) },
  });
  const ids = { task: 0, attempt: 1 };
  const instance = { id: 'i', hash: 'sha256:0', split, index: 0, groups: {}, minSteps: 1 };
  const event = { kind: 'reply', text: 'x', usage: { input: 1_000_000, output: 500_000 } };
  const outcome = { done: true, reward: 0.5, correct: false, stop: 'answered', steps: 1, metrics: {} };
  const lines = [
    { type: 'begin', ...ids, rollout: 0, instance },
    { type: 'event', ...ids, step: 1, event, requests: 1, cached: false, time: 1, ms: 1 },
    { type: 'end', ...ids, steps: 1, outcome, cause: 'twin', causeStep: 1, causeHop: null },
  ];
  writeFileSync(path.join(folder, 'steps.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return folder;
}

const toUri = (file: string) => pathToFileURL(file).href;

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'hopscope runs (é) '));
  server = await ServerProcess.start();
});
afterAll(async () => {
  await server?.stop();
  rmSync(root, { recursive: true });
});

test('a list with figures, costs and what to say about test splits', async () => {
  const parent = path.join(root, 'many');
  for (let number = 0; number < 5; number++) await makeRun(parent, 'id_test', `${promptText}${number}`);
  await makeRun(parent, 'train');
  const prices = path.join(root, 'prices.json');
  writeFileSync(prices, '{ "m-*": { "input": 1, "output": 2 } }');
  const { runs, broken, testSplits } = await ask('hopscope/listRuns', { folders: [toUri(parent)], prices });
  expect([runs.length, broken.length]).toEqual([6, 0]);
  expect(runs.map(({ time }) => time)).toEqual(runs.map(({ time }) => time).sort((a, b) => b - a));
  expect(runs[0]).toMatchObject({
    label: 'train',
    splits: ['train'],
    status: 'done',
    isOwn: true,
    agent: { kind: 'model', name: 'm-1', baseUrl: 'http://127.0.0.1:1/v1' },
    prompt: { name: 'a prompt', path: 'a.step.md' },
    figures: { reward: { mean: 0.5 }, causes: { twin: 1 }, requests: 1, dollars: 2 },
  });
  expect(testSplits).toMatchObject([{ split: 'id_test', runs: 5, prompts: 5 }]);
  expect(testSplits[0]?.warning).toContain('id_test is a test split');
  const unpriced = await ask('hopscope/listRuns', { folders: [toUri(parent)], prices: null });
  expect(unpriced.runs[0]?.figures.dollars).toBeNull();
});

test('one run, its prompt and its notes', async () => {
  const uri = toUri(await makeRun(path.join(root, 'one')));
  expect(await ask('hopscope/runSummary', { uri, prices: null })).toMatchObject({
    ok: true,
    value: { note: { text: '' } },
  });
  expect(await ask('hopscope/runPrompt', { uri })).toEqual({
    ok: true,
    value: { name: 'a prompt', path: 'a.step.md', text: promptText },
  });
  const note = { text: 'seen', tags: ['a', 'a'] };
  const kept = { ok: true, value: { text: 'seen', tags: ['a'] } };
  expect(await ask('hopscope/annotateRun', { uri, task: null, note })).toEqual(kept);
  expect(await ask('hopscope/annotateRun', { uri, task: 0, note })).toEqual(kept);
  expect(await ask('hopscope/runNote', { uri, task: 0 })).toEqual(kept);
  expect(await ask('hopscope/runNote', { uri, task: 5 })).toEqual({
    ok: true,
    value: { text: '', tags: [] },
  });
  // A slash at the end is the same folder.
  expect(await ask('hopscope/runSummary', { uri: `${uri}/`, prices: null })).toMatchObject({
    value: { note: kept.value },
  });
});

test('what there is not, or cannot be', async () => {
  const nowhere = toUri(path.join(root, 'nowhere'));
  mkdirSync(path.join(root, 'empty'));
  const empty = toUri(path.join(root, 'empty'));
  const gone = path.join(root, 'no prices.json');
  expect(
    await ask('hopscope/listRuns', {
      folders: [nowhere, empty, 'vscode-vfs://x/y', 'file://%00'],
      prices: gone,
    }),
  ).toEqual({
    runs: [],
    broken: [],
    testSplits: [],
  });
  for (const uri of [nowhere, empty, 'vscode-vfs://x/y', '']) {
    for (const answer of [
      await ask('hopscope/runSummary', { uri, prices: null }),
      await ask('hopscope/runPrompt', { uri }),
    ]) {
      expect(answer.ok).toBe(false);
      if (!answer.ok) expect(answer.error).toMatch(/^[^\n]+\.$/);
    }
  }
  const note = { text: 'x', tags: [] };
  expect(await ask('hopscope/annotateRun', { uri: nowhere, task: null, note })).toMatchObject({ ok: false });
});

test('what a step prompt can be run on', async () => {
  expect(await ask('hopscope/runChoices', { text: promptText })).toMatchObject({
    ok: true,
    value: { environment: { id: 'navigator' }, split: 'train', model: 'gpt' },
  });
  for (const text of ['', '---\n', '---\nformat: 1\nenvironment: nowhere\n---\nuser:\nx\n', '\u0000']) {
    const answer = await ask('hopscope/runChoices', { text });
    expect(answer.ok ? null : answer.error).toMatch(/^[^\n]+\.$/);
  }
});
