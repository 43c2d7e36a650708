/** Makes one instance in a worker thread of its own: it may take seconds, or come to nothing. */
import type { AnyInstance } from '../engine/environments/environment.ts';
import type { Checked } from '../engine/problem.ts';
import type { MakeJob } from './instance-tasks.ts';
import { openPool } from './pool.ts';

/**
 * @param script absolute path of the bundled worker.
 * @returns the error is half a sentence.
 * @throws the reason of the signal once that has fired; Failure when the worker dies.
 */
export async function makeInstance(
  script: string,
  job: MakeJob,
  signal: AbortSignal,
): Promise<Checked<AnyInstance>> {
  const pool = openPool({ script, workers: 1, signal });
  try {
    return await pool.run('makeInstance', job, `${job.split} ${job.index}`);
  } finally {
    await pool.close();
  }
}
