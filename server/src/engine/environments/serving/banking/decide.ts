/** What is to be done about a case under given rules: the one engine of truth of the bank. */
import { find } from '../database.ts';
import type { Action } from '../evaluator.ts';
import { total } from '../money.ts';
import type { BankingPolicy } from './policy.ts';
import {
  type Account,
  type BankingCase,
  type BankingDatabase,
  type CaseLeg,
  type CaseLine,
  formOf,
} from './tables.ts';
import { restrictedPayees } from './world.ts';

export const bankingCodes = [
  'corridor_blocked',
  'verification_required',
  'over_limit',
  'account_standing',
  'cap_exceeded',
  'restricted_payee',
  'reportable_amount',
  'daily_cap',
  'new_payee_review',
] as const;

export type BankingCode = (typeof bankingCodes)[number];

/** What becomes of one payment or request. */
export interface Disposition {
  readonly action: 'approve' | 'deny' | 'escalate';
  readonly reason: BankingCode | null;
}

const approve: Disposition = { action: 'approve', reason: null };

function deny(reason: BankingCode): Disposition {
  return { action: 'deny', reason };
}

function escalate(reason: BankingCode): Disposition {
  return { action: 'escalate', reason };
}

/** The calls that settle a case, and the reasons that are as good as the one in them. */
export interface BankingDecision {
  readonly action: Action;
  readonly reasons: readonly string[];
}

/** Decides a case under `policy`. */
export function decideBanking(db: BankingDatabase, policy: BankingPolicy, one: BankingCase): BankingDecision {
  if (formOf(one) === 'batch') return decideBatch(db, policy, one);
  if (formOf(one) === 'ranked') return decideRanked(db, policy, one);
  return closing(one.case_id, dispose(db, policy, one, one), []);
}

function decideBatch(db: BankingDatabase, policy: BankingPolicy, one: BankingCase): BankingDecision {
  const decisions = (one.lines ?? []).map((line) => {
    const { action, reason } = dispose(db, policy, one, line);
    return { line: line.line, action, ...(reason === null ? {} : { reason }) };
  });
  return { action: { name: 'decide_batch', kwargs: { case_id: one.case_id, decisions } }, reasons: [] };
}

/** The first leg that would be approved; if none is, what happens to the first, for whichever reason fits that. */
function decideRanked(db: BankingDatabase, policy: BankingPolicy, one: BankingCase): BankingDecision {
  const legs = one.legs ?? [];
  const judged = legs.map((leg) => dispose(db, policy, one, leg));
  const live = judged.findIndex(({ action }) => action === 'approve');
  const leg = legs[live];
  if (leg !== undefined) {
    const kwargs = { case_id: one.case_id, leg: leg.leg };
    return { action: { name: 'execute_leg', kwargs }, reasons: [] };
  }
  const first = judged[0] ?? approve;
  const reasons = judged.flatMap(({ action, reason }) => (action === first.action && reason ? [reason] : []));
  return closing(one.case_id, first, reasons);
}

function closing(
  case_id: string,
  { action, reason }: Disposition,
  reasons: readonly string[],
): BankingDecision {
  const kwargs = { case_id, ...(reason === null ? {} : { reason }) };
  return { action: { name: `${action}_case`, kwargs }, reasons: [...new Set(reasons)] };
}

/** What of a case a payment is made of: the case itself, a leg or a line. */
type Payment = Pick<BankingCase, 'merchant_id' | 'payee_id' | 'amount'> | CaseLeg | CaseLine;

/** Judges one payment or request; of several rules that speak of it the first in order decides. */
function dispose(
  db: BankingDatabase,
  policy: BankingPolicy,
  one: BankingCase,
  payment: Payment,
): Disposition {
  const account = find(db, 'accounts', one.account_id);
  if (account === undefined) return escalate('account_standing');
  if (one.requested_limit !== undefined) return disposeLimit(policy, account, one);
  if (payment.payee_id !== undefined)
    return disposeTransfer(db, policy, payment.payee_id, payment.amount ?? 0);
  const merchant = 'merchant_id' in payment ? (payment.merchant_id ?? '') : '';
  return disposePurchase(db, policy, account, one, merchant, payment.amount ?? 0);
}

function disposePurchase(
  db: BankingDatabase,
  policy: BankingPolicy,
  account: Account,
  one: BankingCase,
  merchantId: string,
  amount: number,
): Disposition {
  const merchant = find(db, 'merchants', merchantId);
  if (merchant === undefined) return approve;
  const { category, region } = merchant;
  if (region === 'overseas' && policy.corridor.includes(category)) return deny('corridor_blocked');
  const today = account.today_total ?? one.same_day_approved_total ?? 0;
  if (policy.daily !== null && total([today, amount]) > policy.daily) return escalate('daily_cap');
  if (!policy.basicGiftCards && category === 'gift_cards' && account.verification === 'basic') {
    return deny('verification_required');
  }
  const limit = policy.limits[category];
  return limit !== undefined && amount > limit ? escalate('over_limit') : approve;
}

function disposeLimit(policy: BankingPolicy, account: Account, one: BankingCase): Disposition {
  if (account.standing === 'recent_chargeback') return deny('account_standing');
  return (one.requested_limit ?? 0) > policy.cap ? deny('cap_exceeded') : approve;
}

function disposeTransfer(
  db: BankingDatabase,
  policy: BankingPolicy,
  payeeId: string,
  amount: number,
): Disposition {
  const payee = find(db, 'payees', payeeId);
  if (payee === undefined) return approve;
  if (restrictedPayees(db.base.payees, policy.restricted).has(payee.payee_id))
    return deny('restricted_payee');
  const isNew = payee.added_days_ago !== undefined && payee.added_days_ago < 30;
  if (isNew && policy.newPayeeAbove !== null && amount > policy.newPayeeAbove)
    return escalate('new_payee_review');
  return amount > policy.reporting ? escalate('reportable_amount') : approve;
}
