import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand, collect, type HopscopeCommand } from '../support/command.ts';

let hopscope: HopscopeCommand;
beforeAll(async () => {
  hopscope = await buildCommand();
});
afterAll(() => hopscope.remove());

const long = ['--split', 'train', '-n', '100000'];

describe('Ctrl-C', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends a generation that is read', async (signal, code) => {
    const child = hopscope.start(['generate', ...long]);
    const err = collect(child.stderr);
    child.stdout?.once('data', () => child.kill(signal));
    child.stdout?.resume();
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(err()).toBe('');
  });

  it('ends a generation that nobody reads', async () => {
    const child = hopscope.start(['generate', ...long]);
    // One piece is taken, then the pipe fills up and the program waits.
    if (child.stdout) await once(child.stdout, 'readable');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
  });

  it('leaves no half file behind', async () => {
    const folder = join(hopscope.folder, 'half');
    mkdirSync(folder);
    const child = hopscope.start(['generate', ...long, '--out', join(folder, 'all.jsonl')]);
    while (readdirSync(folder).length === 0) await new Promise(setImmediate);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('ends an eval', async () => {
    const child = hopscope.start(['eval', '-p', 'oracle', '--json', ...long]);
    child.stdout?.once('data', () => child.kill('SIGINT'));
    child.stdout?.resume();
    expect(await once(child, 'close')).toEqual([130, null]);
  });

  it('ends a command that waits for standard input', async () => {
    const child = hopscope.start(['validate', '--json', '-'], { open: true });
    child.stdin?.write('{}\n');
    // The message about the first line tells that the second one is waited for.
    if (child.stderr) await once(child.stderr, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
  });
});

describe('a reader that goes away', () => {
  it.each([
    ['generate', ['generate', ...long]],
    ['eval', ['eval', '-p', 'no-read', '--json', ...long]],
  ])('ends %s without complaint', async (_, args) => {
    const child = hopscope.start(args);
    const err = collect(child.stderr);
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(err()).toBe('');
  });
});
