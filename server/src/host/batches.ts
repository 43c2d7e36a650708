/** Batches of instances, as worker threads get them: what a job says, what every result says, and how one is gone through. */
import type { AnyInstance, Environment } from '../engine/environments/environment.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { findEnvironment } from './data/environments.ts';
import { parseInstance, unsoundness } from './instance-index.ts';

/** Which instances a task is about; a line is named as messages name it, e.g. `a.jsonl line 3`. */
export type Batch =
  | { readonly split: string; readonly indices: readonly number[] }
  | { readonly lines: readonly { readonly name: string; readonly text: string }[] };

export interface Job {
  readonly environment: string;
  /** As the user gave them; checked again in the worker, since checked options may not survive the way. */
  readonly options: unknown;
  readonly batch: Batch;
}

/** What every task answers. */
export interface TaskResult {
  /** Instances worked on, those with problems left out. */
  readonly instances: number;
  /** The same for lines of files, in order: each instance's id and the name of its line. Empty for splits. */
  readonly read: readonly { readonly id: string; readonly name: string }[];
  /** Which generators made them, each once. */
  readonly origins: readonly string[];
  /** Sentences, one for each instance that could not be worked on. */
  readonly problems: readonly string[];
}

/** An instance that is being worked on. */
export interface Visit {
  readonly environment: Environment;
  readonly options: unknown;
  readonly instance: AnyInstance;
  readonly generated?: { readonly attempts: number; readonly reasons: Readonly<Record<string, number>> };
}

/** Calls `visit` for every instance of the batch, in order, and says what every task's result says. */
export function forEachInstance(job: Job, visit: (it: Visit) => void): TaskResult {
  const environment = findEnvironment(job.environment);
  if (environment === undefined) throw new Error(`no environment ${job.environment}`);
  const options = environment.parseOptions(job.options);
  if (!options.ok) throw new Error(options.error);
  const { batch } = job;
  const problems: string[] = [];
  const origins = new Set<string>();
  const read: { id: string; name: string }[] = [];
  let instances = 0;
  const count = (it: Omit<Visit, 'environment' | 'options'>) => {
    instances++;
    const origin = environment.origin?.(it.instance);
    if (origin !== undefined) origins.add(origin);
    visit({ environment, options: options.value, ...it });
  };
  if ('lines' in batch) {
    for (const line of batch.lines) {
      const instance = readInstance(environment, line.text);
      if (instance.ok) {
        read.push({ id: instance.value.id, name: line.name });
        count({ instance: instance.value });
      } else problems.push(`${line.name} ${instance.error}.`);
    }
  } else {
    for (const index of batch.indices) {
      const generated = environment.generate(batch.split, index, options.value);
      if (generated.ok) count({ instance: generated.value.instance, generated: generated.value });
      else problems.push(`There is no instance ${index} of ${batch.split}: ${generated.error}.`);
    }
  }
  return { instances, read, origins: [...origins], problems };
}

/** A sound instance of a line, or an error that continues "line 3 …": one that validation rejects would make every figure wrong, so it is refused. */
function readInstance(environment: Environment, text: string): Checked<AnyInstance> {
  const instance = parseInstance(environment, text);
  if (!instance.ok) return instance;
  const reasons = unsoundness(environment, instance.value);
  if (reasons.length === 0) return accept(instance.value);
  return refuse(`holds ${instance.value.id}, which is not sound (${reasons.join(', ')}), so it was left out`);
}
