/** Instances of files by their id, read when they are needed: a split does not have to fit into memory. */
import { stat } from 'node:fs/promises';
import type { AnyInstance, Environment } from '../engine/environments/environment.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { environments } from './data/environments.ts';
import { inputName, parseObject, readLineAt, readLines } from './jsonl.ts';

export interface InstanceIndex {
  readonly size: number;
  /** The instance of that id, or undefined. @throws Failure when its file cannot be read any more. */
  get(id: string): Promise<AnyInstance | undefined>;
}

/** Where the text of an instance is: in a file that can be read again, or here. */
type Place =
  | { readonly path: string; readonly offset: number; readonly length: number }
  | { readonly text: string };

/** Instances kept ready: recorded episodes come instance by instance more often than not. */
const kept = 16;

/**
 * Reads files of instances once and notes where each one is.
 *
 * @param problem told, in one sentence, of every line that is no instance and of every id that comes again (the first
 *   one counts).
 * @throws Failure when a file cannot be read.
 */
export async function indexInstances(
  environment: Environment,
  paths: readonly string[],
  problem: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<InstanceIndex> {
  const places = new Map<string, Place & { readonly where: string }>();
  for (const path of paths) {
    // Pipes give their bytes only once.
    const again = path !== '-' && (await stat(path).catch(() => undefined))?.isFile() === true;
    for await (const line of readLines(path, signal)) {
      signal?.throwIfAborted();
      const where = `${inputName(path)} line ${line.number}`;
      if (!line.ok) {
        problem(`${where} ${line.error}.`);
        continue;
      }
      const instance = parseInstance(environment, line.text);
      if (!instance.ok) problem(`${where} ${instance.error}.`);
      else {
        const { id } = instance.value;
        const { offset, length, text } = line;
        const first = places.get(id);
        if (first === undefined) places.set(id, { where, ...(again ? { path, offset, length } : { text }) });
        else problem(`${where} repeats the instance ${id} of ${first.where}, so it was left out.`);
      }
    }
  }
  const recent = new Map<string, AnyInstance>();
  return {
    size: places.size,
    async get(id) {
      const ready = recent.get(id);
      if (ready !== undefined) return ready;
      const place = places.get(id);
      if (place === undefined) return undefined;
      const text = 'text' in place ? place.text : await readLineAt(place.path, place);
      const instance = parseInstance(environment, text);
      if (!instance.ok) return undefined;
      const [oldest] = recent.keys();
      if (recent.size === kept && oldest !== undefined) recent.delete(oldest);
      recent.set(id, instance.value);
      return instance.value;
    },
  };
}

/**
 * Why an instance is not sound; empty when it is. Judged as it was recorded: to play under a lower ceiling than an
 * instance was made for is a fair question.
 */
export function unsoundness(environment: Environment, instance: AnyInstance): readonly string[] {
  const recorded = environment.parseOptions({});
  return recorded.ok ? environment.validate(instance, recorded.value) : [recorded.error];
}

/** The instance on a line; the error continues "line 3 …". */
export function parseInstance(environment: Environment, text: string): Checked<AnyInstance> {
  const raw = parseObject(text);
  if (!raw.ok) return raw;
  const instance = environment.parseInstance(raw.value);
  if (instance.ok) return accept(instance.value);
  const other = environmentOf(raw.value);
  return other === undefined || other.id === environment.id
    ? refuse(`is no ${environment.id} instance: ${instance.error}`)
    : refuse(`is an instance of ${other.id}, not of ${environment.id}`);
}

/** The environment whose instance is on a line; undefined when it is none, or only nearly one that no id gives away. */
export function recognizeEnvironment(text: string): Environment | undefined {
  const raw = parseObject(text);
  return raw.ok ? environmentOf(raw.value) : undefined;
}

/** The environment that takes an instance, else the one that gives such ids. */
function environmentOf(raw: Readonly<Record<string, unknown>>): Environment | undefined {
  const { id } = raw;
  return (
    environments.find((environment) => environment.parseInstance(raw).ok) ??
    (typeof id === 'string' ? environments.find((it) => (it.locate?.(id) ?? null) !== null) : undefined)
  );
}
