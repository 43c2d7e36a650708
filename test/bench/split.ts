/** A whole split through the real command: memory and cores. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { atMost, type Row } from './measure.ts';

interface Finished {
  readonly seconds: number;
  /** Largest resident size seen, in MB; NaN where the system does not tell. */
  readonly peak: number;
}

/** Peak resident size of a process so far, in MB (Linux). */
function residentPeak(pid: number): number {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(line?.[1]) / 1024;
  } catch {
    return Number.NaN; // ended between two looks, or another system
  }
}

async function generate(workers: number): Promise<Finished> {
  const start = performance.now();
  const args = ['dist/cli.js', 'generate', '--split', 'train', '--no-audit', '--workers', String(workers)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let peak = Number.NaN;
  child.stdout.on('data', () => {
    const now = residentPeak(child.pid ?? 0);
    if (!(now <= peak)) peak = Number.isNaN(now) ? peak : now;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`hopscope generate ended with ${code}`);
  return { seconds: (performance.now() - start) / 1000, peak };
}

/** Generates the train split with one worker and with two. */
export async function splitRows(): Promise<Row[]> {
  const one = await generate(1);
  const two = await generate(2);
  return [
    atMost('generate train (2,000), peak resident', two.peak, 300, 'MB', 0),
    {
      what: 'generate train, 1 worker against 2',
      figure: `${one.seconds.toFixed(1)} s : ${two.seconds.toFixed(1)} s`,
      target: '2 faster',
      reached: two.seconds < one.seconds,
    },
  ];
}
