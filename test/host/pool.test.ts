import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { Failure } from '../../server/src/host/failure.ts';
import { defaultWorkers, openPool, type Pool } from '../../server/src/host/pool.ts';

const script = fileURLToPath(new URL('./fixtures/worker.mjs', import.meta.url));
const pools: Pool[] = [];

function open(workers: number, signal?: AbortSignal): Pool {
  const pool = openPool({ script, workers, ...(signal ? { signal } : {}) });
  pools.push(pool);
  return pool;
}

function run(pool: Pool, options: string) {
  const batch = { split: 's', indices: [4, 5] };
  return pool.run('audit', { environment: 'e', options, batch }, 's 4-5');
}

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

describe('openPool', () => {
  it('runs tasks in workers', async () => {
    const pool = open(2);
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((options) => run(pool, options)));
    expect(results.map((result) => result.rows)).toEqual([['a'], ['b'], ['c'], ['d']]);
  });

  it.each([
    ['throw', 'Work on s 4-5 failed, which is a defect of this program: no such split.'],
    ['exit', 'A worker stopped unexpectedly at s 4-5; try again, or with --workers 1.'],
    ['late', 'A worker stopped unexpectedly at s 4-5: late; try again, or with --workers 1.'],
    ['memory', 'A worker ran out of memory at s 4-5; try fewer at once with --workers 1.'],
  ])('gives one sentence when a task goes wrong: %s', async (options, sentence) => {
    const pool = open(1);
    const failure = await run(pool, options).catch((error) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure.message).toBe(sentence);
    // The pool has not suffered.
    expect((await run(pool, 'again')).rows).toEqual(['again']);
  });

  it('rejects everything under way with the reason of its signal', async () => {
    const controller = new AbortController();
    const pool = open(1, controller.signal);
    await run(pool, 'warm');
    const tasks = [run(pool, 'hang'), run(pool, 'queued')];
    const reason = new Error('enough');
    controller.abort(reason);
    for (const task of tasks) await expect(task).rejects.toBe(reason);
    await expect(run(pool, 'after')).rejects.toBe(reason);
  });

  it('closes while a worker is busy', async () => {
    const pool = open(1);
    await run(pool, 'warm');
    const task = run(pool, 'hang');
    task.catch(() => undefined);
    await pool.close();
    await expect(task).rejects.toBeInstanceOf(Failure);
  });

  it('says when its script is missing', async () => {
    const pool = openPool({ script: '/nowhere/worker.js', workers: 1 });
    pools.push(pool);
    await expect(run(pool, 'a')).rejects.toThrow('A worker stopped unexpectedly at s 4-5');
  });
});

it('uses the cores there are, within reason', () => {
  expect(defaultWorkers()).toBeGreaterThanOrEqual(1);
  expect(defaultWorkers()).toBeLessThanOrEqual(3);
});
