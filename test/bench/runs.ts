/** A file of traces of a gigabyte: how soon its first rows are there, and what it takes to know where all of them are. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundle } from '../../esbuild.mjs';
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

function writeTraces(file: string): void {
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

/** Opens the file in a process of its own, so that its memory is nobody else's. */
export async function runRows(): Promise<Row[]> {
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
