/** The database of an episode, whichever domain it is of. */
import type { BankingDatabase } from './banking/tables.ts';
import type { RetailDatabase } from './retail/tables.ts';

/** The world of an episode as it stands. */
export type EpisodeWorld =
  | { readonly domain: 'retail'; readonly db: RetailDatabase }
  | { readonly domain: 'banking'; readonly db: BankingDatabase }
  | { readonly domain: 'pitch' };
