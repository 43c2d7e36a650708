/** The bank's tools. Decisions are made once; whether a decision is right is not theirs to say. */
import banking from '../../../../../../prompts/serving/banking.json' with { type: 'json' };
import { type Arguments, shape, type ToolShape, text } from '../arguments.ts';
import type { Called } from '../called.ts';
import { find, put } from '../database.ts';
import { fill } from '../fill.ts';
import type { Tier } from '../scenarios.ts';
import { bankingCodes } from './decide.ts';
import { type BankingCase, type BankingDatabase, formOf, type Status } from './tables.ts';

const codes: readonly string[] = bankingCodes;
const reason = { reason: codes };

/** Every tool but `finish` and `read_docs`, which are the same everywhere. */
export function bankingTools(tier: Tier): readonly ToolShape[] {
  const first = [
    shape('get_case_details(case_id)'),
    shape('get_account_details(account_id)'),
    shape('get_merchant_details(merchant_id)'),
    shape('get_payee_details(payee_id)'),
    shape('approve_case(case_id)'),
    shape('deny_case(case_id, reason)', reason),
    shape('escalate_case(case_id, reason)', reason),
  ];
  if (tier === 1) return first;
  return [...first, shape('execute_leg(case_id, leg#)'), shape('decide_batch(case_id, decisions{})', reason)];
}

type Result = Called<BankingDatabase>;

/** Calls a tool whose arguments have been checked. */
export function callBanking(db: BankingDatabase, name: string, args: Arguments): Result {
  switch (name) {
    case 'get_case_details':
      return found(db, find(db, 'cases', text(args, 'case_id')));
    case 'get_account_details':
      return found(db, find(db, 'accounts', text(args, 'account_id')));
    case 'get_merchant_details':
      return found(db, find(db, 'merchants', text(args, 'merchant_id')));
    case 'get_payee_details':
      return found(db, find(db, 'payees', text(args, 'payee_id')));
    default:
      return settle(db, name, args);
  }
}

function found(db: BankingDatabase, row: object | undefined): Result {
  return row === undefined
    ? { db, text: banking.errors.not_found, ok: false }
    : { db, text: JSON.stringify(row), ok: true };
}

function refused(db: BankingDatabase, code: keyof typeof banking.errors): Result {
  return { db, text: banking.errors[code], ok: false };
}

const statuses: Readonly<Record<string, Status>> = {
  approve: 'approved',
  deny: 'denied',
  escalate: 'escalated',
  approve_case: 'approved',
  deny_case: 'denied',
  escalate_case: 'escalated',
};

function settle(db: BankingDatabase, name: string, args: Arguments): Result {
  const one = find(db, 'cases', text(args, 'case_id'));
  if (one === undefined) return refused(db, 'not_found');
  if (one.status !== 'pending') return refused(db, 'settled');
  if ((name === 'decide_batch') !== (formOf(one) === 'batch')) return refused(db, 'kind');
  if (name === 'decide_batch') return settleBatch(db, one, args);
  if (name === 'execute_leg') return executeLeg(db, one, args);
  const status = statuses[name] ?? 'pending';
  const code = text(args, 'reason');
  if (status !== 'approved' && !codes.includes(code)) return refused(db, 'reason');
  // A case with legs is carried out by one of them.
  if (formOf(one) === 'ranked' && status === 'approved') return refused(db, 'kind');
  return settled(db, { ...one, status, reason: status === 'approved' ? null : code });
}

function executeLeg(db: BankingDatabase, one: BankingCase, args: Arguments): Result {
  if (formOf(one) !== 'ranked') return refused(db, 'kind');
  const leg = one.legs?.find((it) => it.leg === args['leg']);
  if (leg === undefined) return refused(db, 'leg');
  return settled(db, { ...one, status: 'approved', reason: null, chosen_leg: leg.leg });
}

interface LineDecision {
  readonly line: number;
  readonly action: string;
  readonly reason?: string | null;
}

function settleBatch(db: BankingDatabase, one: BankingCase, args: Arguments): Result {
  const decisions = args['decisions'] as readonly LineDecision[];
  const lines = one.lines ?? [];
  if (decisions.length !== lines.length) return refused(db, 'lines');
  const done = [];
  for (const line of lines) {
    const decision = decisions.find((it) => it.line === line.line);
    const status = decision === undefined ? undefined : statuses[decision.action];
    if (decision === undefined || status === undefined) return refused(db, 'lines');
    const code = decision.reason ?? '';
    if (status !== 'approved' && code === '') return refused(db, 'lines');
    if (status !== 'approved' && !codes.includes(code)) return refused(db, 'reason');
    done.push({ ...line, status, reason: status === 'approved' ? null : code });
  }
  return settled(db, { ...one, status: 'approved', reason: null, lines: done });
}

function settled(db: BankingDatabase, one: BankingCase): Result {
  const status = formOf(one) === 'batch' ? 'settled' : one.status;
  return { db: put(db, 'cases', one.case_id, one), text: fill(banking.settled, { status }), ok: true };
}
