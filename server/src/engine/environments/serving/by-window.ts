/** Remembers what holds in a window: it is asked for with every task, and stays the same. */
import type { Tier } from './scenarios.ts';

/** The function, each of whose values is made once. Windows are from 0. */
export function byWindow<T>(make: (tier: Tier, window: number) => T): (tier: Tier, window: number) => T {
  const known = new Map<number, T>();
  return (tier, window) => {
    const key = window * 4 + tier;
    const ready = known.get(key);
    if (ready !== undefined) return ready;
    const made = make(tier, window);
    known.set(key, made);
    return made;
  };
}
