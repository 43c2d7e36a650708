/**
 * Runs that are killed without a warning, at moments that chance decides, and gone on with: nothing that was replied is asked
 * for again, and in the end there is no telling the run from one that was never disturbed.
 *
 * `HOPSCOPE_KILLS` says how often, 20 by default.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStream } from '../../server/src/engine/random/stream.ts';
import { buildCommand, collect, type HopscopeCommand } from '../support/command.ts';
import { type OracleEndpoint, oracleEndpoint } from '../support/http-runs.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { finalLines, promptText } from '../support/played-runs.ts';

const kills = Number(process.env['HOPSCOPE_KILLS'] ?? 20);
const episodes = 6;

let command: HopscopeCommand;
let endpoint: OracleEndpoint;
let server: ModelServer;
let prompt: string;
/** Called with every request when it has come in, with how many came before it in this round. */
let onRequest: (before: number) => void = () => undefined;
let round = 0;
let undisturbed: unknown;
/** How long an undisturbed run takes, in ms. */
let duration: number;

beforeAll(async () => {
  command = await buildCommand();
  prompt = command.file('shipped.step.md', promptText);
  endpoint = oracleEndpoint(promptText, episodes, { doc_tokens: 8000 });
  server = await startModelServer((seen) => {
    onRequest(round++);
    return endpoint.respond(seen);
  });
  const began = performance.now();
  const folder = await finish(out(0));
  duration = performance.now() - began;
  undisturbed = await finalLines(folder);
});

afterAll(async () => {
  await server?.close();
  command?.remove();
});

function out(number: number): string {
  return path.join(command.folder, `out-${number}`);
}

function startArguments(parent: string): string[] {
  const model = ['--model', 'test-model', '--base-url', server.baseUrl, '-c', '3', '--workers', '1'];
  return [
    'eval',
    prompt,
    ...model,
    '-s',
    'id_test',
    '-n',
    String(episodes),
    '-o',
    'doc_tokens=8000',
    '--out',
    parent,
  ];
}

/** Plays a new run to its end and gives its folder. */
async function finish(parent: string): Promise<string> {
  const { code, err } = await command.run(startArguments(parent));
  expect(code, err).toBe(0);
  return runIn(parent) ?? '';
}

/** The run that was begun in a folder; null when the kill came before there was one. */
function runIn(parent: string): string | null {
  mkdirSync(parent, { recursive: true });
  const [name] = readdirSync(parent);
  if (name === undefined) return null;
  const folder = path.join(parent, name);
  return existsSync(path.join(folder, 'configs', 'eval.json')) ? folder : null;
}

/** The steps whose replies are on disk, e.g. `3 1`: what a later line cannot be asked for. */
function recorded(folder: string): ReadonlySet<string> {
  const file = path.join(folder, 'steps.jsonl');
  if (!existsSync(file)) return new Set();
  const found = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => /^\{"type":"event","task":(\d+),"attempt":\d+,"step":(\d+),.*\}$/.exec(line) ?? []);
  const steps = new Set<string>();
  for (let at = 0; at < found.length; at += 3) steps.add(`${found[at + 1]} ${found[at + 2]}`);
  return steps;
}

/** Runs a command line until chance kills it. True when it had ended by itself before. */
async function killed(args: readonly string[], moment: Moment): Promise<boolean> {
  const child = command.start(args);
  const err = collect(child.stderr);
  const ended = new Promise<boolean>((resolve) => child.once('close', (code) => resolve(code === 0)));
  const kill = () => child.kill('SIGKILL');
  round = 0;
  const timer = 'ms' in moment ? setTimeout(kill, moment.ms) : undefined;
  if ('request' in moment) {
    onRequest = (before) => {
      if (before === moment.request) setImmediate(kill);
    };
  }
  const whole = await ended;
  onRequest = () => undefined;
  clearTimeout(timer);
  expect(err()).not.toMatch(/defect of this program/);
  return whole;
}

/** Some time after the start, or when that many requests have come in. */
type Moment = { readonly ms: number } | { readonly request: number };

test(`kill -9 at ${kills} moments`, { timeout: 60_000 + kills * 15_000 }, async () => {
  let inside = 0;
  for (let number = 1; number <= kills; number++) {
    const chance = openStream('kill', number);
    const moment = (): Moment =>
      chance.chance(0.5) ? { ms: chance.unit() * duration } : { request: chance.below(endpoint.steps) };
    const parent = out(number);
    const whole = await killed(startArguments(parent), moment());
    const folder = runIn(parent);
    if (folder === null) continue;
    // Every second run is killed once more while it is gone on with.
    for (const again of number % 2 === 0 ? [moment(), null] : [null]) {
      const known = recorded(folder);
      if (!whole && known.size > 0) inside++;
      const before = server.requests.length;
      const resume = ['resume', folder, '-c', '3', '--workers', '1'];
      if (again !== null) await killed(resume, again);
      else expect(await command.run(resume)).toMatchObject({ code: 0 });
      const asked = server.requests.slice(before).map(endpoint.stepOf);
      expect(
        asked.filter((step) => known.has(step)),
        `kill ${number}`,
      ).toEqual([]);
    }
    expect(await finalLines(folder), `kill ${number}`).toEqual(undisturbed);
    expect(readdirSync(folder).filter((name) => !files.includes(name))).toEqual([]);
  }
  // Otherwise this would have tested nothing.
  expect(inside).toBeGreaterThanOrEqual(Math.floor(kills / 4));
});

const files = ['configs', 'metadata.json', 'results.jsonl', 'steps.jsonl', 'traces.jsonl'];
