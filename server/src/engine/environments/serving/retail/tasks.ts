/** Tasks of the shop: drafts that the engine of truth has sorted by whether the documents answer them. */
import type { Action, Evaluator, Slice } from '../evaluator.ts';
import type { RetailOwn } from '../instance.ts';
import type { Tier } from '../scenarios.ts';
import { asQuote, chain, control, mixed } from './controls.ts';
import { decideRetail, type RetailDecision } from './decide.ts';
import type { Desk } from './orders.ts';
import {
  documentedRetail,
  hiddenRules,
  type RetailPolicy,
  type RetailRule,
  reopenedRules,
  retailPractice,
} from './policy.ts';
import { type Aim, type Draft, draftFor } from './probes.ts';
import type { RetailDatabase } from './tables.ts';
import { writeRetail } from './words.ts';

export interface RetailTask {
  readonly own: RetailOwn;
  readonly evaluator: Evaluator;
  readonly text: string;
}

/** More than enough: most drafts fit at the first try. */
const tries = 400;

/**
 * Makes a task of a window.
 *
 * @param hidden whether the documents are to give the wrong answer.
 * @param turn counts the tasks made so far, so that all rules have their turn.
 * @throws RangeError when no draft fits, which no schedule of ours lets happen.
 */
export function makeRetailTask(desk: Desk, window: number, hidden: boolean, turn: number): RetailTask {
  const practice = retailPractice(desk.tier, window);
  const documented = documentedRetail(desk.tier);
  for (let attempt = 0; attempt < tries; attempt++) {
    const draft = drawDraft(desk, window, hidden, turn + attempt);
    if (draft === null) continue;
    const db = databaseOf(desk, draft);
    const truth = decideRetail(db, practice, draft.request);
    const reading = decideRetail(db, documented, draft.request);
    const verdict = compareDecisions(truth, reading);
    if (verdict === 'unclear' || (verdict === 'differ') !== hidden) continue;
    const reopened = reopenedRules(desk.tier, window).some((rule) => draft.family.endsWith(rule));
    const slice: Slice = hidden ? 'adapt' : reopened ? 'reopen' : 'general';
    return {
      own: { domain: 'retail', order: draft.order, user: draft.user, request: draft.request },
      evaluator: evaluatorOf(truth, slice, draft.family),
      text: writeRetail(desk.stream, desk.phase, db, draft),
    };
  }
  throw new RangeError(`no draft fits window ${window} of retail tier ${desk.tier}`);
}

/** The database of a draft's episode. */
function databaseOf({ world }: Desk, { order, user }: Draft): RetailDatabase {
  return {
    base: { users: world.users, products: world.products, orders: {} },
    own: { users: { [user.user_id]: user }, products: {}, orders: { [order.order_id]: order } },
  };
}

function drawDraft(desk: Desk, window: number, hidden: boolean, turn: number): Draft | null {
  const { stream, tier } = desk;
  const inForce = hiddenRules(tier, window);
  const over = reopenedRules(tier, window);
  const sort = stream.below(100);
  if (tier > 1 && sort >= 55) {
    if (sort < 67) return mixed(desk);
    if (sort < 83) return chain(desk);
    const base = sort < 92 ? probe(desk, window, hidden, turn, inForce, over) : mixed(desk);
    return asQuote(desk, base);
  }
  if (!hidden && sort % 3 === 0) return control(desk);
  return probe(desk, window, hidden, turn, inForce, over);
}

function probe(
  desk: Desk,
  window: number,
  hidden: boolean,
  turn: number,
  inForce: readonly RetailRule[],
  over: readonly RetailRule[],
): Draft {
  const { stream, tier } = desk;
  if (hidden) {
    const rule = inForce[turn % inForce.length];
    if (rule === undefined) return control(desk);
    return draftFor(desk, { rule, hit: true, scope: retailPractice(tier, window) });
  }
  const aims: Aim[] = [
    ...inForce.map((rule) => ({ rule, hit: false, scope: retailPractice(tier, window) })),
    ...over.map((rule) => ({ rule, hit: true, scope: lastScope(tier, window, rule) })),
  ];
  return aims.length === 0 ? control(desk) : draftFor(desk, stream.pick(aims));
}

/** The latest policy before a window in which the rule was in force. */
function lastScope(tier: Tier, window: number, rule: RetailRule): RetailPolicy {
  for (let before = window - 1; before >= 0; before--) {
    if (hiddenRules(tier, before).includes(rule)) return retailPractice(tier, before);
  }
  return retailPractice(tier, window);
}

/** Whether a reader of the documents is wrong; `unclear` when it would refuse rightly for a reason that is not accepted. */
function compareDecisions(truth: RetailDecision, reading: RetailDecision): 'same' | 'differ' | 'unclear' {
  if (truth.kind !== reading.kind) return 'differ';
  if (truth.kind === 'refuse' && reading.kind === 'refuse') {
    const [code] = reading.codes;
    return code !== undefined && truth.codes.includes(code) ? 'same' : 'unclear';
  }
  if (truth.kind === 'value' && reading.kind === 'value') {
    return Math.abs(truth.value - reading.value) < 0.02 === (truth.value === reading.value)
      ? truth.value === reading.value
        ? 'same'
        : 'differ'
      : 'unclear';
  }
  if (truth.kind !== 'act' || reading.kind !== 'act') return 'unclear';
  return JSON.stringify(truth.action) === JSON.stringify(reading.action) ? 'same' : 'differ';
}

function evaluatorOf(truth: RetailDecision, slice: Slice, family: string): Evaluator {
  const base = { slice, family };
  switch (truth.kind) {
    case 'act':
      return { ...base, actions: [truth.action], answer: { kind: 'action' } };
    case 'refuse':
      return { ...base, actions: [] as Action[], answer: { kind: 'refuse', reasons: truth.codes } };
    case 'value':
      return {
        ...base,
        actions: [],
        answer: { kind: 'value', expect: truth.value, compare: truth.compare },
      };
  }
}
