/**
 * Runs `work` on items as they come, at most `window` at a time, and gives the results in the order of the items.
 *
 * The window is what bounds memory: a finished result that waits for an earlier one counts against it, so neither a
 * slow item nor a slow consumer lets results pile up.
 */
export async function* mapOrdered<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  window: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for await (const item of items) {
    const task = work(item);
    // A later task may fail while an earlier one is awaited; it is reported when its turn comes, or never.
    task.catch(() => undefined);
    running.push(task);
    if (running.length < window) continue;
    const first = running.shift();
    if (first) yield await first;
  }
  for (const task of running) yield await task;
}
