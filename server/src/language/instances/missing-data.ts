/** Whether an environment lacks the data that its instances are made from. */
import type { Environment } from '../../engine/environments/environment.ts';

/** The id of the data set that is not here; null when nothing is missing. Looks again each time until it is there. */
export function missingData(environment: Environment | undefined): string | null {
  if (environment?.data === undefined) return null;
  const [split] = environment.splits;
  const options = environment.parseOptions({});
  if (split === undefined || !options.ok) return null;
  return environment.listing?.(split.id, 0, options.value).ok === true ? null : environment.data.set.id;
}
