/** How long an editor waits: for a server that has just been started, and for the extension. */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundle } from '../../esbuild.mjs';
import { atMost, median, type Row } from './measure.ts';

/** Starts of each server. */
const STARTS = 15;

const request = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { processId: null, rootUri: null, capabilities: {} },
});

/** Milliseconds from starting `script` until it has answered that it is initialized. */
function timeOfInitialize(script: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, [script, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.on('error', reject);
    let answer = '';
    child.stdout.on('data', (data) => {
      answer += data;
      if (!answer.includes('"id":1')) return;
      const time = performance.now() - start;
      child.once('exit', () => resolve(time));
      child.kill();
    });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(request)}\r\n\r\n${request}`);
  });
}

/** Both servers as they ship: bundled and minified. They take turns. */
async function initializeRow(): Promise<Row> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-'));
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  const shipped = { outdir: folder, minify: true, sourcemap: false };
  await bundle('server', shipped);
  await bundle('server', { ...shipped, entryPoints: { only: 'test/bench/only-initialize.ts' } });
  const ours: number[] = [];
  const only: number[] = [];
  for (let round = -1; round < STARTS; round++) {
    const one = await timeOfInitialize(path.join(folder, 'only.js'));
    const other = await timeOfInitialize(path.join(folder, 'server.js'));
    if (round < 0) continue;
    only.push(one);
    ours.push(other);
  }
  fs.rmSync(folder, { recursive: true, force: true });
  const what = `initialize, against a server that only does that (${median(only).toFixed(0)} ms)`;
  return atMost(what, median(ours) / median(only), 1.3, 'x');
}

/** In a real workbench, if there can be one here. */
function activationRows(): Row[] {
  const { stdout } = spawnSync(process.execPath, ['test/bench/activation.mjs'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const times: unknown = JSON.parse(stdout || '[]');
  if (!Array.isArray(times) || times.length === 0) return [];
  return [atMost('activation, as VS Code shows it', median(times.map(Number)), 50, 'ms', 0)];
}

export async function serverRows(): Promise<Row[]> {
  return [await initializeRow(), ...activationRows()];
}
