/** Streams that are killed in the middle of a block: what is gone on with comes to the same, memory and rows alike. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { buildCommand, type HopscopeCommand, parseLines } from '../support/command.ts';
import { startModelServer } from '../support/model-server.ts';
import { servingAnswers } from '../support/serving-endpoint.ts';

let command: HopscopeCommand;
let prompt: string;

beforeAll(async () => {
  command = await buildCommand();
  const shipped = path.resolve(import.meta.dirname, '../../prompts/serving/serving.step.md');
  prompt = command.file('mine.step.md', readFileSync(shipped, 'utf8'));
  mkdirSync(path.join(command.folder, 'small'));
});

afterAll(() => command?.remove());

type Row = Readonly<Record<string, unknown>>;

/** The rows of the file without the tokens, which are counted by the length of what was asked. */
function rowsIn(out: string): readonly Row[] {
  const file = path.join(command.folder, out, 'm/mini_banking_refusals.jsonl');
  const [, ...rows] = parseLines(readFileSync(file, 'utf8')) as readonly Row[];
  return rows
    .filter((row) => !Object.hasOwn(row, 'lost'))
    .map(({ timestamp: _, ...row }) => row)
    .sort((a, b) => String(a['task_id']).localeCompare(String(b['task_id'])));
}

// Of the 24 serving tasks, in two windows of one block, and the 16 test tasks: in the first block, in the second one.
it.each([
  ['the first block', 30, 0],
  ['the second block', 150, 12 + 8],
])('is killed in %s', async (_, request, earlier) => {
  const play = servingAnswers(['mini_banking'], 'remembering');
  let child: ChildProcess | undefined;
  let killed = false;
  const server = await startModelServer(
    (seen) => {
      if (child !== undefined && seen.number === request) {
        killed = true;
        child.kill('SIGKILL');
      }
      return play(seen);
    },
    { record: false },
  );
  onTestFinished(server.close);
  const args = [
    ...['eval', prompt, '--stream', 'mini_banking', '--method', 'refusals', '--model', 'm', '-c', '3'],
    ...['--base-url', server.baseUrl],
  ];
  const out = `killed-${request}`;
  child = command.start([...args, '--out', out]);
  await once(child, 'exit');
  child = undefined;
  expect(killed).toBe(true);
  const file = path.join(command.folder, out, 'm/mini_banking_refusals.jsonl');
  const before = existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 2 : 0;
  expect(before).toBeGreaterThan(earlier);
  expect(before).toBeLessThan(earlier + 12);
  // The lock of the killed process is there and holds nobody up.
  expect(existsSync(`${file}.lock`)).toBe(true);
  const resumed = await command.run([...args, '--out', out]);
  expect(resumed.code).toBe(0);
  expect(resumed.err.replace(/\s+/g, ' ')).toMatch(
    /^\S+: \d+ episodes? of a block that is not whole .* stays in the totals\. $/,
  );
  const straight = await command.run([...args, '--out', `whole-${request}`]);
  expect(straight.code).toBe(0);
  expect(rowsIn(out)).toEqual(rowsIn(`whole-${request}`));
  // What the killed block took is in the totals, and nowhere else.
  const scores = (text: string) => text.split(/^tokens/m)[0];
  expect(scores(resumed.out)).toBe(scores(straight.out));
  expect(resumed.out).toContain('Lost is what was paid for');
  expect(straight.out).not.toContain('Lost');
});

it.runIf(process.platform === 'linux')(
  'says that nothing more can be kept, and goes on when it can',
  async () => {
    const server = await startModelServer(servingAnswers(['mini_retail'], 'oracle'), { record: false });
    onTestFinished(server.close);
    const args = [
      'eval',
      prompt,
      '--stream',
      'mini_retail',
      '--model',
      'm',
      '-c',
      '1',
      '--base-url',
      server.baseUrl,
    ];
    // A limit on the size of files is what a full disk is like, for one process.
    const limited = `ulimit -f 40; trap '' XFSZ; exec "$0" "$@"`;
    const child = spawn('bash', ['-c', limited, process.execPath, command.script, ...args, '--out', 'full'], {
      cwd: command.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(err).toContain('Cannot write');
    const file = path.join(command.folder, 'full/m/mini_retail_blind.jsonl');
    const lines = readFileSync(file, 'utf8');
    expect(lines.endsWith('\n')).toBe(true);
    const kept = lines.trim().split('\n').length - 1;
    expect(kept).toBeGreaterThan(0);
    const before = server.count;
    const again = await command.run([...args, '--out', 'full']);
    expect(again.code).toBe(0);
    expect(server.count).toBeGreaterThan(before);
    expect(readFileSync(file, 'utf8').startsWith(lines)).toBe(true);
  },
);
