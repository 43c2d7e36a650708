/** Methods of the user that do all that they should not: the run ends with their words, and nothing else goes with it. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
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
  ['throws', method('() => { throw new Error("no idea"); }'), /mine\.mjs failed in line 1: no idea\.$/],
  [
    'throws further down',
    `\n\n${method('() => { null.x; }')}`,
    /failed in line 3: Cannot read properties of null/,
  ],
  ['throws a text', method('() => { throw "just so"; }'), /failed: just so\.$/],
  [
    'throws an object',
    method('() => { throw { code: 7, why: { at: [1] } }; }'),
    /failed: \{ code: 7, why: \{ at: \[ 1 \] \} \}\.$/,
  ],
  ['throws an error without words', method('() => { throw new Error(); }'), /failed in line 1: Error/],
  ['throws an object with words', method('() => { throw { message: "well" }; }'), /failed: well\.$/],
  ['throws nothing', method('() => { throw undefined; }'), /failed: undefined\.$/],
  ['throws nothing at all', method('() => { throw null; }'), /failed: null\.$/],
  ['throws what has no text', method('() => { throw { get message() { throw 1; } }; }'), /has no text\.$/],
  ['rejects', method('async () => { throw new Error("later"); }'), /failed in line 1: later\.$/],
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
    /broke down in line 1: aside\.$/,
  ],
  [
    'fails beside its work with an object',
    method('() => { setTimeout(() => { throw { code: 7 }; }); return new Promise(() => {}); }'),
    /broke down: \{ code: 7 \}\.$/,
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
    /not extensible; a memory is frozen, so return a changed copy of it from update\.$/,
  ],
])('one whose context %s', async (_, source, message, limits = {}) => {
  const learner = await open(source, limits);
  await expect(learner.advise(task)).rejects.toThrow(message);
});

test.each<[string, string, RegExp]>([
  ['nothing', '() => {}', /update gave nothing, and has to give the memory; null is one\.$/],
  ['nothing, later', 'async () => undefined', /update gave nothing/],
  ['a map', '() => new Map()', /a memory is plain data \(.*\), and a Map is none\.$/],
  ['a set inside', '() => ({ seen: [new Set()] })', /a Set is none\.$/],
  ['a set in what is frozen already', '() => Object.freeze({ seen: [new Set()] })', /a Set is none\.$/],
  ['a date', '() => [new Date(0)]', /a Date is none\.$/],
  ['numbers that cannot be frozen', '() => new Float64Array(2)', /a Float64Array is none\.$/],
  ['of a class', '() => new (class Notes {})()', /a Notes is none\.$/],
  ['a function', '() => ({ again: () => 1 })', /a function is none\.$/],
  ['a promise inside', '() => [Promise.resolve(1)]', /a Promise is none\.$/],
])('one whose memory is %s', async (_, update, message) => {
  const learner = await open(method('() => ""', update));
  await expect(learner.update(block, null)).rejects.toThrow(message);
});

test.each([
  ['null', 'null'],
  ['a number', '7'],
  ['lists and objects', '({ list: [1, "x", true, null, undefined], none: Object.create(null) })'],
])('a memory may be %s', async (_, value) => {
  const learner = await open(method('() => "well"', `() => (${value})`, `() => (${value})`));
  await learner.update(block, null);
  expect((await learner.advise(task)).context).toBe('well');
});

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  [
    'is not written as it should be',
    { 'mine.mjs': 'export default {\n  start: () => [],\n  context( => 1,\n};' },
    /mine\.mjs has a syntax error in line 3: Unexpected token '=>'\.$/,
  ],
  [
    'imports such a one',
    { 'mine.mjs': 'import "./dep.mjs";', 'dep.mjs': '\nlet a = ;' },
    /mine\.mjs has a syntax error in line 2 of dep\.mjs: Unexpected token ';'\.$/,
  ],
  [
    'requires such a one',
    { 'mine.cjs': 'require("./dep");', 'dep.js': '\n\nlet a = ;' },
    /in line 3 of dep\.js: Unexpected token ';'\.$/,
  ],
  [
    'imports what is not there',
    { 'mine.mjs': 'import { x } from "./dep.mjs";', 'dep.mjs': 'export const y = 1;' },
    /syntax error in line 1: The requested module '\.\/dep\.mjs' does not provide an export named 'x'\.$/,
  ],
  ['imports no file', { 'mine.mjs': 'import "./dep.mjs";' }, /failed: Cannot find module '.*dep\.mjs'/],
  [
    'cannot read something',
    { 'mine.mjs': 'const a = 1;\nJSON.parse("{");' },
    /failed in line 2: Expected property name/,
  ],
  [
    'fails while it is loaded',
    { 'mine.mjs': '\nimport { x } from "./dep.mjs";', 'dep.mjs': 'export const x = 1; null.x;' },
    /failed in line 1 of dep\.mjs: Cannot read/,
  ],
  ['has no functions', { 'mine.mjs': 'export default {};' }, /its default export has no function start\.$/],
  [
    'begins with nothing',
    { 'mine.mjs': 'export default { start() {}, context: () => "", update: () => 0 };' },
    /start gave nothing/,
  ],
  [
    'begins with an error',
    { 'mine.mjs': 'export default {\nstart() { null.x; }, context: () => "", update: () => 0 };' },
    /failed in line 2: /,
  ],
  [
    'is TypeScript',
    { 'mine.ts': 'export default {};' },
    /mine\.ts is no JavaScript: its name has to end in \.mjs, \.js or \.cjs\.$/,
  ],
])('a file that %s', async (_, files, message) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hopscope-method-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, source] of Object.entries(files)) writeFileSync(path.join(folder, name), source);
  const [own = ''] = Object.keys(files);
  await expect(openUserMethod(path.join(folder, own), 'mine')).rejects.toThrow(message);
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

const hang = '{ mark(); for (;;); }';

test.each<[string, string, RegExp]>([
  ['in context', method(`() => ${hang}`), /had not answered to context, and was stopped\.$/],
  ['in update', method('() => ""', `() => ${hang}`), /had not answered to update, and was stopped\.$/],
  [
    'in context for a promise',
    method('() => { mark(); return new Promise(() => {}); }'),
    /to context, and was stopped\.$/,
  ],
  ['at its beginning', method('() => ""', '(m) => m', `() => ${hang}`), /while it was loaded or started/],
  ['before its beginning', 'mark(); for (;;);', /while it was loaded or started, and was stopped\.$/],
])('a method that hangs %s ends at the first wish to stop, and that is said', async (_, source, sentence) => {
  const stop = new AbortController();
  const said: string[] = [];
  const folder = mkdtempSync(path.join(tmpdir(), 'hopscope-method-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const hanging = path.join(folder, 'hanging');
  const mark = `import { writeFileSync } from 'node:fs';\nconst mark = () => writeFileSync(${JSON.stringify(hanging)}, '');\n`;
  const calls = async () => {
    const learner = await open(mark + source, {
      signal: stop.signal,
      stopped: (text) => void said.push(text),
    });
    await learner.update(block, null);
    await learner.advise(task);
  };
  const ended = calls().then(
    () => 'ended',
    (error: unknown) => String(error),
  );
  await vi.waitFor(() => expect(existsSync(hanging)).toBe(true), 10_000);
  stop.abort(new Error('enough'));
  expect(await ended).toMatch(/enough|was stopped/);
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(sentence);
});
