/**
 * How many requests may be under way: adapts to what the endpoint bears, below a hard cap.
 *
 * It starts at the cap. A refusal for too many requests cuts it to {@link cut} of what was under way; the requests that
 * had been sent before the cut do not cut again, so that a burst counts once. Every full round of successes lets it
 * grow by a tenth. A request keeps its turn while it waits to be tried again: what the endpoint asks to wait is then
 * waited by all, without a word between them.
 */

/** What is left of the limit after a refusal. */
const cut = 0.7;
/** Share by which it grows after as many successes as the limit. */
const growth = 0.1;

export interface Turn {
  /** To be called exactly once, when the request is done with. */
  leave(): void;
}

export interface Limiter {
  /** Waits for a turn, first come first served; null when `signal` is aborted before one is free. */
  enter(signal: AbortSignal): Promise<Turn | null>;
  /** Marks the moment at which an attempt is sent: to be given back with its result. */
  mark(): number;
  succeeded(): void;
  /** The endpoint refused an attempt because there were too many. */
  refused(mark: number): void;
  /** Requests that may be under way now. */
  readonly limit: number;
  /** Requests that are. */
  readonly active: number;
}

/** @param cap at least 1 */
export function openLimiter(cap: number): Limiter {
  const most = Math.max(1, Math.floor(cap));
  const waiting = new Set<() => void>();
  let limit = most;
  let active = 0;
  let cuts = 0;
  let successes = 0;

  function admit(): void {
    for (const start of waiting) {
      if (active >= limit) return;
      waiting.delete(start);
      active++;
      start();
    }
  }

  const turn: Turn = {
    leave() {
      active--;
      admit();
    },
  };

  return {
    get limit() {
      return limit;
    },
    get active() {
      return active;
    },
    enter(signal) {
      if (signal.aborted) return Promise.resolve(null);
      if (active < limit && waiting.size === 0) {
        active++;
        return Promise.resolve(turn);
      }
      return new Promise((resolve) => {
        const start = () => {
          signal.removeEventListener('abort', give);
          resolve(turn);
        };
        const give = () => {
          waiting.delete(start);
          resolve(null);
        };
        signal.addEventListener('abort', give, { once: true });
        waiting.add(start);
      });
    },
    mark() {
      return cuts;
    },
    succeeded() {
      successes++;
      if (successes < limit || limit === most) return;
      successes = 0;
      limit = Math.min(most, limit + Math.max(1, Math.floor(limit * growth)));
      admit();
    },
    refused(mark) {
      successes = 0;
      if (mark !== cuts) return;
      cuts++;
      limit = Math.max(1, Math.floor(Math.min(limit, active) * cut));
    },
  };
}
