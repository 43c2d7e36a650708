/** A clock that tests turn by hand: sleeping takes no time, and timers fire when they are told to. */
import type { Clock } from '../../server/src/engine/evals/clock.ts';

export interface FakeClock extends Clock {
  /** Every sleep so far, in ms. */
  readonly slept: readonly number[];
  /** Timers that have neither fired nor been stopped. */
  readonly timers: number;
  /** Lets time pass: timers that are due fire, in order. */
  advance(ms: number): void;
  /** Resolves as soon as there are so many timers. */
  untilTimers(count: number): Promise<void>;
}

/** @param start ms since 1970 */
export function fakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  const slept: number[] = [];
  const timers = new Set<{ readonly due: number; readonly run: () => void }>();
  const watchers = new Set<() => void>();
  return {
    slept,
    get timers() {
      return timers.size;
    },
    now: () => now,
    sleep(ms) {
      slept.push(ms);
      now += ms;
      return Promise.resolve();
    },
    after(ms, run) {
      const timer = { due: now + ms, run };
      timers.add(timer);
      for (const watch of watchers) watch();
      return () => timers.delete(timer);
    },
    advance(ms) {
      now += ms;
      const due = [...timers].filter((timer) => timer.due <= now).sort((a, b) => a.due - b.due);
      for (const timer of due) {
        if (timers.delete(timer)) timer.run();
      }
    },
    untilTimers(count) {
      return new Promise((resolve) => {
        const watch = () => {
          if (timers.size < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      });
    },
  };
}
