/**
 * Results of a gigabyte, all the way through the server: from the request to the first rows, what the process takes while it
 * reads the rest, and how long others wait for it meanwhile.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunProgress } from '../../server/src/protocol.ts';
import { ServerProcess } from '../support/server-process.ts';
import { atMost, percentile, type Row, untargeted } from './measure.ts';
import { writeTraces } from './runs.ts';

const query = { sort: 'task', descending: false, outcomes: [], causes: [], groups: {}, text: '' };

export async function resultRows(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hopscope-bench-'));
  const server = await ServerProcess.start();
  try {
    writeTraces(path.join(folder, 'traces.jsonl'));
    const run = pathToFileURL(folder).href;
    const whole = new Promise<RunProgress>((resolve) => {
      server.connection.onNotification('hopscope/results/progress', (progress: RunProgress) => {
        if (progress.isComplete) resolve(progress);
      });
    });
    await server.ask('hopscope/environments', null); // an editor has asked for something long before
    const began = performance.now();
    await server.ask('hopscope/results/open', { run });
    const page = await server.ask('hopscope/results/rows', { run, query, from: 0, count: 50 });
    const first = performance.now() - began;
    if (!page.ok || page.value.rows.length === 0) throw new Error('no rows');
    let isRead = false;
    const read = whole.then(({ episodes }) => {
      isRead = true;
      return { episodes, ms: performance.now() - began };
    });
    const waits: number[] = [];
    while (!isRead) {
      const asked = performance.now();
      await server.ask('hopscope/environments', null);
      waits.push(performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const { episodes, ms } = await read;
    const figures = await server.ask('hopscope/results/figures', { run });
    if (!figures.ok) throw new Error(figures.error);
    return [
      atMost('1 GB of results through the server: first rows', first, 300, 'ms', 0),
      untargeted(`1 GB of results through the server: all ${episodes} episodes summed up`, ms, 'ms', 0),
      atMost(
        '1 GB of results through the server: other requests meanwhile, 95 of 100 within',
        percentile(waits, 0.95),
        16,
        'ms',
      ),
      ...residentRow(server.pid),
    ];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The largest size the process ever had, where the system tells. */
function residentRow(pid: number): Row[] {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    if (kilobytes === undefined) return [];
    const what = '1 GB of results through the server: largest resident size, the server itself included';
    return [atMost(what, Number(kilobytes) / 1024, 250, 'MB', 0)];
  } catch {
    return [];
  }
}
