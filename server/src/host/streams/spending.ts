/** What streams have taken, by what it was taken for. */
import type { Usage } from '../../engine/environments/chat.ts';
import { dollarsOf, type RunPrices } from '../../engine/evals/prices.ts';
import { addTokens, noTokens, type Tokens, tokensOf } from './play-served.ts';
import type { EpisodeRow, LostLine } from './stream-file.ts';

/** `learning` is what methods asked a model for, `lost` what is in no row: of blocks and episodes that were begun again. */
export type Spending = Readonly<Record<'serving' | 'learning' | 'test' | 'lost' | 'judge', Tokens>>;

/** Adds up what rows say, and what is in none. */
export function spending(
  rows: readonly (Pick<EpisodeRow, 'phase'> & { readonly [field: string]: unknown })[],
  learning: Tokens,
  lost: readonly LostLine[] = [],
): Spending {
  const phase = (wanted: EpisodeRow['phase']) =>
    sumTokens(rows.filter((it) => it.phase === wanted).map((it) => it['tokens']));
  return {
    serving: phase('serving'),
    learning,
    test: phase('test'),
    lost: sumTokens(lost.map((it) => it.tokens)),
    judge: sumTokens([...rows, ...lost].map((it) => it['judge_tokens'])),
  };
}

/** In US dollars, the judge's share apart and in the sum; null where a price that it takes is not known. */
export function spentDollars(
  { judge, ...spent }: Spending,
  prices: RunPrices,
): { readonly all: number | null; readonly judge: number | null } {
  const usage = usageOf(Object.values(spent).reduce(addTokens, noTokens));
  const judged = usageOf(judge);
  const judgeUsage = judged === null ? {} : { judgeUsage: judged };
  return {
    all: dollarsOf(prices, { usage, ...judgeUsage }),
    judge: dollarsOf(prices, { usage: null, ...judgeUsage }),
  };
}

/** The sum of what is there; what is no count of tokens counts for nothing. */
export function sumTokens(list: readonly unknown[]): Tokens {
  return list.map(tokensOf).reduce(addTokens, noTokens);
}

/** Null when nothing was used. */
function usageOf({ input, output, cache_input, calls }: Tokens): Usage | null {
  return calls === 0 ? null : { input, output, cachedInput: cache_input };
}
