/** What runs of other programs may be broken down by. Apart from what reads them: it loads every environment. */
import { environments } from '../environments/registry.ts';

/** By the ids of all environments, what figures may be broken down by. */
export function knownGroupings(): readonly string[] {
  return [...new Set(environments.flatMap(({ groupings = [] }) => groupings.map(({ id }) => id)))];
}
