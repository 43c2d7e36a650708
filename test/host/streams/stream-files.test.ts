/** Files of streams that are foreign, damaged or in use: whatever is not in its place is played again. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serving } from '../../../server/src/engine/environments/serving/index.ts';
import { defaultOptions } from '../../../server/src/engine/environments/serving/options.ts';
import { streams } from '../../../server/src/engine/environments/serving/stream/index.ts';
import { policyResponder } from '../../../server/src/engine/evals/responder.ts';
import { openMethod } from '../../../server/src/host/streams/learner.ts';
import { runStreamInFile } from '../../../server/src/host/streams/open-stream.ts';
import type { StreamEnd } from '../../../server/src/host/streams/run-stream.ts';

const config = { scenario: 'mini_pitch', method: 'rag' };

function place(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hopscope-stream-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, 'stream.jsonl');
}

/** Plays what is missing. @returns how many episodes that was. */
async function play(file: string): Promise<{ readonly end: StreamEnd; readonly played: number }> {
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
  return { end: await runStreamInFile(run, file, config), played };
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
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(43);
  expect(readdirSync(path.dirname(file))).toEqual(['stream.jsonl']);
});

test.each([
  ['', 'is no file of a stream'],
  ['\u0000\u0001\u0002', 'is no file of a stream'],
  ['{"config": 3}\n', 'is no file of a stream'],
  [
    '{"config": {"scenario": "mini_pitch", "method": "rag", "data": "sha256:1"}}\n',
    'made with other published files',
  ],
  ['{"config": {"scenario": "mini_pitch", "method": "rag", "x": 1}}\n', 'made with another x'],
])('a file %j is left as it is', async (text, sentence) => {
  const file = place();
  writeFileSync(file, text);
  await expect(play(file)).rejects.toThrow(sentence);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('what is no file, and a folder that cannot be made', async () => {
  const file = place();
  mkdirSync(file);
  await expect(play(file)).rejects.toThrow('Cannot read');
  const blocked = path.join(path.dirname(file), 'text');
  writeFileSync(blocked, '');
  await expect(play(path.join(blocked, 'deep', 'stream.jsonl'))).rejects.toThrow('Cannot make');
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
