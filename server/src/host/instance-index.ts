/** Instances of files by their id, read when they are needed: a split does not have to fit into memory. */
import { stat } from 'node:fs/promises';
import type { AnyInstance, Environment } from '../engine/environments/environment.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
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
  const places = new Map<string, Place>();
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
      else if (places.has(instance.value.id)) problem(`${where} repeats the instance ${instance.value.id}.`);
      else {
        const { offset, length, text } = line;
        places.set(instance.value.id, again ? { path, offset, length } : { text });
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

/** The instance on a line; the error continues "line 3 …". */
export function parseInstance(environment: Environment, text: string): Checked<AnyInstance> {
  const raw = parseObject(text);
  if (!raw.ok) return raw;
  const instance = environment.parseInstance(raw.value);
  return instance.ok ? accept(instance.value) : refuse(`is no ${environment.id} instance: ${instance.error}`);
}
