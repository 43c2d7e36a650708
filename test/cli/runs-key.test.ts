/**
 * Runs as the editor starts them, watched from all sides: the key reaches the endpoint it is for, and no file, line, argument,
 * address or other origin.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { childVariables, startChild } from '../../client/src/runs/child.ts';
import { evalArguments, resumeArguments } from '../../client/src/runs/choice.ts';
import { buildCommand, type HopscopeCommand } from '../support/command.ts';
import { type OracleEndpoint, oracleEndpoint } from '../support/http-runs.ts';
import { type Answer, type Respond, startModelServer, wrong } from '../support/model-server.ts';
import { promptText } from '../support/played-runs.ts';

const key = 'sk-watched-9f8e7d6c5b4a';
const mark = 'watched-9f8e7d6c5b4a';

let command: HopscopeCommand;
let prompt: string;
let endpoint: OracleEndpoint;

beforeAll(async () => {
  command = await buildCommand();
  prompt = command.file('shipped.step.md', promptText);
  endpoint = oracleEndpoint(promptText, 4, {});
});
afterAll(() => command?.remove());

async function serve(respond: Respond) {
  const server = await startModelServer(respond);
  onTestFinished(server.close);
  return server;
}

/** Arguments of all processes there are, which anybody on the machine can read. */
function allArguments(): string {
  if (!existsSync('/proc/self/cmdline'))
    return execFileSync('ps', ['-axww', '-o', 'args'], { encoding: 'utf8' });
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return ''; // it has ended
      }
    })
    .join('\n');
}

function run(args: readonly string[], baseUrl: string | undefined, given: string | undefined = key) {
  const lines: unknown[] = [];
  const child = startChild({
    script: command.script,
    args,
    cwd: command.folder,
    endpoint: baseUrl === undefined ? undefined : { baseUrl, key: given },
    line: (line) => lines.push(line),
  });
  return child.end.then((end) => ({ ...end, lines }));
}

const settings = (out: string) => ({
  base: command.folder,
  runs: path.join(command.folder, out),
  prices: null,
  concurrency: 4,
});

function choiceAt(baseUrl: string) {
  const agent = { model: 'test-model', baseUrl };
  return { prompts: [prompt], agent, instances: { split: 'id_test' }, count: 4 };
}

function everyFile(): string {
  const files = readdirSync(command.folder, { recursive: true, withFileTypes: true }).filter((it) =>
    it.isFile(),
  );
  return files
    .filter(({ parentPath }) => !parentPath.includes('dist'))
    .map(({ parentPath, name }) => `${name}\n${readFileSync(path.join(parentPath, name), 'utf8')}`)
    .join('\n');
}

test('the key is in the headers of its endpoint and nowhere else', async () => {
  const foreign = await serve(() => ({ said: { text: 'x' } }));
  let arguments_ = '';
  // It repeats the key wherever it can, and sends some requests elsewhere.
  const own = await serve(async (seen): Promise<Answer> => {
    arguments_ ||= allArguments();
    const { authorization } = seen.headers;
    if (authorization !== `Bearer ${key}`) return wrong(401, `Incorrect API key provided: ${authorization}.`);
    switch (seen.number % 4) {
      case 0:
        return { status: 307, headers: { location: `${foreign.baseUrl}/chat/completions?key=${key}` } };
      case 1:
        return wrong(500, `Header was Bearer ${key}`);
      case 2:
        return { said: { text: `ACTION: READ 1 ${key}`, reasoning: key } };
      default:
        return endpoint.respond(seen);
    }
  });
  const first = await run(evalArguments(choiceAt(own.baseUrl), settings('out'), false), own.baseUrl);
  const [name = ''] = readdirSync(path.join(command.folder, 'out'));
  const folder = path.join(command.folder, 'out', name);
  const again = await run(resumeArguments(folder, own.baseUrl, settings('out')), own.baseUrl);
  // Refused by the endpoint: another key, and none.
  const refused = await run(
    evalArguments(choiceAt(own.baseUrl), settings('out-2'), false),
    own.baseUrl,
    `${key}x`,
  );
  const listed = await run(['models', `--base-url=${own.baseUrl}`, '--json'], own.baseUrl);
  expect(own.requests.some(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true);
  expect(arguments_).toContain('--until-eof'); // the run was among them
  const requests = own.requests.map(({ method, path: url, text }) => ({ method, url, text }));
  const places = { first, again, refused, listed, arguments_, files: everyFile(), requests };
  const told = Object.entries(places).filter(([, what]) => JSON.stringify(what).includes(mark));
  expect(told.map(([where]) => where)).toEqual([]);
  // What repeats it was looked at.
  expect(JSON.stringify(places).includes('[API key]')).toBe(true);
  expect(foreign.requests).toEqual([]);
});

test('a run that names another endpoint does not get the key', async () => {
  const foreign = await serve((seen) => endpoint.respond(seen));
  const own = await serve(() => ({ said: { text: 'x' } }));
  // The arguments say one thing, what the key is bound to another.
  const { code } = await run(evalArguments(choiceAt(foreign.baseUrl), settings('out-3'), false), own.baseUrl);
  expect(code).toBe(0);
  expect(foreign.count).toBe(endpoint.steps);
  expect(JSON.stringify(foreign.requests)).not.toContain(mark);
  expect(own.count).toBe(0);
});

test('keys of the environment stay there', () => {
  const own = {
    PATH: '/bin',
    OPENAI_API_KEY: 'a',
    HOPSCOPE_API_KEY: 'b',
    hopscope_api_key_x: 'c',
    HOPSCOPE_BASE_URL: 'd',
    NODE_OPTIONS: '--inspect',
    ELECTRON_RUN_AS_NODE: '',
    VSCODE_IPC_HOOK: 'e',
  };
  const plain = { PATH: '/bin', ELECTRON_RUN_AS_NODE: '1', NO_COLOR: '1' };
  expect(childVariables(own, undefined)).toEqual(plain);
  expect(childVariables(own, { baseUrl: 'u', key: undefined })).toEqual({ ...plain, HOPSCOPE_BASE_URL: 'u' });
  expect(childVariables(own, { baseUrl: 'u', key: 'k' })).toMatchObject({ HOPSCOPE_API_KEY: 'k' });
});

test('stopping waits for nothing that never comes back, and what was replied is kept', async () => {
  let arrived = () => {};
  const hanging = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const server = await serve((seen) => {
    if (seen.number < 3) return endpoint.respond(seen);
    arrived();
    return { delivery: 'stall-headers' };
  });
  const lines: unknown[] = [];
  const child = startChild({
    script: command.script,
    args: evalArguments(choiceAt(server.baseUrl), settings('out-4'), false),
    cwd: command.folder,
    endpoint: { baseUrl: server.baseUrl, key },
    line: (line) => lines.push(line),
  });
  await hanging;
  child.stop();
  // It ends by itself: whoever is killed has no exit code.
  const { code } = await child.end;
  expect(code).toBeTypeOf('number');
  const [name = ''] = readdirSync(path.join(command.folder, 'out-4'));
  const folder = path.join(command.folder, 'out-4', name);
  expect(readdirSync(folder)).not.toContain('lock');
  const other = await serve((seen) => endpoint.respond(seen));
  const resumed = await run(resumeArguments(folder, other.baseUrl, settings('out-4')), other.baseUrl);
  expect(resumed.code, resumed.notes.join('\n')).toBe(0);
  const replied = readFileSync(path.join(folder, 'steps.jsonl'), 'utf8').match(/"type":"event"/g)?.length;
  expect(replied).toBe(endpoint.steps);
});

test('a command that does not start says so', async () => {
  const lines: unknown[] = [];
  const child = startChild({
    script: path.join(command.folder, 'nowhere.js'),
    args: [],
    cwd: path.join(command.folder, 'no such folder'),
    endpoint: undefined,
    line: (line) => lines.push(line),
  });
  const { code, notes } = await child.end;
  expect(code).not.toBe(0);
  expect(notes.join(' ')).toContain('could not be started');
});
