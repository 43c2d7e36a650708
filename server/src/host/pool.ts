/** Worker threads for long work, so that the thread that answers a person stays free and all cores are used. */
import { availableParallelism } from 'node:os';
import { pool, TerminateError } from 'workerpool';
import { errorCode, Failure } from './failure.ts';
import type * as instanceTasks from './instance-tasks.ts';
import type * as runTasks from './run-tasks.ts';
import type * as tallyTask from './runs/tally-task.ts';
import type * as tasks from './tasks.ts';
import type * as teachTask from './teach-task.ts';

/** The tasks by name, each a function of one message. */
type Tasks = BatchTasks & typeof instanceTasks & typeof runTasks & typeof tallyTask;
type BatchTasks = typeof tasks & typeof teachTask;
/** Those that take batches for a command. */
export type TaskName = keyof BatchTasks;
export type JobOf<K extends keyof Tasks> = Parameters<Tasks[K]>[0];
export type ResultOf<K extends keyof Tasks> = ReturnType<Tasks[K]>;

export interface Pool {
  readonly workers: number;
  /**
   * Runs a task in the next free worker. A `buffer` in the job moves to the worker and cannot be used here any more.
   *
   * @param what the instances worked on, for messages, e.g. `id_test 40-47`.
   * @throws Failure when the task fails or its worker dies; the reason of the signal once that has fired.
   */
  run<K extends keyof Tasks>(task: K, job: JobOf<K>, what: string): Promise<ResultOf<K>>;
  /** Ends the workers, whatever they are doing. */
  close(): Promise<void>;
}

export interface PoolSettings {
  /** Absolute path of the bundled worker. */
  readonly script: string;
  readonly workers: number;
  /** When it fires every unfinished task is rejected with its reason. */
  readonly signal?: AbortSignal;
}

/** Most workers started unless more are asked for: each takes some 50 MB, and a split is to stay under 300 MB. */
const defaultCap = 3;

/** As many workers as there are cores, within reason. */
export function defaultWorkers(): number {
  return Math.min(availableParallelism(), defaultCap);
}

/** Starts no thread yet: workers come with the first tasks. */
export function openPool({ script, workers, signal }: PoolSettings): Pool {
  const threads = pool(script, {
    workerType: 'thread',
    maxWorkers: workers,
    // Workers hold nothing that they would have to put away first; 0 would mean the default.
    workerTerminateTimeout: 1,
    // A large nursery makes garbage cheap, but each worker has its own.
    workerThreadOpts: { resourceLimits: { maxYoungGenerationSizeMb: 32 } },
  });
  const close = async () => {
    await threads.terminate(true);
  };
  // Closing rejects what is under way; `run` then tells why.
  const stop = () => void close();
  signal?.addEventListener('abort', stop, { once: true });
  return {
    workers,
    async run(task, job, what) {
      signal?.throwIfAborted();
      try {
        const transfer = 'buffer' in job && job.buffer ? [job.buffer] : [];
        return await new Promise<ResultOf<typeof task>>((resolve, reject) => {
          threads.exec(task, [job], { transfer }).then(resolve, reject);
        });
      } catch (error) {
        signal?.throwIfAborted();
        throw new Failure('run', explainCrash(error, what));
      }
    },
    async close() {
      signal?.removeEventListener('abort', stop);
      await close();
    },
  };
}

function explainCrash(error: unknown, what: string): string {
  if (!(error instanceof TerminateError)) {
    const message = error instanceof Error ? error.message : String(error);
    return `Work on ${what} failed, which is a defect of this program: ${message}.`;
  }
  if (errorCode(error.cause) === 'ERR_WORKER_OUT_OF_MEMORY') {
    return `A worker ran out of memory at ${what}; try fewer at once with --workers 1.`;
  }
  const reason = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `A worker stopped unexpectedly at ${what}${reason}; try again, or with --workers 1.`;
}
