/** The command `hopscope` as its own process, built from the present sources. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bundled } from './bundles.ts';

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

interface Launch {
  readonly input?: string | Uint8Array;
  /** Whether standard input stays open for the test to write to. */
  readonly open?: boolean;
  /** Added to the environment; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface HopscopeCommand {
  /** A folder for the test's files. */
  readonly folder: string;
  /** What Node is to run. */
  readonly script: string;
  /** Writes a file into the folder and gives its path. */
  file(name: string, content: string | Uint8Array): string;
  /** Runs a command line to its end. */
  run(args: readonly string[], launch?: Launch): Promise<Finished>;
  /** The same for another program, e.g. a shell that starts the command. */
  runProgram(program: string, args: readonly string[], launch?: Launch): Promise<Finished>;
  /** Starts a command line; its standard output is not read yet. */
  start(args: readonly string[], launch?: Launch): ChildProcess;
  remove(): void;
}

/** The command as the present sources have it, and a folder of its own. */
export async function buildCommand(): Promise<HopscopeCommand> {
  const folder = mkdtempSync(join(tmpdir(), 'hopscope-'));
  const script = join(await bundled('cli', 'worker'), 'cli.js');
  const startProgram = (program: string, args: readonly string[], { input, open, env }: Launch = {}) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, COLUMNS: undefined, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // A process that does not read its input closes the pipe.
    child.stdin.on('error', () => undefined);
    if (!open) child.stdin.end(input ?? '');
    return child;
  };
  const start = (args: readonly string[], launch?: Launch) =>
    startProgram(process.execPath, [script, ...args], launch);
  const finish = async (child: ChildProcess): Promise<Finished> => {
    const [out, err] = [collect(child.stdout), collect(child.stderr)];
    const [code, signal] = await once(child, 'close');
    return { code, signal, out: out(), err: err() };
  };
  return {
    folder,
    script,
    file(name, content) {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    },
    start,
    run: (args, launch) => finish(start(args, launch)),
    runProgram: (program, args, launch) => finish(startProgram(program, args, launch)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Gathers what a stream gives; the result tells it so far. */
export function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** The objects on lines of JSON. */
export function parseLines(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Fails when a person would see the inside of the program: a stack, or the message for a defect. */
export function expectNoCrash({ err, signal }: Finished): void {
  expect(err).not.toMatch(/^\s+at |node:internal|\[object|defect of this program|Error:/m);
  expect(signal).toBeNull();
}
