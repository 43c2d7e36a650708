/** The time of this machine. */
import type { Clock } from '../../engine/evals/clock.ts';

/** Longest time a timer of Node keeps; longer ones would fire at once. */
const longest = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, longest));
      signal.addEventListener('abort', done, { once: true });
    });
  },
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, longest));
    return () => clearTimeout(timer);
  },
};
