/** Every environment there is. Adding one adds one line here. */
import type { Environment } from './environment.ts';
import { inventory } from './inventory/index.ts';
import { logCompression } from './log-compression/index.ts';
import { navigator } from './navigator/index.ts';
import { serving } from './serving/index.ts';
import { twoHop } from './two-hop/index.ts';

/** In the order in which lists show them. */
export const environments: readonly Environment[] = [navigator, twoHop, logCompression, inventory, serving];

/** The environment of that id; undefined when there is none. */
export function findEnvironment(id: string): Environment | undefined {
  return environments.find((environment) => environment.id === id);
}
