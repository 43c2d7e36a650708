/** The thread in which runs are read, summed up and compared, so that the one that answers the editor is never held. */
import { Worker } from 'node:worker_threads';
import type { RunProgress } from '../../engine/evals/panel/answers.ts';
import type { EnvironmentNote } from '../../engine/evals/panel/environment-note.ts';
import { Failure } from '../failure.ts';
import type { Comparisons } from './comparisons.ts';
import type { Panels } from './panels.ts';
import type { listStreams, memoryOf, viewStream } from './streams.ts';

type Service = Pick<Panels, 'open' | 'rows' | 'figures' | 'steps' | 'text' | 'transcript'> &
  Pick<Panels, 'verdicts' | 'context' | 'refresh' | 'close'> &
  Pick<Comparisons, 'compare' | 'flips' | 'parting'> &
  StreamService;

interface StreamService {
  stream(asked: Parameters<typeof viewStream>[1]): ReturnType<typeof viewStream>;
  memory(asked: Parameters<typeof memoryOf>[1]): ReturnType<typeof memoryOf>;
  streams(asked: Parameters<typeof listStreams>[0]): ReturnType<typeof listStreams>;
}

export type Question = keyof Service;
export type Params<Q extends Question> = Parameters<Service[Q]>[0];
export type Answer<Q extends Question> = Awaited<ReturnType<Service[Q]>>;

/** To the thread: a question, or the number of one that nobody waits for any more. */
export type ToThread =
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question; readonly params: unknown }
  | { readonly kind: 'cancel'; readonly id: number };

/** From the thread. An error that a person should read is a failure; any other is a defect. */
export type FromThread =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly message: string; readonly isFailure: boolean }
  | { readonly kind: 'progress'; readonly progress: RunProgress };

export interface PanelThread {
  /** @throws Failure when the answer is one; the reason of the signal once that has fired. */
  ask<Q extends Question>(question: Q, params: Params<Q>, signal?: AbortSignal): Promise<Answer<Q>>;
  /** Ends the thread, if there is one. The next question starts another one. */
  close(): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A thread that nobody asks anything for this long is ended, in ms: runs that are still open are opened again. */
const patience = 300_000;

/**
 * @param script the bundled thread
 * @param environments all that there are
 */
export function openPanelThread(
  script: URL,
  environments: readonly EnvironmentNote[],
  report: (progress: RunProgress) => void,
): PanelThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let asked = 0;

  function end(error: unknown): void {
    const ended = worker;
    worker = undefined;
    clearTimeout(idle);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    void ended?.terminate();
  }

  function start(): Worker {
    const started = new Worker(script, { workerData: environments });
    started.unref(); // the process ends without waiting for it
    started.on('message', (message: FromThread) => {
      if (message.kind === 'progress') {
        report(message.progress);
        return;
      }
      const waiter = waiting.get(message.id);
      waiting.delete(message.id);
      clearTimeout(idle);
      if (waiting.size === 0) idle = setTimeout(() => end(ended), patience).unref();
      if (message.kind === 'answer') waiter?.resolve(message.value);
      else if (message.isFailure) waiter?.reject(new Failure('run', message.message));
      else waiter?.reject(new Error(message.message));
    });
    const fail = (error: unknown) => {
      if (worker !== started) return;
      const why = error instanceof Error ? error.message : 'it ended';
      end(new Failure('run', `Reading the run stopped unexpectedly (${why}); open it again.`));
    };
    started.on('error', fail);
    started.on('exit', fail);
    return started;
  }

  function post(message: ToThread): void {
    worker ??= start();
    worker.postMessage(message);
  }

  return {
    ask<Q extends Question>(question: Q, params: Params<Q>, signal?: AbortSignal): Promise<Answer<Q>> {
      if (signal?.aborted) return Promise.reject(signal.reason);
      clearTimeout(idle);
      const id = ++asked;
      const answer = new Promise<Answer<Q>>((resolve, reject) => {
        waiting.set(id, { resolve: (value) => resolve(value as Answer<Q>), reject });
      });
      const cancel = () => {
        const waiter = waiting.get(id);
        waiting.delete(id);
        if (worker !== undefined) post({ kind: 'cancel', id });
        waiter?.reject(signal?.reason);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      post({ kind: 'ask', id, question, params });
      return answer.finally(() => signal?.removeEventListener('abort', cancel));
    },
    close: () => end(ended),
  };
}

const ended = new Failure('run', 'Reading the run was ended.');
