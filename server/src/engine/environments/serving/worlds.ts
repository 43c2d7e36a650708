/** The world of a scenario: what its episodes share. */
import { type BankingWorld, buildBankingWorld } from './banking/world.ts';
import { buildProducts, type Product } from './pitch/tasks.ts';
import { buildRetailWorld, type RetailWorld } from './retail/world.ts';
import { findScenario, type Scenario } from './scenarios.ts';

export type World =
  | { readonly domain: 'retail'; readonly retail: RetailWorld }
  | { readonly domain: 'banking'; readonly banking: BankingWorld }
  | { readonly domain: 'pitch'; readonly products: readonly Product[] };

/** Raised whenever the same split and index would give other bytes. */
export const GENERATOR_VERSION = 1;

/** So many worlds are kept: those of all scenarios and some to spare. */
const most = 16;
const known = new Map<string, World>();

/** What all random streams of a world's building begin with. */
export function worldKey({ id }: Pick<Scenario, 'id'>, edition: number): string {
  return `serving/${GENERATOR_VERSION}/${id}/${edition}`;
}

/** The world of a scenario and edition, made when it is first asked for. */
export function worldOf(scenario: Scenario, edition: number): World {
  const key = worldKey(scenario, edition);
  const ready = known.get(key);
  if (ready !== undefined) return ready;
  const world = buildWorld(scenario, key);
  if (known.size >= most) known.delete(known.keys().next().value ?? '');
  known.set(key, world);
  return world;
}

/** The world that an instance of ours plays in; undefined when there is no such scenario. */
export function worldFor(scenario: string, edition: number): World | undefined {
  const found = findScenario(scenario);
  return found === undefined ? undefined : worldOf(found, edition);
}

/** Builds a world anew. */
export function buildWorld({ domain, tier }: Scenario, key: string): World {
  switch (domain) {
    case 'retail':
      return { domain, retail: buildRetailWorld(key) };
    case 'banking':
      return { domain, banking: buildBankingWorld(key, tier) };
    case 'pitch':
      return { domain, products: buildProducts(key, tier) };
  }
}
