/** Lists of runs: what they show of folders of all kinds, and that only what is new is read. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printStepLine, type StepLine } from '../../../server/src/engine/evals/formats/step-lines.ts';
import { summarizeRun } from '../../../server/src/engine/evals/run-summary.ts';
import { createRunFolder } from '../../../server/src/host/runs/folder.ts';
import { lockRun } from '../../../server/src/host/runs/lock.ts';
import { writeNote } from '../../../server/src/host/runs/notes.ts';
import { readRun } from '../../../server/src/host/runs/read-run.ts';
import { createRunLists, type ListedRun, splitsOf } from '../../../server/src/host/runs/run-list.ts';
import { bundled } from '../../support/bundles.ts';

let root: string;
let script: string;

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'hopscope-lists-'));
  script = path.join(await bundled('worker'), 'worker.js');
});
afterAll(() => rmSync(root, { recursive: true }));

let parents = 0;
function newParent(): string {
  const parent = path.join(root, `runs-${++parents}`);
  mkdirSync(parent);
  return parent;
}

function makeRun(parent: string, count = 2) {
  return createRunFolder(parent, {
    version: '0.0.0',
    environment: 'navigator',
    generatorVersion: 1,
    options: {},
    label: 'train',
    suite: null,
    parts: [{ split: 'train', indices: Array.from({ length: count }, (_, i) => i) }],
    rollouts: 1,
    shuffleSeed: null,
    agent: { kind: 'policy', policy: 'oracle', seed: '0' },
    prompt: null,
  });
}

const ids = (task: number) => ({ task, attempt: 1 });
function begin(task: number): StepLine {
  const instance = {
    id: `i${task}`,
    hash: `sha256:${task}`,
    split: 'train',
    index: task,
    groups: {},
    minSteps: 1,
  };
  return { type: 'begin', ...ids(task), rollout: 0, instance };
}
function reply(task: number, text: string): StepLine {
  const event = { kind: 'reply', text, usage: { input: 10, output: 2 } } as const;
  return { type: 'event', ...ids(task), step: 1, event, requests: 1, cached: false, time: 5, ms: 1 };
}
function end(task: number, reward: number): StepLine {
  const outcome = {
    done: true,
    reward,
    correct: reward > 0.5,
    stop: 'answered',
    steps: 1,
    metrics: {},
  } as const;
  const cause = outcome.correct ? null : 'twin';
  return { type: 'end', ...ids(task), steps: 1, outcome, cause, causeStep: null, causeHop: null };
}
const print = (lines: readonly StepLine[]) => lines.map(printStepLine).join('');

function figures(run: ListedRun | null | undefined) {
  if (!run || typeof run.tally === 'string') return run?.tally;
  const { all, causes, usage } = run.tally.summary;
  return { counts: all.counts, reward: all.reward.mean, causes, input: usage?.input ?? null };
}

test('a run that grows is counted line by line, whatever is torn', async () => {
  const lists = createRunLists(script);
  const parent = newParent();
  const { path: folder } = await makeRun(parent);
  const nothing = {
    counts: { requested: 2, scored: 0, errored: 0, unfinished: 2 },
    causes: { unfinished: 2 },
  };
  expect(figures(await lists.read(folder))).toMatchObject(nothing);
  const steps = path.join(folder, 'steps.jsonl');
  const first = print([begin(0), reply(0, 'ACTION: é READ 1'), end(0, 1)]);
  const bytes = Buffer.from(first);
  // Byte by byte, characters and lines cut in the middle.
  for (const byte of bytes) {
    appendFileSync(steps, Buffer.from([byte]));
    if (byte === 0xc3 || byte === 0x0a || byte === 0x7d) await lists.read(folder);
  }
  expect(figures(await lists.read(folder))).toMatchObject({ counts: { scored: 1 }, reward: 1, input: 10 });
  appendFileSync(steps, `${print([begin(1), reply(1, 'x')])}{"type":"end","ta`);
  expect(figures(await lists.read(folder))).toMatchObject({
    counts: { scored: 1, unfinished: 1 },
    input: 20,
  });
  // Cut, and written again in another way, as resuming does.
  const whole = await readFile(steps, 'utf8');
  await writeFile(steps, whole.slice(0, whole.lastIndexOf('\n') + 1) + print([end(1, 0)]));
  expect(figures(await lists.read(folder))).toMatchObject({
    counts: { requested: 2, scored: 2, errored: 0, unfinished: 0 },
    reward: 0.5,
    causes: { twin: 1 },
  });
  // The same as whoever reads the whole run says.
  const run = await lists.read(folder);
  const { summary } = run && typeof run.tally !== 'string' ? run.tally : { summary: null };
  expect(summary).toEqual(summarizeRun(await readRun(folder), []));
});

test('folders of all kinds', async () => {
  const lists = createRunLists(script);
  const parent = newParent();
  const own = await makeRun(parent);
  await writeNote(own.path, null, { text: 'first try', tags: ['a', 'A', ' b  c '] });
  const lock = await lockRun(own.path);
  const foreign = path.join(parent, 'evals', 'navigator--m', 'uuid');
  mkdirSync(foreign, { recursive: true });
  const row = { example_id: 0, prompt: [], completion: [], reward: 0.25, info: {}, task: 'navigator' };
  // No line feed at its end, as some programs leave it.
  writeFileSync(
    path.join(foreign, 'results.jsonl'),
    `${JSON.stringify(row)}\n${JSON.stringify({ ...row, reward: 0.75 })}`,
  );
  const broken = path.join(parent, 'broken');
  mkdirSync(path.join(broken, 'configs'), { recursive: true });
  writeFileSync(path.join(broken, 'configs/eval.json'), '{');
  mkdirSync(path.join(parent, 'empty'));
  writeFileSync(path.join(parent, 'a file'), '');
  const runs = await lists.list(parent);
  const by = (folder: string) => runs.find((run) => run.folder === folder);
  expect(runs).toHaveLength(3);
  expect(by(own.path)).toMatchObject({ isRunning: true, note: { text: 'first try', tags: ['a', 'b c'] } });
  expect(figures(by(foreign))).toMatchObject({ counts: { requested: 2, scored: 2 }, reward: 0.5 });
  expect(figures(by(broken))).toBe(`${path.join(broken, 'configs/eval.json')} is not valid JSON.`);
  const found = by(own.path);
  expect(found && splitsOf(found)).toEqual(['train']);
  lock.release();
  expect(await lists.read(own.path)).toMatchObject({ isRunning: false });
  expect(await lists.read(path.join(parent, 'empty'))).toBeNull();
  expect(await lists.list(path.join(parent, 'nowhere'))).toEqual([]);
  rmSync(own.path, { recursive: true });
  expect(await lists.list(parent)).toHaveLength(2);
});
