/** Runs from the command line: what they say, how they stop, what they leave behind, and what becomes of it. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildCommand, collect, type HopscopeCommand, parseLines } from '../support/command.ts';
import { type OracleEndpoint, oracleEndpoint } from '../support/http-runs.ts';
import {
  type ModelServer,
  type Respond,
  type Seen,
  startModelServer,
  wrong,
} from '../support/model-server.ts';
import { finalLines, promptText } from '../support/played-runs.ts';

const episodes = 6;
const options = ['-o', 'doc_tokens=8000'];

let command: HopscopeCommand;
let endpoint: OracleEndpoint;
let server: ModelServer;
let prompt: string;
/** What the endpoint does; a test that changes it gives it back. */
let respond: Respond;
let undisturbed: unknown;
let count = 0;

beforeAll(async () => {
  command = await buildCommand();
  prompt = command.file('shipped.step.md', promptText);
  endpoint = oracleEndpoint(promptText, episodes, { doc_tokens: 8000 });
  respond = endpoint.respond;
  server = await startModelServer((seen) => respond(seen));
  const parent = newParent();
  expect(await command.run(evalIn(parent))).toMatchObject({ code: 0 });
  undisturbed = await finalLines(runIn(parent));
});

afterAll(async () => {
  await server?.close();
  command?.remove();
});

/** Lets the endpoint do something else until the running test is over. */
function answering(other: Respond): void {
  respond = other;
  onTestFinished(() => {
    respond = endpoint.respond;
  });
}

function newParent(): string {
  return path.join(command.folder, `out-${count++}`);
}

function evalIn(parent: string, ...more: string[]): string[] {
  const model = ['--model', 'test-model', '--base-url', server.baseUrl, '--workers', '1'];
  return [
    'eval',
    prompt,
    ...model,
    '-s',
    'id_test',
    '-n',
    String(episodes),
    ...options,
    '--out',
    parent,
    ...more,
  ];
}

function resume(folder: string, ...more: string[]): string[] {
  return ['resume', folder, '--workers', '1', ...more];
}

function runIn(parent: string): string {
  const [name = ''] = readdirSync(parent);
  return path.join(parent, name);
}

/** Calls `act` with the first request from the `nth` on, and answers as before. */
function atRequest(nth: number, act: (seen: Seen) => unknown): void {
  let seen = 0;
  answering(async (request) => {
    if (seen++ === nth) await act(request);
    return endpoint.respond(request);
  });
}

describe('events', () => {
  it('tell of the start, of every episode and of the end', async () => {
    const parent = newParent();
    const { code, out, err } = await command.run(evalIn(parent, '--json'));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = parseLines(out);
    expect(lines.map((line) => Object.keys(line)[0])).toEqual([
      'start',
      ...Array.from({ length: episodes }, () => 'episode'),
      'done',
    ]);
    const folder = runIn(parent);
    expect(lines[0]).toMatchObject({
      start: { folder, environment: 'navigator', label: 'id_test', model: 'test-model', requested: episodes },
    });
    expect(lines[1]).toMatchObject({
      episode: { split: 'id_test', rollout: 0, scored: true, correct: true, cause: null, error: null },
    });
    expect(lines.at(-1)).toMatchObject({
      done: { folder, status: 'done', requested: episodes, scored: episodes, errored: 0, accuracy: 1 },
    });
    expect(JSON.parse(readFileSync(path.join(folder, 'configs', 'eval.json'), 'utf8'))).toMatchObject({
      agent: { kind: 'model', model: 'test-model', base_url: server.baseUrl },
      instances: [{ split: 'id_test', indices: [0, 1, 2, 3, 4, 5] }],
      suite: null,
      prompt: { name: 'shipped', text: promptText },
    });
  });

  it('a run that is done has nothing left to play', async () => {
    const parent = newParent();
    await command.run(evalIn(parent));
    const before = server.count;
    const { code, out } = await command.run(resume(runIn(parent), '--json'));
    expect(code).toBe(0);
    expect(parseLines(out)).toMatchObject([{ start: { remaining: 0 } }, { done: { status: 'done' } }]);
    expect(server.count).toBe(before);
    expect(await finalLines(runIn(parent))).toEqual(undisturbed);
  });
});

describe('stopping', () => {
  it('Ctrl-C once: what is under way comes back and is kept, nothing else is asked for', async () => {
    const parent = newParent();
    let child: ChildProcess | undefined;
    let asked = 0;
    answering(async (seen) => {
      asked++;
      if (asked === 5) {
        // The answer waits until the wish to stop has arrived.
        const told = child?.stderr ? once(createInterface(child.stderr), 'line') : undefined;
        child?.kill('SIGINT');
        expect(await told).toEqual([expect.stringMatching(/^Finishing the requests under way/)]);
      }
      return endpoint.respond(seen);
    });
    child = command.start(evalIn(parent, '-c', '1', '--json'));
    const out = collect(child.stdout);
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(asked).toBe(5);
    const folder = runIn(parent);
    expect(parseLines(out()).at(-1)).toMatchObject({ done: { status: 'stopped', reason: null } });
    const events = readFileSync(path.join(folder, 'steps.jsonl'), 'utf8').match(/"type":"event"/g);
    expect(events?.length).toBe(5);
    expect(existsSync(path.join(folder, 'metadata.json'))).toBe(true);
    respond = endpoint.respond;
    expect(await command.run(resume(folder))).toMatchObject({ code: 0 });
    expect(await finalLines(folder)).toEqual(undisturbed);
  });

  it('Ctrl-C twice: at once, and the folder is good', async () => {
    const parent = newParent();
    let child: ChildProcess | undefined;
    let asked = 0;
    answering(async (seen) => {
      if (++asked < 5) return endpoint.respond(seen);
      const told = child?.stderr ? once(createInterface(child.stderr), 'line') : undefined;
      child?.kill('SIGINT');
      await told;
      child?.kill('SIGINT');
      return { delivery: 'stall-headers' };
    });
    child = command.start(evalIn(parent, '-c', '1', '--json'));
    expect(await once(child, 'close')).toEqual([130, null]);
    const folder = runIn(parent);
    expect(readdirSync(folder)).not.toContain('lock');
    respond = endpoint.respond;
    expect(await command.run(resume(folder))).toMatchObject({ code: 0 });
    expect(await finalLines(folder)).toEqual(undisturbed);
  });

  it('when whoever started it has gone', async () => {
    const parent = newParent();
    let child: ChildProcess | undefined;
    atRequest(5, () => child?.stdin?.end());
    child = command.start(evalIn(parent, '-c', '1', '--until-eof'), { open: true });
    expect(await once(child, 'close')).toEqual([1, null]);
    respond = endpoint.respond;
    expect(await command.run(resume(runIn(parent)))).toMatchObject({ code: 0 });
    expect(await finalLines(runIn(parent))).toEqual(undisturbed);
  });

  it('at a limit', async () => {
    const parent = newParent();
    const { code, out } = await command.run(evalIn(parent, '-c', '1', '--limit', 'requests=7', '--json'));
    expect(code).toBe(1);
    const reason = 'The limit of 7 requests is reached.';
    expect(parseLines(out).at(-1)).toMatchObject({ done: { status: 'stopped', reason, errored: 0 } });
    const folder = runIn(parent);
    // The limit is one of the run, not of the process.
    const again = await command.run(resume(folder, '--limit', 'requests=7', '--json'));
    expect(parseLines(again.out).at(-1)).toMatchObject({ done: { status: 'stopped', reason } });
    expect(await command.run(resume(folder))).toMatchObject({ code: 0 });
    expect(await finalLines(folder)).toEqual(undisturbed);
  });

  it.each([
    ['a wrong key', wrong(401, 'Incorrect API key provided.', 'invalid_api_key'), 1],
    ['an unknown model', wrong(404, 'The model does not exist.'), 1],
    ['nothing but refusals', wrong(400, 'This is no request.'), 5],
  ])('%s ends the run after a few requests, with the words of the endpoint', async (_, answer, most) => {
    const parent = newParent();
    const before = server.count;
    answering(() => answer);
    const { code, err } = await command.run(evalIn(parent, '-c', '1'));
    expect(code).toBe(1);
    const { error } = answer.body as { readonly error: { readonly message: string } };
    expect(err).toContain(error.message);
    expect(err).toContain(`Go on with: hopscope resume ${runIn(parent)}`);
    expect(server.count - before).toBeLessThanOrEqual(most);
    respond = endpoint.respond;
    expect(await command.run(resume(runIn(parent)))).toMatchObject({ code: 0 });
    expect(await finalLines(runIn(parent))).toEqual(undisturbed);
  });
});

describe('two processes on one run', () => {
  it('the second is refused, and the first is not disturbed', async () => {
    const parent = newParent();
    let second: Awaited<ReturnType<HopscopeCommand['run']>> | undefined;
    let exported: typeof second;
    atRequest(8, async () => {
      second = await command.run(resume(runIn(parent)));
      exported = await command.run(['export', runIn(parent)]);
    });
    const child = command.start(evalIn(parent, '-c', '2'));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(second).toMatchObject({ code: 2, out: '' });
    expect(second?.err).toBe(
      `Process ${child.pid} is at work on ${runIn(parent)}: wait for it, or stop it first.\n`,
    );
    expect(exported).toMatchObject({ code: 2 });
    expect(await finalLines(runIn(parent))).toEqual(undisturbed);
  });
});

/** Mounts a file system of this process's own making; false where that is not allowed. */
function mount(folder: string, settings: string): boolean {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', settings, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  onTestFinished(() => {
    execFileSync('umount', [folder]);
  });
  return true;
}

describe('trouble with the disk', () => {
  it('deleted in the middle: said, and nothing comes back', async () => {
    const parent = newParent();
    atRequest(9, () => rmSync(runIn(parent), { recursive: true }));
    const { code, err } = await command.run(evalIn(parent, '-c', '2'));
    expect(code).toBe(1);
    expect(err).toMatch(/steps\.jsonl has been deleted or moved, so nothing more can be kept in it\.$/m);
    expect(readdirSync(parent)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    'files that may not grow: whole lines only, and the run goes on later',
    async () => {
      const parent = newParent();
      const limited = ['-c', 'ulimit -f 12; exec "$@"', 'sh', process.execPath, command.script];
      const { code, err } = await command.runProgram('sh', [...limited, ...evalIn(parent, '-c', '2')]);
      expect(err).toMatch(/^Cannot write .*steps\.jsonl: no file may become that large here/m);
      expect(code).toBe(1);
      const folder = runIn(parent);
      expect(readFileSync(path.join(folder, 'steps.jsonl'), 'utf8').endsWith('}\n')).toBe(true);
      expect(await command.run(resume(folder))).toMatchObject({ code: 0 });
      expect(await finalLines(folder)).toEqual(undisturbed);
    },
  );

  it('a full disk: whole lines only, and the run goes on when there is room', async ({ skip }) => {
    const disk = newParent();
    if (!mount(disk, 'size=48k')) return skip('needs the right to mount');
    const parent = path.join(disk, 'out');
    const { code, err } = await command.run(evalIn(parent, '-c', '2'));
    expect(code).toBe(1);
    expect(err).toMatch(/^Cannot write .*: the disk is full; make room and try again\.$/m);
    const folder = runIn(parent);
    expect(readFileSync(path.join(folder, 'steps.jsonl'), 'utf8').endsWith('}\n')).toBe(true);
    execFileSync('mount', ['-o', 'remount,size=8m', disk]);
    expect(await command.run(resume(folder))).toMatchObject({ code: 0 });
    expect(await finalLines(folder)).toEqual(undisturbed);
  });

  it('a folder that may not be written to', async ({ skip }) => {
    const parent = newParent();
    const isRoot = process.getuid?.() === 0;
    if (isRoot && !mount(parent, 'ro')) return skip('everything may be written to');
    if (!isRoot) {
      mkdirSync(parent);
      chmodSync(parent, 0o555);
    }
    const before = server.count;
    const { code, err } = await command.run(evalIn(parent));
    expect(code).toBe(2);
    expect(err).toMatch(/^Cannot make a run folder in .*: (the disk is read-only|permission denied)/m);
    expect(server.count).toBe(before);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('a file in the way', async () => {
    const parent = newParent();
    writeFileSync(parent, '');
    const { code, err } = await command.run(evalIn(parent));
    expect(code).toBe(2);
    expect(err).toMatch(/^Cannot make a run folder in .*/m);
  });
});
