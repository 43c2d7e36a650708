/** Work on the network that ends in time, whatever happens below it. */
import type { Clock } from '../../engine/evals/clock.ts';
import { AttemptError, type AttemptFailure } from './attempt.ts';
import { networkFailure } from './network-failure.ts';

export interface Deadline {
  readonly clock: Clock;
  /** From the beginning to the end of the work. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type Failed = { readonly failure: AttemptFailure };

/**
 * Does `work`, whose signal is aborted when time is up or the caller's signal is. Never rejects, and does not wait for
 * work that does not heed its signal: a failed attempt always gives its connection back.
 */
export async function withDeadline<T>(
  { clock, timeoutMs, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Failed> {
  const controller = new AbortController();
  let cleanUp = () => {};
  const ended = new Promise<Failed>((resolve) => {
    const cancel = () => resolve({ failure: cancelled });
    const stopTimer = clock.after(timeoutMs, () => resolve({ failure: timeout(timeoutMs) }));
    signal.addEventListener('abort', cancel, { once: true });
    cleanUp = () => {
      stopTimer();
      signal.removeEventListener('abort', cancel);
    };
    if (signal.aborted) cancel();
  });
  const done = work(controller.signal).catch((error): Failed => {
    return { failure: error instanceof AttemptError ? error.failure : networkFailure(error) };
  });
  const result = await Promise.race([ended, done]);
  cleanUp();
  if (typeof result === 'object' && result !== null && 'failure' in result) controller.abort();
  return result;
}

export const cancelled: AttemptFailure = {
  code: 'cancelled',
  message: 'Stopped on request.',
  retriable: true,
};

function timeout(ms: number): AttemptFailure {
  return { code: 'timeout', message: `No complete answer after ${ms / 1000} s.`, retriable: true };
}
