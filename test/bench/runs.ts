/**
 * Runs: what playing and keeping episodes adds to asking for their replies, and a file of traces of a gigabyte: how soon its
 * first rows are there, and what it takes to know where all of them are.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { bundle } from '../../esbuild.mjs';
import { startEndpoint } from './endpoint.ts';
import { atMost, type Row, untargeted } from './measure.ts';

const size = 2 ** 30;

/** An episode of eight steps with prompts of 15,000 characters, as a stateless agent leaves it. */
function episode(number: number): object {
  const task = {
    type: 'T',
    data: { instance_id: `i-${number}`, n_hops: 2 },
    key: `i-${number}`,
    hash: `${number}`,
  };
  const message = (role: string, content: string) => ({
    message: { role, content },
    sampled: role === 'assistant',
  });
  const traces = Array.from({ length: 8 }, (_, step) => ({
    version: 1,
    id: `${number}-${step}`,
    task,
    nodes: [
      message('system', 'rules '.repeat(500)),
      message('user', 'line\n'.repeat(2400)),
      message('assistant', 'READ 1'),
    ],
    calls: [{ node: 2, usage: { prompt_tokens: 3000, completion_tokens: 100 } }],
    rewards: { reward: { score: 0.95, weight: 1 } },
    metrics: { correct: 1 },
    stop_condition: 'answered',
    errors: [],
  }));
  return {
    id: `e-${number}`,
    ok: true,
    env: { id: 'navigator', name: 'navigator' },
    task,
    errors: [],
    traces,
  };
}

/** Writes a file of traces of {@link size} bytes. */
export function writeTraces(file: string): void {
  const handle = openSync(file, 'w');
  for (let number = 0, written = 0; written < size; number++) {
    written += writeSync(handle, `${JSON.stringify(episode(number))}\n`);
  }
  closeSync(handle);
}

interface Measured {
  readonly count: number;
  readonly first: number;
  readonly whole: number;
  readonly resident: number;
}

export async function runRows(): Promise<Row[]> {
  return [await overheadRow(), ...(await fileRows())];
}

const episodes = 300;
const concurrency = 64;
const prompt = 'prompts/navigator/navigator.step.md';

/** A whole run through the command, generation of its instances included, against a loop that asks the same and keeps nothing. */
async function overheadRow(): Promise<Row> {
  const { baseUrl, close } = await startEndpoint();
  const folder = mkdtempSync(path.join(tmpdir(), 'hopscope-bench-'));
  try {
    const model = ['-m', 'm', '--base-url', baseUrl, '-c', String(concurrency)];
    const asked = ['-s', 'id_test', '-n', String(episodes), '--out', folder, '--json'];
    const began = performance.now();
    const child = spawn(process.execPath, ['dist/cli.js', 'eval', prompt, ...model, ...asked], {
      stdio: 'ignore',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`hopscope eval ended with ${code}`);
    const run = performance.now() - began;
    const conversations = questionsOf(path.join(folder, readdirSync(folder)[0] ?? '', 'traces.jsonl'));
    const requests = conversations.reduce((sum, questions) => sum + questions.length, 0);
    const bare = await askAll(baseUrl, conversations);
    const what = `${episodes} episodes (${requests} requests) to an instant endpoint, ${concurrency} at a time, to the openai package alone`;
    return atMost(what, run / bare, 1.3, '×');
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
}

type Questions = readonly ChatCompletionMessageParam[][];

/** What was asked in each episode, step by step. */
function questionsOf(file: string): readonly Questions[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const { traces }: { traces: { nodes: { sampled: boolean; message: ChatCompletionMessageParam }[] }[] } =
      JSON.parse(line);
    return traces.map(({ nodes }) => nodes.filter(({ sampled }) => !sampled).map(({ message }) => message));
  });
}

/** Ms for asking all of it through the package, the steps of an episode one after the other. */
async function askAll(baseURL: string, conversations: readonly Questions[]): Promise<number> {
  const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  const sampling = { model: 'm', temperature: 0.8, top_p: 0.95, max_tokens: 512 };
  const queue = conversations.values();
  const loop = async () => {
    for (const questions of queue) {
      for (const messages of questions) await client.chat.completions.create({ ...sampling, messages });
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: concurrency }, loop));
  return performance.now() - began;
}

/** Opens the file in a process of its own, so that its memory is nobody else's. */
async function fileRows(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hopscope-bench-'));
  try {
    const file = path.join(folder, 'traces.jsonl');
    writeTraces(file);
    await bundle('cli', {
      entryPoints: { rows: 'test/bench/rows.ts' },
      outdir: 'out/bench',
      sourcemap: false,
    });
    const out = execFileSync(process.execPath, ['out/bench/rows.js', file], { encoding: 'utf8' });
    const measured: Measured = JSON.parse(out);
    return [
      atMost('1 GB of traces: first 50 rows', measured.first, 300, 'ms', 0),
      untargeted(`1 GB of traces: all ${measured.count} rows found`, measured.whole, 'ms', 0),
      atMost('1 GB of traces: largest resident size', measured.resident, 250, 'MB', 0),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
