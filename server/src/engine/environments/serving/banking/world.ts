/** The bank's accounts, merchants and payees: the part of its database that all episodes of a scenario share. */
import { openStream, type Stream } from '../../../random/stream.ts';
import { firstNames, lastNames } from '../people.ts';
import type { Phase, Tier } from '../scenarios.ts';
import {
  jurisdictions,
  merchantEndings,
  merchantFronts,
  payeeEndings,
  payeeFronts,
  payeeTypes,
} from './names.ts';
import { type Account, type Merchant, merchantCategories, type Payee } from './tables.ts';

export interface BankingWorld {
  readonly accounts: Readonly<Record<string, Account>>;
  readonly merchants: Readonly<Record<string, Merchant>>;
  readonly payees: Readonly<Record<string, Payee>>;
  readonly accountsOf: Readonly<Record<Phase, readonly Account[]>>;
  readonly merchantsOf: Readonly<Record<Phase, readonly Merchant[]>>;
  readonly allPayees: readonly Payee[];
}

/** The first payees of every world are those that may come to be restricted. */
const rosterSize = 5;

/** The ids of the restricted payees: the first so many of the roster. */
export function restrictedPayees(
  payees: Readonly<Record<string, Payee>>,
  count: number,
): ReadonlySet<string> {
  const ids = new Set<string>();
  if (count === 0) return ids;
  for (const id in payees) {
    ids.add(id);
    if (ids.size === count) break;
  }
  return ids;
}

/** Builds the world of a scenario: a pure function of its key. */
export function buildBankingWorld(key: string, tier: Tier): BankingWorld {
  const stream = openStream('banking-world', key);
  const number = distinct(stream);
  const accounts = Array.from({ length: 360 }, () => buildAccount(stream, number, tier));
  const merchants = buildMerchants(stream, number);
  const payees = buildPayees(stream, number, tier);
  const half = <T>(list: readonly T[], parity: number) => list.filter((_, at) => at % 2 === parity);
  const pairs = <T>(list: readonly T[], parity: number) => list.filter((_, at) => (at >> 1) % 2 === parity);
  return {
    accounts: Object.fromEntries(accounts.map((it) => [it.account_id, it])),
    merchants: Object.fromEntries(merchants.map((it) => [it.merchant_id, it])),
    payees: Object.fromEntries(payees.map((it) => [it.payee_id, it])),
    accountsOf: { serving: half(accounts, 0), test: half(accounts, 1) },
    merchantsOf: { serving: pairs(merchants, 0), test: pairs(merchants, 1) },
    allPayees: payees,
  };
}

type Numbers = (from: number, to: number) => number;

function distinct(stream: Stream): Numbers {
  const seen = new Set<number>();
  return (from, to) => {
    for (;;) {
      const value = stream.between(from, to);
      if (seen.has(value)) continue;
      seen.add(value);
      return value;
    }
  };
}

function buildAccount(stream: Stream, number: Numbers, tier: Tier): Account {
  return {
    account_id: `ACC-${number(100_000, 999_999)}`,
    holder: `${stream.pick(firstNames)} ${stream.pick(lastNames)}`,
    state: stream.pick(['OR', 'WI', 'ID', 'OH', 'CO', 'VA', 'AZ', 'NY']),
    verification: stream.chance(0.4) ? 'basic' : 'verified',
    standing: stream.chance(0.15) ? 'recent_chargeback' : 'good',
    tenure_years: stream.between(0, 18),
    credit_limit: stream.between(10, 36) * 100,
    opened: `20${String(stream.between(8, 25)).padStart(2, '0')}-0${stream.between(1, 9)}-1${stream.below(10)}`,
    ...(tier === 1 ? {} : { today_total: stream.between(0, 24) * 50 }),
  };
}

function buildMerchants(stream: Stream, number: Numbers): Merchant[] {
  return merchantCategories.flatMap((category) =>
    merchantFronts.flatMap((front, at) => {
      const ending = merchantEndings[category][at % 3];
      // Two of each, one of which lies overseas, for either phase.
      return (['domestic', 'overseas'] as const).map((region): Merchant => {
        const place = region === 'overseas' ? ' International' : '';
        return {
          merchant_id: `MER-${number(100, 999)}`,
          name: `${front} ${ending}${place}`,
          category,
          region: stream.chance(0.12) ? (region === 'overseas' ? 'domestic' : 'overseas') : region,
        };
      });
    }),
  );
}

function buildPayees(stream: Stream, number: Numbers, tier: Tier): Payee[] {
  const names = payeeFronts.flatMap((front) =>
    payeeTypes.map((type) => ({ type, name: `${front} ${payeeEndings[type]}` })),
  );
  return stream.shuffle(names).map(({ type, name }, at): Payee => {
    const days = at < rosterSize || stream.chance(0.5) ? stream.between(40, 900) : stream.between(1, 29);
    return {
      payee_id: `PAY-${number(10_000, 99_999)}`,
      name,
      type,
      jurisdiction: stream.pick(jurisdictions),
      ...(tier === 1 ? {} : { added_days_ago: days }),
    };
  });
}
