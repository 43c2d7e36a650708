import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isLocked, lockRun } from '../../../server/src/host/runs/lock.ts';
import { newFolder } from '../../support/played-runs.ts';

/** The number of a process that has just ended. */
async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('a second one is refused and told which process it is', async () => {
  const folder = await newFolder();
  const lock = await lockRun(folder);
  expect(isLocked(folder)).toBe(true);
  await expect(lockRun(folder)).rejects.toThrow(`Process ${process.pid} is at work on ${folder}`);
  lock.release();
  lock.release();
  expect(isLocked(folder)).toBe(false);
  expect(await readdir(folder)).toEqual([]);
  (await lockRun(folder)).release();
});

test.each([
  ['of a process that has gone', async () => ({ pid: await deadProcess(), host: hostname(), started: '1' })],
  [
    'of a process whose number another one has now',
    async () => ({ pid: process.pid, host: hostname(), started: '1' }),
  ],
  ['that is damaged', async () => 'not a lock'],
  ['that is empty', async () => null],
])('a lock %s is taken over', async (_, owner) => {
  const folder = await newFolder();
  const content = await owner();
  await writeFile(path.join(folder, 'lock'), content === null ? '' : JSON.stringify(content));
  expect(isLocked(folder)).toBe(false);
  const lock = await lockRun(folder);
  expect(JSON.parse(await readFile(path.join(folder, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid });
  expect(await readdir(folder)).toEqual(['lock']);
  lock.release();
});

test('what processes that have gone left half-written is removed, and nothing else', async () => {
  const folder = await newFolder();
  const gone = await deadProcess();
  await mkdir(path.join(folder, 'configs'));
  for (const name of [
    `lock.${gone}-0a1b2c3d.partial`,
    `configs/eval.json.${gone}.partial`,
    `lock.${gone}-ff.stale`,
  ]) {
    await writeFile(path.join(folder, name), '');
  }
  const others = ['1.partial', `a.${process.pid}-00.partial`, 'configs', 'results.jsonl'];
  for (const name of others.filter((other) => other !== 'configs'))
    await writeFile(path.join(folder, name), '');
  (await lockRun(folder)).release();
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(others);
});

test('a lock of another machine is left alone', async () => {
  const folder = await newFolder();
  const content = JSON.stringify({ pid: 1, host: 'elsewhere', started: null });
  await writeFile(path.join(folder, 'lock'), content);
  await expect(lockRun(folder)).rejects.toThrow(/Process 1 on elsewhere .* delete the file "lock"/);
  expect(readFileSync(path.join(folder, 'lock'), 'utf8')).toBe(content);
});

test('of many at once, one gets it, also when there is one to take over', async () => {
  const folder = await newFolder();
  for (const stale of [false, true]) {
    if (stale) await writeFile(path.join(folder, 'lock'), 'stale');
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockRun(folder)));
    const locks = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(locks.length).toBe(1);
    for (const lock of locks) lock.release();
  }
});

test('of many at once in one process all others hear who has it', async () => {
  for (let round = 0; round < 10; round++) {
    const folder = await newFolder();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, turns) => {
        // Each begins a little later than the one before, so that some clear away while others write.
        for (let turn = 0; turn < turns; turn++) await stat(folder);
        return lockRun(folder);
      }),
    );
    const reasons = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
    expect(reasons.length).toBe(19);
    for (const reason of reasons) expect(reason).toContain(`Process ${process.pid} is at work on ${folder}`);
    for (const result of results) if (result.status === 'fulfilled') result.value.release();
  }
});

test('a folder that is not there', async () => {
  await expect(lockRun(path.join(await newFolder(), 'missing'))).rejects.toThrow(/no such file or folder/);
});
