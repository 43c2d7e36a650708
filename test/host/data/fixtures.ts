/** A small data set on disk and behind an address of this machine, with a cache of its own. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { DataSet } from '../../../server/src/engine/environments/data-set.ts';

export const texts: Readonly<Record<string, string>> = {
  'a/one.txt': 'one\n',
  'a/two words.txt': 'two\n',
  'b/three.txt': 'drei – ü\n',
};

export const set: DataSet = {
  id: 'numbers',
  title: 'some numbers',
  origin: 'made for tests',
  commit: '0123456789abcdef0123456789abcdef01234567',
  address: 'https://data.example/{commit}',
  folder: 'deep/down',
  files: Object.entries(texts).map(([name, text]) => ({
    path: name,
    sha256: createHash('sha256').update(text).digest('hex'),
    bytes: Buffer.byteLength(text),
  })),
};

/** A folder that goes with the test. */
export function scratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hopscope-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files below `root`. */
export function lay(root: string, files: Readonly<Record<string, string>> = texts): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Sets variables of this process for one test. */
export function withVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    onTestFinished(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

export interface Source {
  /** Without a slash at its end. */
  readonly address: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
}

/** What a source answers; a number is a status without anything, null a connection that breaks. */
export type Answers = (path: string, before: number) => string | number | null;

/** Serves files on this machine. */
export async function startSource(answers: Answers): Promise<Source> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url ?? '');
    const before = asked.filter((it) => it === name).length;
    asked.push(name);
    const answer = answers(name, before);
    if (answer === null) request.socket.destroy();
    else if (typeof answer === 'number') response.writeHead(answer).end();
    else response.end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return { address: `http://127.0.0.1:${port}`, asked };
}
