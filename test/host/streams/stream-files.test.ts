/** Files of streams that are foreign, damaged or in use: whatever is not in its place is played again. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serving } from '../../../server/src/engine/environments/serving/index.ts';
import { defaultOptions } from '../../../server/src/engine/environments/serving/options.ts';
import { streams } from '../../../server/src/engine/environments/serving/stream/index.ts';
import { policyResponder } from '../../../server/src/engine/evals/responder.ts';
import { openMethod } from '../../../server/src/host/streams/learner.ts';
import { runStreamInFile, type TakenUp } from '../../../server/src/host/streams/open-stream.ts';
import type { StreamEnd } from '../../../server/src/host/streams/run-stream.ts';

const config = { scenario: 'mini_pitch', method: 'rag' };

function place(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hopscope-stream-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, 'stream.jsonl');
}

/** Plays what is missing. @returns how many episodes that was. */
async function play(
  file: string,
): Promise<{ readonly end: StreamEnd; readonly played: number; readonly taken: TakenUp | null }> {
  const [policy] = serving.policies.filter(({ id }) => id === 'documents');
  const [method] = streams.methods.filter(({ id }) => id === 'rag');
  if (policy === undefined || method === undefined) throw new Error('who plays?');
  let played = 0;
  const run = {
    environment: serving,
    streams,
    stream: 'mini_pitch',
    options: defaultOptions,
    learner: openMethod(method),
    model: 'documents',
    windows: null,
    concurrency: 4,
    respond: (instance: Parameters<typeof policy.begin>[0]) => policyResponder(policy, instance, '0', []),
    teach: null,
    judge: null,
    signal: new AbortController().signal,
    told: () => void played++,
  };
  let taken: TakenUp | null = null;
  const told = (found: TakenUp) => {
    taken = found;
  };
  return { end: await runStreamInFile(run, file, config, told), played, taken };
}

type Row = Record<string, unknown>;

const edited = (change: (row: Row) => Row) => (line: string) => JSON.stringify(change(JSON.parse(line)));

/** What is done to the first serving row (line 1) or the first test row (line 14, behind what was learned), and what has to be played again. */
test.each<[string, number, (line: string) => string, number]>([
  ['nothing', 1, (line) => line, 0],
  ['half a line', 1, (line) => line.slice(0, line.length / 2), 12],
  ['a line of zeros', 1, (line) => '\0'.repeat(line.length), 12],
  ['a reward beyond 1', 1, edited((row) => ({ ...row, reward: 99 })), 12],
  ['a reward that is none', 14, edited((row) => ({ ...row, reward: null })), 1],
  ['no record', 1, edited(({ record: _, ...row }) => row), 12],
  ['another block', 1, edited((row) => ({ ...row, block: 1 })), 12],
  ['another window', 14, edited((row) => ({ ...row, window: 1 })), 1],
  ['another phase', 14, edited((row) => ({ ...row, phase: 'serving', block: 0 })), 1],
  ['a task of another stream', 14, edited((row) => ({ ...row, task_id: 'elsewhere' })), 1],
  ['a name of an inherited member', 14, edited((row) => ({ ...row, task_id: '__proto__' })), 1],
  ['another reward', 1, edited((row) => ({ ...row, reward: 0.5 })), 12],
  ['another record', 1, edited((row) => ({ ...row, record: `${row['record']} Fine.` })), 12],
  ['another category', 14, edited((row) => ({ ...row, category: 'foo' })), 1],
  ['another source', 14, edited((row) => ({ ...row, source: 'other' })), 1],
  ['no check', 14, edited(({ check: _, ...row }) => row), 1],
  ['a key more', 14, edited((row) => ({ ...row, more: 1 })), 1],
  ['keys in another order', 14, edited(({ check, ...row }) => ({ check, ...row })), 0],
  ['no object', 14, () => '[1]', 1],
  ['carriage returns', 14, (line) => `${line}\r`, 0],
  ['the same line twice', 14, (line) => `${line}\n${line}`, 0],
])('%s in line %i', async (_, number, change, again) => {
  const file = place();
  const straight = await play(file);
  const lines = readFileSync(file, 'utf8').split('\n');
  lines[number] = change(lines[number] ?? '');
  writeFileSync(file, lines.join('\n'));
  const { end, played } = await play(file);
  expect(played).toBe(again);
  expect(end.rows).toEqual(straight.end.rows);
  const found = readFileSync(file, 'utf8').trim().split('\n');
  expect(found.filter((line) => !line.startsWith('{"lost"'))).toHaveLength(43);
  expect(readdirSync(path.dirname(file))).toEqual(['stream.jsonl']);
});

test.each([
  ['{}\n', 'is no file of a stream'],
  ['{"config": {"sc\n{}\n', 'is no file of a stream'],
  [
    '{"config": {"sc\n{"scenario":"s","phase":"test","task_id":"t","category":"c","window":0,"timestamp":1,"reward":1,"block":null}\n',
    'its first line, which says how its rows were made, is damaged',
  ],
  ['\u0000\u0001\u0002', 'is no file of a stream'],
  ['{"config": 3}\n', 'is no file of a stream'],
  [
    '{"config": {"scenario": "mini_pitch", "method": "rag", "data": "sha256:1"}}\n',
    'made with other published files',
  ],
  ['{"config": {"scenario": "mini_pitch", "method": "rag", "x": 1}}\n', 'made with another x'],
  [
    '{"config": {"scenario": "mini_pitch", "method": "rag", "options": {"judge": "model"}, "judge": "m"}}\n',
    'made with another judge',
  ],
])('a file %j is left as it is', async (text, sentence) => {
  const file = place();
  writeFileSync(file, text);
  await expect(play(file)).rejects.toThrow(sentence);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test.each(['', '\n', '{"config": {"scenario": "mini_p'])('a file %j is begun', async (text) => {
  const file = place();
  writeFileSync(file, text);
  expect((await play(file)).played).toBe(40);
});

test('a mark at the beginning that editors write says nothing', async () => {
  const file = place();
  await play(file);
  writeFileSync(file, `\uFEFF${readFileSync(file, 'utf8')}`);
  expect((await play(file)).played).toBe(0);
});

test('what is left out and played again is told of, and files without checks are taken as they are', async () => {
  const file = place();
  await play(file);
  const whole = readFileSync(file, 'utf8');
  const [head = '', first = '', second = '', ...lines] = whole.split('\n');
  writeFileSync(file, [head, first.replace('"reward":', '"reward":0.'), second, 'x', ...lines].join('\n'));
  expect((await play(file)).taken).toMatchObject({ damaged: 2, again: 11 });
  expect((await play(file)).taken).toMatchObject({ damaged: 0, again: 0 });
  writeFileSync(file, whole.replaceAll(/,"check":"[0-9a-f]+"/g, ''));
  expect((await play(file)).played).toBe(0);
  expect(readFileSync(file, 'utf8').split('\n').sort()).toEqual(whole.split('\n').sort());
});

test('nothing is read that never ends, and nothing waited for', async () => {
  const file = place();
  symlinkSync('/dev/zero', file);
  await expect(play(file)).rejects.toThrow('it is a pipe or a device; name another folder');
  rmSync(file);
  execFileSync('mkfifo', [file]);
  await expect(play(file)).rejects.toThrow('it is a pipe or a device; name another folder');
});

test('what processes that have gone left half-written is cleared away, and nothing else', async () => {
  const file = place();
  const gone = 2 ** 22 + 1;
  const [own, others] = [
    [`.lock.${gone}-0a1b2c3d.partial`, `.${gone}.partial`, `.${gone}-ff.partial`, `.lock.${gone}.stale`],
    ['.bak', '.1.partial'],
  ];
  for (const ending of [...own, ...others]) writeFileSync(`${file}${ending}`, '');
  await play(file);
  expect(readdirSync(path.dirname(file)).sort()).toEqual(
    ['stream.jsonl', ...others.map((ending) => `stream.jsonl${ending}`)].sort(),
  );
});

test('what is no file, and a folder that cannot be made', async () => {
  const file = place();
  mkdirSync(file);
  await expect(play(file)).rejects.toThrow('Cannot read');
  const blocked = path.join(path.dirname(file), 'text');
  writeFileSync(blocked, '');
  await expect(play(path.join(blocked, 'deep', 'stream.jsonl'))).rejects.toThrow('Cannot make');
  await expect(play(path.join(blocked, 'stream.jsonl'))).rejects.toThrow('Cannot make');
  const deep = path.join(path.dirname(file), 'a/b/c/stream.jsonl');
  expect((await play(deep)).played).toBe(40);
});

test('one process at a time works on a file', async () => {
  const file = place();
  const ends = await Promise.allSettled([play(file), play(file)]);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [failed] = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
  expect(failed).toContain(`Process ${process.pid} is at work on ${file}`);
  // A lock whose process has gone is taken over.
  writeFileSync(`${file}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, host: 'x'.repeat(3), started: null }));
  await expect(play(file)).rejects.toThrow('delete the file "stream.jsonl.lock" there');
  rmSync(`${file}.lock`);
  expect((await play(file)).played).toBe(0);
});
