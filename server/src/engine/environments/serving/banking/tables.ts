/** The rows of the bank's database, in the published shape. */
import type { Database } from '../database.ts';

export const merchantCategories = [
  'groceries',
  'dining',
  'fuel',
  'pharmacy',
  'electronics',
  'travel',
  'jewelry',
  'gift_cards',
] as const;

export type MerchantCategory = (typeof merchantCategories)[number];

export interface Account {
  readonly account_id: string;
  readonly holder: string;
  readonly state: string;
  readonly verification: 'basic' | 'verified';
  readonly standing: 'good' | 'recent_chargeback';
  readonly tenure_years: number;
  readonly credit_limit: number;
  readonly opened: string;
  /** Approved today, in dollars; from the second tier on. */
  readonly today_total?: number;
}

export interface Merchant {
  readonly merchant_id: string;
  readonly name: string;
  /** One of {@link merchantCategories} in our worlds. */
  readonly category: string;
  readonly region: 'domestic' | 'overseas';
}

export interface Payee {
  readonly payee_id: string;
  readonly name: string;
  readonly type: string;
  readonly jurisdiction: string;
  /** From the second tier on. */
  readonly added_days_ago?: number;
}

export type Status = 'pending' | 'approved' | 'denied' | 'escalated';

/** One of several ways to pay, ranked by the customer. */
export interface CaseLeg {
  readonly leg: number;
  readonly amount?: number;
  /** Of a request for a credit limit. */
  readonly requested?: number;
  readonly merchant_id?: string;
  readonly payee_id?: string;
}

/** One transfer of a batch. */
export interface CaseLine {
  readonly line: number;
  readonly payee_id: string;
  readonly amount: number;
  readonly status: Status;
  readonly reason: string | null;
}

/** How a case is settled, whatever its kind is called. */
export type CaseForm = 'single' | 'ranked' | 'batch';

/** The form of a case. */
export function formOf({ legs, lines }: Pick<BankingCase, 'legs' | 'lines'>): CaseForm {
  if (lines !== undefined) return 'batch';
  return legs === undefined ? 'single' : 'ranked';
}

export interface BankingCase {
  readonly case_id: string;
  /** As the bank calls it. */
  readonly kind: string;
  readonly account_id: string;
  readonly merchant_id?: string;
  readonly payee_id?: string;
  readonly current_limit?: number;
  readonly requested_limit?: number;
  readonly amount?: number;
  readonly same_day_approved_total?: number;
  readonly status: Status;
  readonly reason: string | null;
  readonly chosen_leg?: number;
  readonly legs?: readonly CaseLeg[];
  readonly lines?: readonly CaseLine[];
}

export interface BankingTables {
  readonly accounts: Account;
  readonly merchants: Merchant;
  readonly payees: Payee;
  readonly cases: BankingCase;
}

export type BankingDatabase = Database<BankingTables>;
