/** Many requests under few signals. */

/** What is to be called when a signal is aborted, by signal: each has one listener, however many requests it stops. */
const watched = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `run` when `signal` is aborted, unless the function it gives back is called before. An event target with many
 * listeners makes Node warn of a leak, and a run asks for hundreds of replies under one signal.
 *
 * @param signal not aborted yet
 */
function onAbort(signal: AbortSignal, run: () => void): () => void {
  let runs = watched.get(signal);
  if (runs === undefined) {
    const all = new Set<() => void>();
    runs = all;
    watched.set(signal, all);
    const callAll = () => {
      for (const each of all) each();
    };
    signal.addEventListener('abort', callAll, { once: true });
  }
  const added = runs;
  added.add(run);
  return () => added.delete(run);
}

/**
 * One signal for two, until `detach` is called. `AbortSignal.any` keeps what it made alive as long as its sources on
 * some versions of Node.
 */
export function either(
  a: AbortSignal,
  b: AbortSignal,
): { readonly signal: AbortSignal; readonly detach: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (a.aborted || b.aborted) {
    abort();
    return { signal: controller.signal, detach: () => {} };
  }
  const stops = [onAbort(a, abort), onAbort(b, abort)];
  const detach = () => {
    for (const stop of stops) stop();
  };
  return { signal: controller.signal, detach };
}
