/** Long work on many instances: workers, progress and problems, the same for every command. */

import type { Batch } from '../../host/batches.ts';
import { Failure } from '../../host/failure.ts';
import { mapOrdered } from '../../host/ordered.ts';
import { type JobOf, openPool, type ResultOf, type TaskName } from '../../host/pool.ts';
import { type Instances, nameBatch } from '../instances/selection.ts';
import type { Shell } from '../shell.ts';

/** See {@link Work.take}. */
export type Kept = <T>(ofEach: readonly T[]) => readonly T[];

export interface Work<K extends TaskName> {
  readonly task: K;
  /** For the progress bar. */
  readonly title: string;
  readonly instances: Instances;
  readonly workers: number;
  /** The message for one batch. */
  job(batch: Batch): JobOf<K>;
  /**
   * Receives the results in the order of the instances; the work waits for it.
   *
   * @param kept picks from a list with something for each instance of the result what counts: an instance that a file
   *   repeats does not.
   */
  take(result: ResultOf<K>, kept: Kept): Promise<void> | void;
}

/**
 * Gives the instances to the workers, batch by batch, and tells the person about progress and problems.
 *
 * An id that comes again in a file is a problem: figures over both would count one instance twice.
 *
 * @returns how many instances there were, those with problems left out.
 * @throws Failure when instances of different generators come together, since no figure may be taken over both.
 * @throws whatever ends a task or `take`, after the workers have been ended.
 */
export async function workThrough<K extends TaskName>(work: Work<K>, shell: Shell): Promise<number> {
  const { task, instances, workers } = work;
  const pool = openPool({ script: shell.worker, workers, signal: shell.signal });
  const progress = shell.progress(work.title, instances.total);
  const origins = new Set<string>();
  const seen = new Map<string, string>();
  let good = 0;
  let bad = 0;
  try {
    // One batch under way and one waiting for each worker: none is idle, and few results wait for their turn.
    const results = mapOrdered(instances.batches, workers * 2, (batch) =>
      pool.run(task, work.job(batch), nameBatch(batch)),
    );
    for await (const result of results) {
      for (const problem of result.problems) shell.problem(problem);
      for (const origin of result.origins) origins.add(origin);
      if (origins.size > 1) throw new Failure('run', mixed(instances.label, origins));
      const repeated = repetitions(result.read, seen);
      for (const sentence of repeated.values()) shell.problem(sentence);
      await work.take(result, (ofEach) => ofEach.filter((_, at) => !repeated.has(at)));
      good += result.instances - repeated.size;
      bad += result.problems.length + repeated.size;
      progress.update(good + bad);
    }
  } finally {
    await pool.close();
    progress.clear();
  }
  return good;
}

/**
 * Sentences about instances whose ids have been seen, by their position.
 *
 * @param seen the name of the line on which each id was first seen; added to.
 */
function repetitions(
  read: readonly { readonly id: string; readonly name: string }[],
  seen: Map<string, string>,
): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [at, { id, name }] of read.entries()) {
    const first = seen.get(id);
    if (first === undefined) seen.set(id, name);
    else found.set(at, `${name} repeats the instance ${id} of ${first}, so it was left out.`);
  }
  return found;
}

function mixed(label: string, origins: ReadonlySet<string>): string {
  return `${label} holds instances made by ${[...origins].join(' and by ')}, which are not comparable; work on each set apart.`;
}
