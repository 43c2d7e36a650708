/** What the bank does: as its documents state it, and as it holds in a window. */
import { byWindow } from '../by-window.ts';
import type { Tier } from '../scenarios.ts';

export interface BankingPolicy {
  /** Most dollars that a transaction of a category may have; categories without a limit are not listed. */
  readonly limits: Readonly<Record<string, number>>;
  /** Categories that are not paid overseas. */
  readonly corridor: readonly string[];
  /** Most dollars approved in one day, this transaction included; null for no such rule. */
  readonly daily: number | null;
  /** Highest credit limit. */
  readonly cap: number;
  /** Transfers to payees added less than 30 days ago are reviewed above this amount; null for no such rule. */
  readonly newPayeeAbove: number | null;
  /** Transfers above this amount are reported. */
  readonly reporting: number;
  /** Whether accounts with basic verification may buy gift cards. */
  readonly basicGiftCards: boolean;
  /** How many payees of the roster are restricted. */
  readonly restricted: number;
}

/** The rules as documents state them. */
export function documentedBanking(tier: Tier): BankingPolicy {
  return {
    limits: tier === 1 ? { electronics: 500 } : { electronics: 500, travel: 1200 },
    corridor: [],
    daily: null,
    cap: tier === 1 ? 5000 : 4200,
    newPayeeAbove: tier === 1 ? null : 0,
    reporting: 8000,
    basicGiftCards: true,
    restricted: 0,
  };
}

const electronics: readonly (readonly number[])[] = [
  [650, 650, 650, 650],
  [650, 460, 460, 460, 460],
  [650, 460, 460, 650, 650, 650],
];

const travel: readonly (readonly number[])[] = [
  [],
  [900, 900, 900, 1150, 1150],
  [900, 900, 900, 1150, 1150, 900],
];

const corridors: readonly (readonly (readonly string[])[])[] = [
  [[], ['jewelry'], ['jewelry'], ['jewelry']],
  [
    ['jewelry'],
    ['jewelry'],
    ['jewelry', 'electronics'],
    ['jewelry', 'electronics'],
    ['jewelry', 'electronics'],
  ],
  [['jewelry'], ['jewelry'], ['electronics'], ['electronics'], ['jewelry'], []],
];

const caps: readonly (readonly number[])[] = [
  [5000, 5000, 5000, 5000],
  [4200, 4200, 4200, 4200, 3800],
  [4200, 3800, 3800, 3800, 4200, 4200],
];

const dailies: readonly (readonly (number | null)[])[] = [
  [null, null, null, null],
  [2000, 2000, 2000, 2000, 2000],
  [2000, 2000, 2000, 2000, 1700, 1700],
];

const newPayees: readonly (readonly (number | null)[])[] = [
  [null, null, null, null],
  [6500, 6500, 6500, 6500, 6500],
  [6500, 6500, 7200, 7200, 7200, 7200],
];

const rosters: readonly (readonly number[])[] = [[3, 3, 3, 5], [], []];

/** The rules that hold in a window, from 0. */
export const bankingPractice = byWindow((tier, window): BankingPolicy => {
  const documented = documentedBanking(tier);
  const at = <T>(table: readonly (readonly T[])[], otherwise: T): T => table[tier - 1]?.[window] ?? otherwise;
  return {
    ...documented,
    limits: {
      electronics: at(electronics, 500),
      ...(tier === 1 ? {} : { travel: at(travel, 1200) }),
    },
    corridor: at(corridors, []),
    daily: dailies[tier - 1]?.[window] ?? null,
    cap: at(caps, documented.cap),
    newPayeeAbove: newPayees[tier - 1]?.[window] ?? null,
    basicGiftCards: tier !== 1,
    restricted: at(rosters, 0),
  };
});

export type BankingRule =
  | 'electronics'
  | 'travel'
  | 'corridor'
  | 'daily'
  | 'cap'
  | 'newPayee'
  | 'giftCards'
  | 'restricted';

/** What a rule comes to under a policy, for comparing two of them. */
function ruleValue(policy: BankingPolicy, rule: BankingRule): string {
  switch (rule) {
    case 'electronics':
    case 'travel':
      return String(policy.limits[rule]);
    case 'corridor':
      return policy.corridor.join();
    case 'newPayee':
      return String(policy.newPayeeAbove);
    case 'giftCards':
      return String(policy.basicGiftCards);
    default:
      return String(policy[rule]);
  }
}

const bankingRules: readonly BankingRule[] = [
  'electronics',
  'travel',
  'corridor',
  'daily',
  'cap',
  'newPayee',
  'giftCards',
  'restricted',
];

/** Rules of a window that differ from the documents. */
export const hiddenBankingRules = byWindow((tier, window): BankingRule[] => {
  const documented = documentedBanking(tier);
  const practice = bankingPractice(tier, window);
  return bankingRules.filter((rule) => ruleValue(practice, rule) !== ruleValue(documented, rule));
});

/** Rules that are not what they were in the window before. */
export const changedBankingRules = byWindow((tier, window): BankingRule[] => {
  if (window === 0) return [];
  const before = bankingPractice(tier, window - 1);
  const now = bankingPractice(tier, window);
  return bankingRules.filter((rule) => ruleValue(before, rule) !== ruleValue(now, rule));
});

/** Rules that differed in an earlier window and are as documented now. */
export const reopenedBankingRules = byWindow((tier, window): BankingRule[] => {
  const now = new Set(hiddenBankingRules(tier, window));
  const earlier = Array.from({ length: window }, (_, before) => hiddenBankingRules(tier, before)).flat();
  return [...new Set(earlier)].filter((rule) => !now.has(rule));
});
