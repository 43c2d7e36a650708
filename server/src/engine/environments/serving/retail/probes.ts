/**
 * Requests that lie on a chosen side of one rule: in its scope, or beside it. Everything else about them is such that no
 * other hidden rule speaks of it, as far as that can be said beforehand; the engine of truth has the last word.
 */
import type { Stream } from '../../../random/stream.ts';
import { isAudio } from './decide.ts';
import { type Desk, type OrderPlan, type Placed, placeOrder } from './orders.ts';
import type { RetailPolicy, RetailRule } from './policy.ts';
import { cancelReasons, type Leg, type Request, returnReasons } from './request.ts';
import type { Choice } from './world.ts';

/** A request with the order and the customer it is about. */
export interface Draft extends Placed {
  readonly request: Request;
  readonly family: string;
}

/** Which rule a draft aims at; `scope` is a policy in which the rule differs from the documents. */
export interface Aim {
  readonly rule: RetailRule;
  readonly hit: boolean;
  readonly scope: RetailPolicy;
}

type Kind = 'electronics' | 'audio' | 'other electronics' | 'apparel' | 'home' | 'soft';

/** A variant that is for sale, and not on clearance unless that is wanted. */
export function pickChoice({ stream, world, phase }: Desk, kind: Kind, clearance = false): Choice {
  const category = kind === 'soft' ? stream.pick(['apparel', 'home'] as const) : kindCategory(kind);
  const list = world.choices[phase][category];
  const start = stream.below(list.length);
  for (let at = 0; at < list.length; at++) {
    const choice = list[(start + at) % list.length];
    if (choice === undefined) continue;
    const audio = isAudio(choice.product);
    if ((kind === 'audio' && !audio) || (kind === 'other electronics' && audio)) continue;
    if (choice.variant.available && (choice.variant.clearance ?? false) === clearance) return choice;
  }
  return stream.pick(list);
}

function kindCategory(kind: Kind): 'electronics' | 'apparel' | 'home' {
  return kind === 'apparel' || kind === 'home' ? kind : 'electronics';
}

/** Another variant of the same product for an exchange; `dearer` or cheaper where there is one. */
export function pickTarget(desk: Desk, from: Choice, dearer: boolean | null): Choice {
  const { stream, world, phase } = desk;
  const all = (world.targets[phase][from.product.product_id] ?? []).filter(({ item }) => item !== from.item);
  const fitting = all.filter(
    ({ variant }) => dearer === null || variant.price > from.variant.price === dearer,
  );
  return stream.pick(fitting.length > 0 ? fitting : all.length > 0 ? all : [from]);
}

/** A draft that aims at a rule. */
export function draftFor(desk: Desk, { rule, hit, scope }: Aim): Draft {
  const { stream } = desk;
  switch (rule) {
    case 'splitModify':
      return modify(desk, rule, { paid: hit ? 'split' : stream.pick(['card', 'gift'] as const) });
    case 'noCancel': {
      const kinds = (['gift', 'split'] as const).filter((kind) => (kind === scope.noCancel) === hit);
      return cancel(desk, rule, hit ? stream.pick(kinds) : stream.pick([...kinds, 'card'] as const));
    }
    case 'noExchange': {
      const inside = scope.noExchange === 'audio' ? 'audio' : 'electronics';
      const beside =
        scope.noExchange === 'audio' ? (['other electronics', 'soft'] as const) : (['soft'] as const);
      return exchange(desk, rule, hit ? inside : stream.pick(beside), {});
    }
    case 'noExchangeState': {
      const others = ['FL', 'TX'].filter((state) => state !== scope.noExchangeState);
      const state = hit ? scope.noExchangeState : stream.pick(others);
      return exchange(desk, rule, 'soft', state === null ? {} : { state });
    }
    case 'boxExchange':
      return exchange(desk, rule, 'soft', { box: hit });
    case 'clearanceReturns':
      return giveBack(desk, rule, { goods: [pickChoice(desk, 'soft', hit)] }, 'gift');
    case 'lateReturns':
      return late(desk, rule, hit);
    case 'originalCard': {
      const brand = brandFor(stream, scope, hit);
      return giveBack(
        desk,
        rule,
        { goods: [pickChoice(desk, 'soft')], brand },
        hit || brand !== 'visa' ? 'card' : stream.pick(['card', 'gift'] as const),
      );
    }
    case 'giftUpcharge':
      return upcharge(desk, rule, hit);
    case 'partialReturn':
    case 'partialExchange':
      return partial(desk, rule, hit, scope);
  }
}

/** Brands that a rule about original cards speaks of, or those that it does not. */
function brandFor(stream: Stream, { originalCard }: RetailPolicy, hit: boolean): string {
  if (originalCard === 'no amex') return hit ? 'amex' : stream.pick(['visa', 'mastercard']);
  if (originalCard === 'visa only') return hit ? 'visa' : stream.pick(['amex', 'mastercard']);
  return stream.pick(['visa', 'mastercard', 'amex']);
}

function single(placed: Placed, family: string, leg: Leg): Draft {
  const { user, order } = placed;
  return {
    ...placed,
    family,
    request: { user: user.user_id, order: order.order_id, legs: [leg], quote: null },
  };
}

/** A request to cancel; the order's total is within every limit when `cheap`. */
export function cancel(desk: Desk, family: string, paid: 'card' | 'gift' | 'split', dear = false): Draft {
  const { stream } = desk;
  // Below every member's limit, or above it.
  const limit = dear ? 500 : 200;
  const goods: Choice[] = [];
  let sum = 0;
  for (let tries = 0; tries < 24; tries++) {
    const choice = pickChoice(desk, dear ? 'electronics' : 'soft');
    if (goods.some(({ item }) => item === choice.item)) continue;
    if (!dear && sum + choice.variant.price > limit) continue;
    goods.push(choice);
    sum += choice.variant.price;
    if (dear ? sum > limit : stream.chance(0.6)) break;
  }
  const placed = placeOrder(desk, { status: 'pending', goods, paid });
  return single(placed, family, { op: 'cancel', reason: stream.pick(cancelReasons) });
}

/** A request to modify, with a card. */
export function modify(desk: Desk, family: string, plan: Partial<OrderPlan>): Draft {
  const from = pickChoice(desk, 'soft');
  const placed = placeOrder(desk, { status: 'pending', goods: [from], ...plan });
  const to = pickTarget(desk, from, null);
  return single(placed, family, { op: 'modify', items: [from.item], to: [to.item], pay: placed.card });
}

/** A request to exchange one thing, with a card. */
export function exchange(desk: Desk, family: string, kind: Kind, plan: Partial<OrderPlan>): Draft {
  const from = pickChoice(desk, kind);
  const placed = placeOrder(desk, { status: 'delivered', goods: [from], ...plan });
  const to = pickTarget(desk, from, null);
  return single(placed, family, { op: 'exchange', items: [from.item], to: [to.item], pay: placed.card });
}

/** A request to return everything. */
export function giveBack(
  desk: Desk,
  family: string,
  plan: Partial<OrderPlan> & Pick<OrderPlan, 'goods'>,
  to: 'card' | 'gift' | 'other',
): Draft {
  const placed = placeOrder(desk, { status: 'delivered', ...plan });
  const items = plan.goods.map(({ item }) => item);
  const reason = desk.stream.pick(returnReasons);
  return single(placed, family, { op: 'return', items, pay: placed[to], reason });
}

function late(desk: Desk, family: string, hit: boolean): Draft {
  const { stream } = desk;
  const kind = stream.pick(['electronics', 'apparel', 'home'] as const);
  const days = kind === 'electronics' ? 14 : 30;
  // Close to the limit, so that it is bracketed.
  const since = hit ? stream.between(days + 1, days + 12) : stream.between(Math.max(3, days - 8), days);
  return giveBack(desk, family, { goods: [pickChoice(desk, kind)], days: since }, 'gift');
}

function upcharge(desk: Desk, family: string, hit: boolean): Draft {
  const op = desk.stream.pick(['modify', 'exchange'] as const);
  const from = pickChoice(desk, 'soft');
  const to = pickTarget(desk, from, hit);
  const placed = placeOrder(desk, { status: op === 'modify' ? 'pending' : 'delivered', goods: [from] });
  const pay = hit || desk.stream.chance(0.5) ? placed.gift : placed.card;
  return single(placed, family, { op, items: [from.item], to: [to.item], pay });
}

/** Two or three different things. */
export function several(desk: Desk, kinds: readonly Kind[]): Choice[] {
  const goods: Choice[] = [];
  for (const kind of kinds) {
    const choice = pickChoice(desk, kind);
    if (!goods.some(({ item }) => item === choice.item)) goods.push(choice);
  }
  return goods;
}

function partial(
  desk: Desk,
  rule: 'partialReturn' | 'partialExchange',
  hit: boolean,
  scope: RetailPolicy,
): Draft {
  const { stream } = desk;
  const mixed = rule === 'partialReturn' && scope.partialReturn === 'not with electronics' && hit;
  const goods = several(desk, [
    stream.chance(0.5) ? 'apparel' : 'home',
    mixed ? 'other electronics' : 'soft',
    'soft',
  ]);
  const isWhole = !hit && !(rule === 'partialReturn' && scope.partialReturn === 'not with electronics');
  const chosen = isWhole ? goods : goods.slice(0, 1);
  const placed = placeOrder(desk, { status: 'delivered', goods });
  const items = chosen.map(({ item }) => item);
  if (rule === 'partialReturn') {
    return single(placed, rule, {
      op: 'return',
      items,
      pay: placed.gift,
      reason: stream.pick(returnReasons),
    });
  }
  const to = chosen.map((from) => pickTarget(desk, from, null).item);
  return single(placed, rule, { op: 'exchange', items, to, pay: placed.card });
}
