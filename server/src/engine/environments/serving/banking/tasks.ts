/** Tasks of the bank: drafts that the engine of truth has sorted by whether the documents answer them. */
import banking from '../../../../../../prompts/serving/banking.json' with { type: 'json' };
import type { Evaluator, Slice } from '../evaluator.ts';
import { fill } from '../fill.ts';
import type { BankingOwn } from '../instance.ts';
import type { Phase } from '../scenarios.ts';
import {
  type BankingAim,
  batchCase,
  type CaseDraft,
  type Counter,
  controlCase,
  draftCase,
  rankedCase,
} from './cases.ts';
import { decideBanking } from './decide.ts';
import {
  type BankingPolicy,
  type BankingRule,
  bankingPractice,
  changedBankingRules,
  documentedBanking,
  hiddenBankingRules,
  reopenedBankingRules,
} from './policy.ts';
import type { BankingCase, BankingDatabase } from './tables.ts';
import type { BankingWorld } from './world.ts';

export interface BankingTask {
  readonly own: BankingOwn;
  readonly evaluator: Evaluator;
  readonly text: string;
}

const tries = 400;

/**
 * Makes a task of a window.
 *
 * @param hidden whether the documents are to give the wrong answer.
 * @param turn counts the tasks made so far, so that all rules have their turn.
 * @throws RangeError when no draft fits, which no schedule of ours lets happen.
 */
export function makeBankingTask(
  counter: Counter,
  window: number,
  hidden: boolean,
  turn: number,
): BankingTask {
  const { stream, phase, tier } = counter;
  const practice = bankingPractice(tier, window);
  const documented = documentedBanking(tier);
  const over = reopenedBankingRules(tier, window);
  for (let attempt = 0; attempt < tries; attempt++) {
    const draft = drawCase(counter, window, hidden, turn + attempt, practice, over);
    const db = bankingDatabase(counter.world, draft.case);
    const truth = decideBanking(db, practice, draft.case);
    const reading = decideBanking(db, documented, draft.case);
    const same = JSON.stringify(truth.action) === JSON.stringify(reading.action);
    if (same === hidden) continue;
    // The same disposition for another reason that would do as well is no difference.
    const reason = reading.action.kwargs['reason'];
    if (hidden && truth.action.name === reading.action.name && truth.reasons.includes(String(reason)))
      continue;
    const slice: Slice = hidden ? 'adapt' : over.some((rule) => rule === draft.family) ? 'reopen' : 'general';
    return {
      own: { domain: 'banking', case: draft.case },
      evaluator: {
        slice,
        family: draft.family,
        actions: [truth.action],
        answer: truth.reasons.length > 1 ? { kind: 'refuse', reasons: truth.reasons } : { kind: 'action' },
      },
      text: fill(stream.pick(phrasesOf(phase, draft.case.kind)), { case: draft.case.case_id }),
    };
  }
  throw new RangeError(`no draft fits window ${window} of banking tier ${tier}`);
}

function phrasesOf(phase: Phase, kind: string): readonly string[] {
  const texts: Readonly<Record<string, readonly string[]>> = banking.tasks[phase];
  return texts[kind] ?? [];
}

/** The database of an episode on a case. */
function bankingDatabase(world: BankingWorld, one: BankingCase): BankingDatabase {
  const { accounts, merchants, payees } = world;
  return {
    base: { accounts, merchants, payees, cases: {} },
    own: { accounts: {}, merchants: {}, payees: {}, cases: { [one.case_id]: one } },
  };
}

function drawCase(
  counter: Counter,
  window: number,
  hidden: boolean,
  turn: number,
  practice: BankingPolicy,
  over: readonly BankingRule[],
): CaseDraft {
  const { stream, tier } = counter;
  if (tier > 1) {
    const sort = stream.below(100);
    if (sort < 18) return rankedCase(counter, practice);
    if (sort < 32) return batchCase(counter, practice);
  }
  const rules = hiddenBankingRules(tier, window);
  if (hidden) {
    // A window that changes something has more of what changed.
    const changed = changedBankingRules(tier, window).filter((rule) => rules.includes(rule));
    const list = [...rules, ...changed];
    const rule = list[turn % list.length];
    return rule === undefined
      ? controlCase(counter)
      : draftCase(counter, { rule, hit: true, scope: practice });
  }
  if (stream.chance(0.4)) return controlCase(counter);
  const aims: BankingAim[] = [
    ...rules.map((rule) => ({ rule, hit: false, scope: practice })),
    ...over.map((rule) => ({ rule, hit: true, scope: lastScope(counter, window, rule) })),
  ];
  return aims.length === 0 ? controlCase(counter) : draftCase(counter, stream.pick(aims));
}

function lastScope({ tier }: Counter, window: number, rule: BankingRule): BankingPolicy {
  for (let before = window - 1; before >= 0; before--) {
    if (hiddenBankingRules(tier, before).includes(rule)) return bankingPractice(tier, before);
  }
  return bankingPractice(tier, window);
}
