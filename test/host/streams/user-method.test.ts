/** Methods of the user that do all that they should not: the run ends with their words, and nothing else goes with it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Experience } from '../../../server/src/engine/environments/streams.ts';
import type { Learner } from '../../../server/src/host/streams/learner.ts';
import { type MethodLimits, openUserMethod } from '../../../server/src/host/streams/user-method.ts';

function file(source: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hopscope-method-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const written = path.join(folder, 'mine.mjs');
  writeFileSync(written, source);
  return written;
}

async function open(source: string, limits: MethodLimits = {}): Promise<Learner> {
  const learner = await openUserMethod(file(source), 'mine', limits);
  onTestFinished(learner.close);
  return learner;
}

const method = (context: string, update = '(memory) => memory', start = '() => 0') =>
  `export default { start: ${start}, context: ${context}, update: ${update} };`;

const task = { taskId: 't', instruction: 'Do it.', timestamp: 1 };
const block: readonly Experience[] = [{ ...task, reward: 1, record: 'Done.' }];

test.each<[string, string, RegExp, MethodLimits?]>([
  ['throws', method('() => { throw new Error("no idea"); }'), /failed: no idea\.$/],
  ['throws nothing', method('() => { throw undefined; }'), /failed: undefined\.$/],
  ['throws what has no text', method('() => { throw Object.create(null); }'), /has no text\.$/],
  ['rejects', method('async () => { throw new Error("later"); }'), /failed: later\.$/],
  ['gives a number', method('() => 5'), /context gave no text\.$/],
  [
    'gives rubbish of 100 MB',
    method('() => "x".repeat(100_000_000)'),
    /of 100000000 characters, more than 1000000/,
  ],
  ['never ends', method('() => { for (;;); }'), /took longer than 0.3 s for context\.$/, { patience: 300 }],
  [
    'never answers',
    method('() => new Promise(() => {})'),
    /took longer than 0.3 s for context\.$/,
    { patience: 300 },
  ],
  ['exits', method('() => process.exit(0)'), /ended\.$/],
  [
    'fails beside its work',
    method('() => { setTimeout(() => { throw new Error("aside"); }); return new Promise(() => {}); }'),
    /broke down: aside\.$/,
  ],
  [
    'takes all memory',
    method('() => { const all = []; for (;;) all.push(new Array(1e5).fill(all.length + 0.5)); }'),
    /used more than 64 MB of memory\.$/,
    { memory: 64 },
  ],
  [
    'changes its memory',
    method('(memory) => { memory.push(1); return ""; }', '(m) => m', '() => []'),
    /not extensible/,
  ],
])('one whose context %s', async (_, source, message, limits = {}) => {
  const learner = await open(source, limits);
  await expect(learner.advise(task)).rejects.toThrow(message);
});

test.each<[string, string, RegExp]>([
  ['a map', '() => new Map()', /a memory is plain data, and a Map is none\.$/],
  ['a set inside', '() => ({ seen: [new Set()] })', /a Set is none\.$/],
])('one whose memory is %s', async (_, update, message) => {
  const learner = await open(method('() => ""', update));
  await expect(learner.update(block, null)).rejects.toThrow(message);
});

test('a memory may be as deep as it likes', async () => {
  const deep =
    '() => { let list = null; for (let at = 0; at < 200_000; at++) list = { list }; return list; }';
  const learner = await open(method('(memory) => String(Object.isFrozen(memory.list.list))', deep));
  await learner.update(block, null);
  expect((await learner.advise(task)).context).toBe('true');
});

test('one that has ended says so at once, whatever it is asked', async () => {
  const learner = await open(method('() => "well"', '() => process.exit(3)'));
  for (let times = 0; times < 3; times++)
    await expect(learner.update(block, null)).rejects.toThrow(/ended\.$/);
  await expect(learner.advise(task)).rejects.toThrow(/ended\.$/);
});

test('one that talks out of turn is not listened to', async () => {
  const source = `import { parentPort } from 'node:worker_threads';
    for (const rubbish of [null, 5, 'x', {}, { id: 7, value: 'x' }, { id: -1, error: 'x' }])
      parentPort.postMessage(rubbish);
    ${method('() => "mine"')}`;
  const learner = await open(source);
  expect((await learner.advise(task)).context).toBe('mine');
});

test('what it prints is told and does not get into results', async () => {
  const printed: string[] = [];
  const learner = await open(
    method('() => { console.log("looking"); console.error("hm"); return "text"; }'),
    {
      print: (text) => printed.push(text),
    },
  );
  expect((await learner.advise(task)).context).toBe('text');
  await learner.close();
  expect(printed.join('')).toContain('looking');
  expect(printed.join('')).toContain('hm');
});

test('it has no variables and no arguments of this process, and is given the fields of a task alone', async () => {
  const source = `import { workerData, parentPort, getEnvironmentData, threadId } from 'node:worker_threads';
    ${method(
      `(memory, task) => JSON.stringify({
      env: Object.keys(process.env), argv: process.argv.slice(2), exec: process.execArgv,
      data: Object.keys(workerData), globals: Object.keys(globalThis).filter((name) => /stream|serving|policy|world/i.test(name)),
      args: [Object.keys(memory), Object.keys(task)],
    })`,
      '(memory, block) => ({ ...block[0], all: Object.keys(block[0]) })',
      '() => ({})',
    )}`;
  const learner = await open(source);
  const secret = { ...block[0], slice: 'adapt', window: 3 } as unknown as Experience;
  await learner.update([secret], null);
  const seen = JSON.parse((await learner.advise({ ...task, window: 3 } as typeof task)).context);
  const fields = ['taskId', 'instruction', 'timestamp'];
  expect(seen).toEqual({
    env: [],
    argv: [],
    exec: [],
    data: ['url', 'longestContext'],
    globals: [],
    args: [[...fields, 'reward', 'record', 'all'], fields],
  });
});

test('calls are made one after another, in their order', async () => {
  const source = `let under = 0, most = 0, order = [];
    ${method(`async (memory, task) => {
      under++; most = Math.max(most, under); order.push(task.timestamp);
      await new Promise((done) => setImmediate(done));
      under--;
      return JSON.stringify({ most, order });
    }`)}`;
  const learner = await open(source);
  const all = await Promise.all([1, 2, 3].map((timestamp) => learner.advise({ ...task, timestamp })));
  expect(JSON.parse(all.at(-1)?.context ?? '')).toEqual({ most: 1, order: [1, 2, 3] });
});
