/** Whether an environment lacks the data that its instances are made from. */
import { needsData } from '../../engine/environments/data-set.ts';
import type { Environment } from '../../engine/environments/environment.ts';

/** The id of the data set that is not here; null when nothing is missing. Looks again each time until it is there. */
export function missingData(environment: Environment | undefined): string | null {
  const data = environment?.data;
  if (environment === undefined || data === undefined) return null;
  const split = environment.splits.find(({ id }) => needsData(data, id));
  const options = environment.parseOptions({});
  if (split === undefined || !options.ok) return null;
  return environment.listing?.(split.id, 0, options.value).ok === true ? null : data.set.id;
}
