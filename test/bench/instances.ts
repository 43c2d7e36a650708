/** Instance documents of 128k tokens, through a real server process over its standard streams. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ServerProcess } from '../support/server-process.ts';
import { atMost, median, type Row } from './measure.ts';

/** Instances that are open at once. */
const OPEN = 10;

/** Hovers and definitions in each of them. */
const PLACES = 20;

/** Loaded before the server: collects garbage when the process is told to by a signal. */
const COLLECTOR = `data:text/javascript,${encodeURIComponent(`
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => { collect(); collect(); });
`)}`;

interface Opened {
  readonly uri: string;
  readonly text: string;
}

/** Opens the document of a fresh instance of the size, as an editor does. */
async function open(server: ServerProcess, index: number): Promise<Opened> {
  const located = await server.ask('hopscope/locateInstance', {
    environment: 'navigator',
    split: 'train',
    index,
    options: { doc_tokens: [128_000] },
  });
  if (!located.ok) throw new Error(located.error);
  const { uri } = located.value;
  const read = await server.ask('hopscope/readInstance', { uri });
  if (!read.ok) throw new Error(read.error);
  await server.open(uri, 'hopscope-instance', read.value);
  // The server has taken the text in once it has answered something about it.
  await server.connection.sendRequest('textDocument/documentLink', { textDocument: { uri } });
  return { uri, text: read.value };
}

/** Milliseconds until `answer` is there. */
async function timed(answer: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await answer();
  return performance.now() - start;
}

/** What an editor asks of a document that it has just opened: outline, folding and colours, at once. */
function firstAnswers({ connection }: ServerProcess, { uri }: Opened): Promise<number> {
  const params = { textDocument: { uri } };
  const methods = ['documentSymbol', 'foldingRange', 'semanticTokens/full'];
  return timed(() =>
    Promise.all(methods.map((method) => connection.sendRequest(`textDocument/${method}`, params))),
  );
}

/** Hover and definition at names all over the document. */
async function answersAtNames({ connection }: ServerProcess, { uri, text }: Opened): Promise<number[]> {
  const lines = text.split('\n');
  const entries = lines.flatMap((line, number) => (line.includes(' — Lead: ') ? [number] : []));
  const times: number[] = [];
  for (let i = 0; i < PLACES; i++) {
    const line = entries[Math.floor((i * entries.length) / PLACES)] ?? 0;
    const character = (lines[line] ?? '').indexOf(' — Lead: ') + ' — Lead: '.length + 1;
    const params = { textDocument: { uri }, position: { line, character } };
    for (const method of ['textDocument/hover', 'textDocument/definition']) {
      times.push(await timed(() => connection.sendRequest(method, params)));
    }
  }
  return times;
}

/** Resident size in MB after garbage has been collected (Linux). */
async function residentSize(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2');
  await delay(2000); // the collector does not say when it is done
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
}

/** Opens instances one after another in a fresh server. */
export async function instanceRows(): Promise<Row[]> {
  const server = await ServerProcess.spawn(['--import', COLLECTOR]);
  await server.initialize();
  const first: number[] = [];
  const later: number[] = [];
  for (let index = 0; index < OPEN; index++) {
    const opened = await open(server, 5000 + index);
    first.push(await firstAnswers(server, opened));
    later.push(...(await answersAtNames(server, opened)));
  }
  const resident = await residentSize(server.pid);
  await server.stop();
  return [
    atMost('open 128k: outline + folding + tokens, first in a server', first[0] ?? Number.NaN, 60, 'ms', 0),
    atMost('open 128k: outline + folding + tokens, median', median(first), 60, 'ms', 0),
    atMost('hover and definition in 128k, p95', percentile(later, 0.95), 2, 'ms'),
    atMost(`resident with ${OPEN} instances of 128k, collected`, resident, 150, 'MB', 0),
  ];
}
