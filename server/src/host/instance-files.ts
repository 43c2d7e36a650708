/**
 * Files of instances that a person has opened: indexed in a worker thread, read line by line when an instance is
 * wanted, indexed again when they have changed. Never loaded whole.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyInstance, Environment } from '../engine/environments/environment.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { findEnvironment } from './data/environments.ts';
import { explain, Failure } from './failure.ts';
import { parseInstance } from './instance-index.ts';
import type { IndexedLine } from './instance-tasks.ts';
import { readLineAt } from './jsonl.ts';
import { openPool } from './pool.ts';

export interface IndexedFile {
  /** On disk. */
  readonly path: string;
  readonly environment: Environment;
  readonly instances: readonly IndexedLine[];
  /** Sentences about lines that are no instance. */
  readonly problems: readonly string[];
}

export interface InstanceFiles {
  /** What is in the file at a `file:` address; the error is a sentence. */
  index(uri: string): Promise<Checked<IndexedFile>>;
  /** The instance of that id in it; the error is a sentence. */
  read(
    uri: string,
    id: string,
  ): Promise<Checked<{ readonly environment: Environment; readonly instance: AnyInstance }>>;
}

/** Largest file that is looked into, in GB: thousands of large instances, read in some seconds. */
const most = 2;

interface Known {
  /** Differs when the file has changed. */
  readonly signature: string;
  readonly index: Promise<Checked<IndexedFile>>;
}

/**
 * @param script absolute path of the bundled worker.
 * @param signal when it fires, reading ends and has failed.
 */
export function createInstanceFiles(script: string, signal?: AbortSignal): InstanceFiles {
  const files = new Map<string, Known>();

  async function index(uri: string): Promise<Checked<IndexedFile>> {
    const file = pathOf(uri);
    if (file === undefined) return refuse(`Only files on a disk can be opened, and ${uri} is none.`);
    const signature = await signatureOf(file);
    if (!signature.ok) {
      files.delete(uri);
      return signature;
    }
    const known = files.get(uri);
    if (known?.signature === signature.value) return known.index;
    const fresh = { signature: signature.value, index: indexNow(file, script, signal) };
    files.set(uri, fresh);
    return fresh.index;
  }

  return {
    index,
    async read(uri, id) {
      const indexed = await index(uri);
      if (!indexed.ok) return indexed;
      const { path: file, environment, instances } = indexed.value;
      const place = instances.find((one) => one.id === id);
      if (place === undefined) return refuse(`${path.basename(file)} holds no instance ${id} any more.`);
      try {
        const instance = parseInstance(environment, await readLineAt(file, place));
        if (instance.ok) return accept({ environment, instance: instance.value });
        return refuse(`Line ${place.line} of ${path.basename(file)} ${instance.error}.`);
      } catch (error) {
        return refuse(sentenceOf(error));
      }
    },
  };
}

function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined; // e.g. with a host on a system that has none
  }
}

async function signatureOf(file: string): Promise<Checked<string>> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) return refuse(`${file} is no file.`);
    // So are files whose bytes the system makes up as they are read: reading one may wait for ever.
    if (stats.size === 0) return refuse(`${path.basename(file)} holds no instance. It is empty.`);
    if (stats.size > most * 2 ** 30) {
      return refuse(`${path.basename(file)} is larger than ${most} GB, so it was not read.`);
    }
    return accept([stats.mtimeMs, stats.size, stats.ino].join(' '));
  } catch (error) {
    return refuse(`${path.basename(file)} cannot be read: ${explain(error)}.`);
  }
}

/** A pool of its own each time: idle workers would hold memory that the editor can use better. */
async function indexNow(
  file: string,
  script: string,
  signal: AbortSignal | undefined,
): Promise<Checked<IndexedFile>> {
  const pool = openPool({ script, workers: 1, ...(signal ? { signal } : {}) });
  try {
    const { environment: id, instances, problems } = await pool.run('indexFile', { path: file }, file);
    const environment = id === null ? undefined : findEnvironment(id);
    if (environment === undefined) {
      return refuse(`${path.basename(file)} holds no instance. ${problems[0] ?? 'It is empty.'}`);
    }
    return accept({ path: file, environment, instances, problems });
  } catch (error) {
    return refuse(sentenceOf(error));
  } finally {
    await pool.close();
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  return `Something went wrong: ${error instanceof Error ? error.message : String(error)}.`;
}
