import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand, collect, type HopscopeCommand } from '../support/command.ts';

let hopscope: HopscopeCommand;
beforeAll(async () => {
  hopscope = await buildCommand();
});
afterAll(() => hopscope.remove());

/** Runs a line of `sh`, in which `hopscope` is the command. */
function shell(line: string) {
  const command = `'${process.execPath}' '${hopscope.script}'`;
  return hopscope.runProgram('sh', ['-c', `hopscope() { ${command} "$@"; }\n${line}`]);
}

const long = ['--split', 'train', '-n', '100000'];

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

describe.each(signals)('%s', (signal, code) => {
  it('ends a generation that is read, and says how far it got', async () => {
    const child = hopscope.start(['generate', ...long]);
    const err = collect(child.stderr);
    child.stdout?.once('data', () => child.kill(signal));
    child.stdout?.resume();
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(err()).toMatch(/^Stopped: generate train had done \d+ of 100,000\.\n$/);
  });

  it('leaves no half file behind', async () => {
    const folder = join(hopscope.folder, signal);
    mkdirSync(folder);
    const child = hopscope.start(['generate', ...long, '--out', join(folder, 'all.jsonl')]);
    while (readdirSync(folder).length === 0) await new Promise(setImmediate);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([code, null]);
    expect(readdirSync(folder)).toEqual([]);
  });

  // Nobody ever writes into it: opening it as a file would hold a thread for good.
  it.each([
    ['validate', ['@']],
    ['audit', ['@']],
    ['eval', ['-p', 'oracle', '--instances', '@']],
    ['inspect', ['--file', '@']],
    ['replay', ['--instances', '@', '--episodes', '-']],
    ['check', ['--language', 'transcript', '@']],
  ])('ends %s, which waits for a pipe', async (command, args) => {
    const pipe = join(hopscope.folder, `${signal}-${command}`);
    execFileSync('mkfifo', [pipe]);
    const child = hopscope.start([command, ...args.map((arg) => (arg === '@' ? pipe : arg))]);
    const err = collect(child.stderr);
    // Opened for writing by us, without ever writing: the command is then surely reading.
    const writer = await open(pipe, 'w');
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(err()).toMatch(/^Stopped(: \S+ .*had done 0.*)?\.\n$/);
    await writer.close();
  });
});

describe('Ctrl-C', () => {
  it('ends a generation that nobody reads', async () => {
    const child = hopscope.start(['generate', ...long]);
    // One piece is taken, then the pipe fills up and the program waits.
    if (child.stdout) await once(child.stdout, 'readable');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
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

  it('ends a command that waits for somebody to open the other end of a pipe', async () => {
    const pipe = join(hopscope.folder, 'nobody');
    execFileSync('mkfifo', [pipe]);
    const first = hopscope.file('first.jsonl', '{}\n');
    const child = hopscope.start(['validate', first, pipe]);
    if (child.stderr) await once(child.stderr, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
  });
});

describe('a pipe', () => {
  it('is read to its end, whoever opens it first', async () => {
    const pipe = join(hopscope.folder, 'lines');
    execFileSync('mkfifo', [pipe]);
    const child = hopscope.start(['validate', '--json', pipe]);
    const err = collect(child.stderr);
    const writer = await open(pipe, 'w');
    await writer.write('{}\n');
    await writer.write(`${' '.repeat(200_000)}x`);
    await writer.close();
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(err()).toBe(
      `${pipe} line 1 is no navigator instance: it has no id.\n` +
        `${pipe} line 2 is not valid JSON at character 200001, "x".\n`,
    );
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

describe('output that cannot be written', () => {
  it.each(['--help', 'help eval', '--version', 'policies', 'generate -s train -n 1 --no-audit'])(
    'fails %s on a full disk',
    async (line) => {
      const { code, err } = await shell(`hopscope ${line} > /dev/full`);
      expect({ code, err }).toEqual({
        code: 1,
        err: 'Cannot write the output: the disk is full; make room and try again.\n',
      });
    },
  );

  it('is no reason to fail when nobody reads any more', async () => {
    expect(await shell('(hopscope help generate; echo $? >&2) | true')).toMatchObject({ err: '0\n' });
  });
});

it('says that a folder is no input', async () => {
  expect(await shell('hopscope validate - < .')).toMatchObject({
    code: 2,
    err: 'Cannot read standard input: it is a folder; name a file.\n',
  });
});
