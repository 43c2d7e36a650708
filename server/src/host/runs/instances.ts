/** The instances that runs are played on, made ready in worker threads when their turn comes. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { canonicalJson } from '../../engine/evals/identity.ts';
import type { InstancePart, RunConfig } from '../../engine/evals/run-config.ts';
import type { InstanceSource } from '../../engine/evals/run-data.ts';
import { explain, Failure } from '../failure.ts';
import type { IndexedLine } from '../instance-tasks.ts';
import { inputName, readLineAt } from '../jsonl.ts';
import type { Pool } from '../pool.ts';
import type { Prepared, PrepareJob } from '../run-tasks.ts';

export interface Instances {
  /**
   * The instance, which must be as the run has it.
   *
   * @throws Failure when it cannot be had.
   */
  get(run: Pick<RunConfig, 'environment' | 'options'>, source: InstanceSource): Promise<Prepared>;
}

/** Instances kept ready: runs that are played side by side ask for the same ones one after another. */
const kept = 32;

/** @param files by path, where the instances of each file are; see {@link indexInstanceFile}. */
export function openInstances(
  pool: Pool,
  files: ReadonlyMap<string, ReadonlyMap<string, IndexedLine>>,
): Instances {
  const recent = new Map<string, Promise<Prepared>>();

  async function make(
    { environment, options }: Pick<RunConfig, 'environment' | 'options'>,
    source: InstanceSource,
  ): Promise<Prepared> {
    const from = 'file' in source ? await read(source.file, source.id) : source;
    const what = 'split' in from ? `${from.split} ${from.index}` : from.name;
    const prepared = await pool.run('prepare', { environment, options, from }, what);
    if (prepared.ok) return prepared.value;
    throw new Failure('run', prepared.error);
  }

  async function read(file: string, id: string): Promise<Extract<PrepareJob['from'], { name: string }>> {
    const place = files.get(file)?.get(id);
    if (place === undefined) throw new Failure('run', `${inputName(file)} holds no instance ${id}.`);
    return { name: `${file} line ${place.line}`, text: await readLineAt(file, place) };
  }

  return {
    get(run, source) {
      const key = canonicalJson([run.environment, run.options, source]);
      const ready = recent.get(key);
      if (ready !== undefined) return ready;
      const made = make(run, source);
      recent.set(key, made);
      made.catch(() => recent.delete(key));
      const [oldest] = recent.keys();
      if (recent.size > kept && oldest !== undefined) recent.delete(oldest);
      return made;
    },
  };
}

/** The files that runs take instances from, indexed. @throws Failure when one has changed since its run was begun. */
export async function indexParts(
  parts: readonly InstancePart[],
  pool: Pool,
): Promise<Map<string, ReadonlyMap<string, IndexedLine>>> {
  const indexed = new Map<string, ReadonlyMap<string, IndexedLine>>();
  for (const part of parts) {
    if (!('file' in part) || indexed.has(part.file)) continue;
    if ((await hashFile(part.file)) !== part.hash) {
      throw new Failure(
        'request',
        `${part.file} has changed since the run was begun, so the run cannot go on with it.`,
      );
    }
    indexed.set(part.file, (await indexInstanceFile(part.file, pool)).places);
  }
  return indexed;
}

/** Where each instance of a file is, in the order of the file, and sentences about all other lines. */
export async function indexInstanceFile(
  path: string,
  pool: Pool,
): Promise<{
  readonly environment: string | null;
  readonly places: ReadonlyMap<string, IndexedLine>;
  readonly problems: readonly string[];
}> {
  const { environment, instances, problems } = await pool.run('indexFile', { path }, path);
  return { environment, places: new Map(instances.map((line) => [line.id, line])), problems };
}

/** `sha256:` and the hash of a file's bytes. @throws Failure when it cannot be read. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
  } catch (error) {
    throw new Failure('request', `Cannot read ${path}: ${explain(error)}.`);
  }
  return `sha256:${hash.digest('hex')}`;
}
