/** Cases made to measure: each lies on a chosen side of one rule. */
import type { Stream } from '../../../random/stream.ts';
import type { Phase, Tier } from '../scenarios.ts';
import { type BankingPolicy, type BankingRule, documentedBanking } from './policy.ts';
import type { Account, BankingCase, CaseLeg, CaseLine, Merchant, Payee } from './tables.ts';
import { type BankingWorld, restrictedPayees } from './world.ts';

/** What a draft works with. */
export interface Counter {
  readonly stream: Stream;
  readonly world: BankingWorld;
  readonly phase: Phase;
  readonly tier: Tier;
  /** A new id for a case; no two tasks of a scenario share one. */
  caseId(prefix: 'TXN' | 'LIM' | 'TRF'): string;
}

/** Which rule a draft aims at; `scope` is a policy in which the rule differs from the documents. */
export interface BankingAim {
  readonly rule: BankingRule;
  readonly hit: boolean;
  readonly scope: BankingPolicy;
}

export interface CaseDraft {
  readonly case: BankingCase;
  readonly family: string;
}

type Where = Merchant['region'];

const free: readonly string[] = ['groceries', 'dining', 'fuel', 'pharmacy'];

/** A payment to a merchant or a payee, before it is a case, a leg or a line. */
type Purchase = { readonly merchant_id: string; readonly amount: number };
type Transfer = { readonly payee_id: string; readonly amount: number };

/** A draft that aims at a rule. */
export function draftCase(counter: Counter, aim: BankingAim): CaseDraft {
  const { stream } = counter;
  switch (aim.rule) {
    case 'cap': {
      const [low, high] = bracket(stream, documentedBanking(counter.tier).cap, aim.scope.cap, aim.hit);
      return limitCase(counter, aim.rule, stream.between(low, high), 'good');
    }
    case 'newPayee':
    case 'restricted':
      return transferCase(counter, aim.rule, transferFor(counter, aim));
    case 'daily': {
      const account = calm(counter, ({ today_total: sum = 0 }) => sum >= 700);
      const room = (aim.scope.daily ?? 2000) - (account.today_total ?? 0);
      const amount = aim.hit ? room + stream.between(1, 180) : room - stream.between(0, 160);
      return purchaseCase(counter, aim.rule, account, {
        merchant_id: merchant(counter, stream.pick(free), 'domestic').merchant_id,
        amount: Math.max(20, amount),
      });
    }
    case 'giftCards': {
      const wanted = aim.hit ? 'basic' : 'verified';
      const account = calm(counter, ({ verification }) => verification === wanted);
      return purchaseCase(counter, aim.rule, account, purchaseFor(counter, aim));
    }
    default:
      return purchaseCase(counter, aim.rule, calm(counter), purchaseFor(counter, aim));
  }
}

/** Amounts between two boundaries, or close beside them. */
function bracket(
  stream: Stream,
  documented: number,
  practice: number,
  hit: boolean,
): readonly [number, number] {
  const low = Math.min(documented, practice);
  const high = Math.max(documented, practice);
  if (hit) return [low + 1, high];
  return stream.chance(0.5) ? [Math.floor(low * 0.85), low] : [high + 1, Math.floor(high * 1.15)];
}

function purchaseFor(counter: Counter, { rule, hit, scope }: BankingAim): Purchase {
  const { stream, tier } = counter;
  const at = (category: string, where: Where, amount: number): Purchase => ({
    merchant_id: merchant(counter, category, where).merchant_id,
    amount,
  });
  switch (rule) {
    case 'electronics':
    case 'travel': {
      const documented = documentedBanking(tier).limits[rule] ?? 0;
      const [low, high] = bracket(stream, documented, scope.limits[rule] ?? documented, hit);
      return at(rule, 'domestic', stream.between(low, high));
    }
    case 'corridor': {
      const blocked = scope.corridor.length > 0 ? scope.corridor : ['jewelry'];
      if (hit) return at(stream.pick(blocked), 'overseas', stream.between(60, 440));
      if (stream.chance(0.5)) return at(stream.pick(blocked), 'domestic', stream.between(60, 440));
      return at(stream.pick(free), 'overseas', stream.between(60, 440));
    }
    case 'giftCards':
      return at('gift_cards', 'domestic', stream.between(25, 400));
    default:
      return at(stream.pick(free), 'domestic', stream.between(20, 300));
  }
}

function transferFor(counter: Counter, { rule, hit, scope }: BankingAim): Transfer {
  const { stream, world } = counter;
  const roster = restrictedPayees(world.payees, scope.restricted);
  const known = (payee: Payee) => (payee.added_days_ago ?? 99) >= 30 && !roster.has(payee.payee_id);
  if (rule === 'restricted') {
    const payee = hit ? stream.pick([...roster]) : stream.pick(world.allPayees.filter(known)).payee_id;
    return { payee_id: payee, amount: stream.between(200, 7900) };
  }
  const threshold = scope.newPayeeAbove ?? 6500;
  const isNew = hit || stream.chance(0.6);
  const payee = stream.pick(world.allPayees.filter((it) => (it.added_days_ago ?? 99) < 30 === isNew));
  const amount = hit
    ? stream.between(Math.floor(threshold * 0.6), threshold)
    : isNew
      ? stream.between(threshold + 1, 7999)
      : stream.between(Math.floor(threshold * 0.8), 8700);
  return { payee_id: payee.payee_id, amount };
}

/** Accounts that no rule but the one aimed at speaks of. */
function calm({ stream, world, phase }: Counter, wanted?: (account: Account) => boolean): Account {
  const all = world.accountsOf[phase];
  const start = stream.below(all.length);
  const fits = wanted ?? (({ today_total: sum = 0 }: Account) => sum <= 200);
  for (let at = 0; at < all.length; at++) {
    const account = all[(start + at) % all.length];
    if (account !== undefined && fits(account)) return account;
  }
  return stream.pick(all);
}

function merchant({ stream, world, phase }: Counter, category: string, where: Where): Merchant {
  const all = world.merchantsOf[phase].filter((it) => it.category === category && it.region === where);
  return stream.pick(all);
}

function purchaseCase(counter: Counter, family: string, account: Account, purchase: Purchase): CaseDraft {
  return {
    family,
    case: {
      case_id: counter.caseId('TXN'),
      kind: 'transaction',
      account_id: account.account_id,
      ...purchase,
      same_day_approved_total: account.today_total ?? 0,
      status: 'pending',
      reason: null,
    },
  };
}

/** A request for a credit limit. */
function limitCase(
  counter: Counter,
  family: string,
  requested: number,
  standing: Account['standing'],
): CaseDraft {
  const account = calm(counter, (it) => it.standing === standing);
  return {
    family,
    case: {
      case_id: counter.caseId('LIM'),
      kind: 'limit_request',
      account_id: account.account_id,
      current_limit: account.credit_limit,
      requested_limit: requested,
      status: 'pending',
      reason: null,
    },
  };
}

/** A transfer to a payee. */
function transferCase(counter: Counter, family: string, transfer: Transfer): CaseDraft {
  return {
    family,
    case: {
      case_id: counter.caseId('TRF'),
      kind: 'transfer',
      account_id: calm(counter).account_id,
      ...transfer,
      status: 'pending',
      reason: null,
    },
  };
}

/** A case that documents alone answer. */
export function controlCase(counter: Counter): CaseDraft {
  const { stream, world, tier } = counter;
  const cap = documentedBanking(tier).cap;
  switch (stream.below(6)) {
    case 0:
      return limitCase(counter, 'limit_standing', stream.between(1500, cap + 800), 'recent_chargeback');
    case 1:
      return limitCase(
        counter,
        'limit_cap',
        stream.between(Math.floor(cap * 0.8), Math.floor(cap * 1.2)),
        'good',
      );
    case 2: {
      const amount = stream.between(700, 1100);
      const shop = merchant(counter, 'electronics', 'domestic').merchant_id;
      return purchaseCase(counter, 'purchase_limit', calm(counter), { merchant_id: shop, amount });
    }
    case 3: {
      const known = world.allPayees.filter(({ added_days_ago: days = 99 }) => days >= 30).slice(8);
      const payee_id = stream.pick(known).payee_id;
      return transferCase(counter, 'transfer_reporting', { payee_id, amount: stream.between(7400, 8600) });
    }
    case 4: {
      const known = world.allPayees.filter(({ added_days_ago: days = 99 }) => days >= 30).slice(8);
      const payee_id = stream.pick(known).payee_id;
      return transferCase(counter, 'transfer_plain', { payee_id, amount: stream.between(100, 5000) });
    }
    default: {
      const shop = merchant(counter, stream.pick(free), stream.pick(['domestic', 'overseas'])).merchant_id;
      const amount = stream.between(15, 700);
      return purchaseCase(counter, 'purchase_plain', calm(counter), { merchant_id: shop, amount });
    }
  }
}

/** Rules that can speak of purchases and of transfers. */
const purchaseRules: readonly BankingRule[] = ['electronics', 'travel', 'corridor'];

/** Two or three purchases, or transfers, in order of preference. */
export function rankedCase(counter: Counter, scope: BankingPolicy): CaseDraft {
  const { stream } = counter;
  const account = calm(counter);
  const isTransfer = stream.chance(0.4);
  const legs = Array.from({ length: stream.between(2, 3) }, (_, at): CaseLeg => {
    const hit = stream.chance(isTransfer ? 0.3 : 0.65);
    if (isTransfer) return { leg: at + 1, ...transferFor(counter, { rule: 'newPayee', hit, scope }) };
    return { leg: at + 1, ...purchaseFor(counter, { rule: stream.pick(purchaseRules), hit, scope }) };
  });
  return {
    family: 'ranked',
    case: {
      case_id: counter.caseId(isTransfer ? 'TRF' : 'TXN'),
      kind: 'ranked',
      account_id: account.account_id,
      ...(isTransfer ? {} : { same_day_approved_total: account.today_total ?? 0 }),
      status: 'pending',
      reason: null,
      legs,
    },
  };
}

/** Two to four transfers at once. */
export function batchCase(counter: Counter, scope: BankingPolicy): CaseDraft {
  const { stream } = counter;
  const lines = Array.from({ length: stream.between(2, 4) }, (_, at): CaseLine => {
    const hit = stream.chance(0.4);
    const transfer = transferFor(counter, { rule: 'newPayee', hit, scope });
    return { line: at + 1, ...transfer, status: 'pending', reason: null };
  });
  return {
    family: 'batch',
    case: {
      case_id: counter.caseId('TRF'),
      kind: 'batch',
      account_id: calm(counter).account_id,
      status: 'pending',
      reason: null,
      lines,
    },
  };
}
