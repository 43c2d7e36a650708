/**
 * What is to be done about a request under given rules: the one engine of truth. With the rules of the window it says what
 * is right, with those of the documents what a perfect reader of them would do.
 *
 * Legs are walked in order. Of each, items that may not be touched are left out where items stand for themselves; the first
 * leg that then lives is carried out. When none does, the request is refused with a code of whatever stood in its way.
 */

import { find } from '../database.ts';
import type { Action } from '../evaluator.ts';
import { rounded, total } from '../money.ts';
import { audioGoods } from './names.ts';
import type { RetailPolicy } from './policy.ts';
import type { Leg, Request, RetailCode } from './request.ts';
import {
  daysSince,
  type Order,
  type OrderItem,
  type Product,
  type RetailDatabase,
  type User,
  type Variant,
} from './tables.ts';

export type RetailDecision =
  | { readonly kind: 'act'; readonly action: Action }
  /** Any of the codes is right; the first is the one that a careful clerk would name. */
  | { readonly kind: 'refuse'; readonly codes: readonly RetailCode[] }
  | { readonly kind: 'value'; readonly value: number; readonly compare: 'int' | 'float' };

/** Decides under `policy`; the database is as it was before the request. */
export function decideRetail(db: RetailDatabase, policy: RetailPolicy, request: Request): RetailDecision {
  const order = find(db, 'orders', request.order);
  const user = find(db, 'users', request.user);
  if (order === undefined || user === undefined) return { kind: 'refuse', codes: ['not_found'] };
  const judged = request.legs.map((leg) => judgeLeg(db, policy, order, user, leg));
  if (request.quote !== null) return quote(request, judged[0], policy.returnFee[user.membership]);
  const live = judged.find((it) => it.action !== null);
  if (live?.action) return { kind: 'act', action: live.action };
  return { kind: 'refuse', codes: unique(judged.flatMap(({ codes }) => codes)) };
}

/** A leg under given rules: what it comes to, or what stands in its way. */
interface Judged {
  readonly action: Action | null;
  readonly codes: readonly RetailCode[];
  /** Items that may be touched, whatever the rest. */
  readonly items: readonly OrderItem[];
  /** In dollars: the price of what comes less that of what goes, for a return the price of what goes. */
  readonly amount: number;
}

function judgeLeg(db: RetailDatabase, policy: RetailPolicy, order: Order, user: User, leg: Leg): Judged {
  switch (leg.op) {
    case 'cancel':
      return judgeCancel(policy, order, user, leg);
    case 'return':
      return judgeReturn(db, policy, order, user, leg);
    case 'place':
      return judgePlace(db, user, leg);
    default:
      return judgeSwap(db, policy, order, user, leg);
  }
}

function judgeCancel(policy: RetailPolicy, order: Order, user: User, leg: Leg & { op: 'cancel' }): Judged {
  const codes: RetailCode[] = [];
  if (order.status !== 'pending') codes.push('invalid_status');
  else {
    const paid = howPaid(order);
    if (policy.noCancel === paid.kind) codes.push(policy.cancelCode);
    if (total(order.items.map(({ price }) => price)) > policy.cancelLimit[user.membership])
      codes.push('over_threshold');
  }
  const kwargs = { order_id: order.order_id, reason: leg.reason };
  return judged(codes, { name: 'cancel_pending_order', kwargs }, order.items, 0);
}

function judgeReturn(
  db: RetailDatabase,
  policy: RetailPolicy,
  order: Order,
  user: User,
  leg: Leg & { op: 'return' },
): Judged {
  const codes: RetailCode[] = [];
  const wanted = itemsOf(order, leg.items);
  if (order.status !== 'delivered') codes.push('invalid_status');
  if (wanted === null) codes.push('not_found');
  codes.push(...refundCodes(policy, order, user, leg.pay));
  const isPartial = leg.items.length < order.items.length;
  if (isPartial && policy.partialReturn === 'none') codes.push('invalid_status');
  if (isPartial && policy.partialReturn === 'not with electronics') {
    if (order.items.some((item) => productOf(db, item)?.category === 'electronics'))
      codes.push('invalid_status');
  }
  const { allowed, refused } = sift(wanted ?? [], policy.perItem, (item) => {
    const product = productOf(db, item);
    if (product === undefined) return 'not_found';
    const days = daysSince(order.delivered_at);
    if (!policy.clearanceReturns && variantOf(db, item)?.clearance) return 'final_sale';
    if (!policy.lateReturns && days > policy.returnDays[product.category]) return 'window_expired';
    return null;
  });
  if (allowed.length === 0) codes.push(...refused);
  const kwargs = {
    order_id: order.order_id,
    item_ids: allowed.map(({ item_id }) => item_id),
    payment_method_id: leg.pay,
    reason: leg.reason,
  };
  const amount = total(allowed.map(({ price }) => price));
  return judged(codes, { name: 'return_delivered_order_items', kwargs }, allowed, amount);
}

/** Why a refund cannot go to `pay`. */
function refundCodes(policy: RetailPolicy, order: Order, user: User, pay: string): RetailCode[] {
  const method = Object.hasOwn(user.payment_methods, pay) ? user.payment_methods[pay] : undefined;
  if (method === undefined) return ['not_found'];
  if (method.source === 'gift_card') return [];
  if (!order.payment_history.some(({ payment_method_id: id }) => id === pay))
    return ['destination_not_allowed'];
  const { originalCard } = policy;
  const isAllowed =
    originalCard === 'all' ||
    (originalCard === 'no amex' && method.brand !== 'amex') ||
    (originalCard === 'visa only' && method.brand === 'visa');
  return isAllowed ? [] : ['destination_not_allowed'];
}

function judgeSwap(
  db: RetailDatabase,
  policy: RetailPolicy,
  order: Order,
  user: User,
  leg: Leg & { op: 'modify' | 'exchange' },
): Judged {
  const codes: RetailCode[] = [];
  const isExchange = leg.op === 'exchange';
  const wanted = itemsOf(order, leg.items);
  if (order.status !== (isExchange ? 'delivered' : 'pending')) codes.push('invalid_status');
  else if (!isExchange && !policy.splitModify && howPaid(order).kind === 'split')
    codes.push('invalid_status');
  if (wanted === null || leg.to.length !== leg.items.length) codes.push('not_found');
  if (isExchange) {
    if (policy.noExchangeState === order.address.state) codes.push('destination_not_allowed');
    if (!policy.boxExchange && isBox(order)) codes.push(policy.boxCode);
    const isPartial = leg.items.length < order.items.length;
    if (isPartial && !policy.partialExchange) codes.push('service_not_offered');
  }
  const pairs = (wanted ?? []).map((item, at) => ({ item, to: leg.to[at] ?? '' }));
  const { allowed, refused } = sift(pairs, policy.perItem, ({ item, to }) => {
    const product = productOf(db, item);
    if (product === undefined || !Object.hasOwn(product.variants, to)) return 'not_found';
    const variant = product.variants[to];
    if (variant === undefined || !variant.available || to === item.item_id) return 'service_not_offered';
    if (variant.clearance) return 'service_not_offered';
    return isExchange && isKept(policy, product) ? 'service_not_offered' : null;
  });
  if (allowed.length === 0) codes.push(...refused);
  const amount = total([
    ...allowed.map(({ item, to }) => productOf(db, item)?.variants[to]?.price ?? 0),
    ...allowed.map(({ item }) => -item.price),
  ]);
  codes.push(...chargeCodes(policy, user, leg.pay, amount));
  const kwargs = {
    order_id: order.order_id,
    item_ids: allowed.map(({ item }) => item.item_id),
    new_item_ids: allowed.map(({ to }) => to),
    payment_method_id: leg.pay,
  };
  const name = isExchange ? 'exchange_delivered_order_items' : 'modify_pending_order_items';
  return judged(
    codes,
    { name, kwargs },
    allowed.map(({ item }) => item),
    amount,
  );
}

/** Why `pay` cannot settle a difference of `amount` dollars. */
function chargeCodes(policy: RetailPolicy, user: User, pay: string, amount: number): RetailCode[] {
  const method = Object.hasOwn(user.payment_methods, pay) ? user.payment_methods[pay] : undefined;
  if (method === undefined) return ['not_found'];
  if (method.source === 'credit_card' || amount <= 0) return [];
  if (!policy.giftUpcharge) return ['service_not_offered'];
  return method.balance < amount ? ['insufficient_balance'] : [];
}

function judgePlace(db: RetailDatabase, user: User, leg: Leg & { op: 'place' }): Judged {
  const found = leg.items.map((item) => findVariant(db, item));
  const isOffered = found.every((it) => it?.variant.available);
  const amount = total(found.map((it) => it?.variant.price ?? 0));
  const codes: RetailCode[] = [];
  if (!isOffered) codes.push('service_not_offered');
  else if (payersOf(user, amount, leg.pay, leg.fallback) === null) codes.push('insufficient_balance');
  const kwargs = {
    user_id: user.user_id,
    item_ids: leg.items,
    payment_method_id: leg.pay,
    ...(leg.fallback === null ? {} : { fallback_payment_method_id: leg.fallback }),
  };
  return judged(codes, { name: 'place_order', kwargs }, [], amount);
}

/**
 * Who pays how much of a new order: the payment method named, or as much as a gift card holds and the fallback, which is no
 * gift card, the rest. Null when that is not enough.
 */
export function payersOf(
  user: User,
  amount: number,
  pay: string,
  fallback: string | null,
): readonly { readonly id: string; readonly amount: number }[] | null {
  const find = (id: string | null) =>
    id !== null && Object.hasOwn(user.payment_methods, id) ? user.payment_methods[id] : undefined;
  const method = find(pay);
  if (method === undefined) return null;
  if (method.source === 'credit_card' || method.balance >= amount) return [{ id: pay, amount }];
  if (fallback === null || find(fallback)?.source !== 'credit_card') return null;
  const rest = { id: fallback, amount: total([amount, -method.balance]) };
  return method.balance > 0 ? [{ id: pay, amount: method.balance }, rest] : [rest];
}

function judged(
  codes: readonly RetailCode[],
  action: Action,
  items: readonly OrderItem[],
  amount: number,
): Judged {
  return { action: codes.length === 0 ? action : null, codes: unique(codes), items, amount };
}

/** The answer to a question about the request's first leg; 0 for what is not possible. */
function quote(request: Request, leg: Judged | undefined, fee: number): RetailDecision {
  const isPossible = leg?.action != null;
  if (request.quote === 'count') {
    return { kind: 'value', value: isPossible ? leg.items.length : 0, compare: 'int' };
  }
  const share = request.quote === 'refund' ? 1 - fee : 1;
  const value = isPossible ? rounded(leg.amount * share) : 0;
  return { kind: 'value', value, compare: 'float' };
}

/** Splits things into those that nothing forbids and the codes of the others; all or nothing unless each stands for itself. */
function sift<T>(
  things: readonly T[],
  perItem: boolean,
  objection: (thing: T) => RetailCode | null,
): { readonly allowed: readonly T[]; readonly refused: readonly RetailCode[] } {
  const refused = things.flatMap((thing) => objection(thing) ?? []);
  if (!perItem && refused.length > 0) return { allowed: [], refused };
  return { allowed: things.filter((thing) => objection(thing) === null), refused };
}

/** How an order was paid. */
export function howPaid(order: Order): { readonly kind: 'gift' | 'card' | 'split' } {
  const ids = new Set(order.payment_history.map(({ payment_method_id: id }) => id));
  if (ids.size > 1) return { kind: 'split' };
  const [id = ''] = ids;
  return { kind: id.startsWith('gift_card') ? 'gift' : 'card' };
}

/** Whether an order goes to a PO box. */
export function isBox({ address }: Order): boolean {
  return /^PO Box\b/i.test(address.address1);
}

function isKept({ noExchange }: RetailPolicy, product: Product): boolean {
  if (noExchange === 'electronics') return product.category === 'electronics';
  return noExchange === 'audio' && isAudio(product);
}

/** Whether a product is audio equipment; its maker's name comes first. */
export function isAudio({ name }: Product): boolean {
  for (const good of audioGoods) if (name.endsWith(` ${good}`)) return true;
  return false;
}

/** The product that an item of an order is. */
export function productOf(db: RetailDatabase, item: OrderItem): Product | undefined {
  return find(db, 'products', item.product_id);
}

function variantOf(db: RetailDatabase, item: OrderItem): Variant | undefined {
  const variants = productOf(db, item)?.variants ?? {};
  return Object.hasOwn(variants, item.item_id) ? variants[item.item_id] : undefined;
}

/** A variant and the product it is of. */
export interface Sold {
  readonly product: Product;
  readonly variant: Variant;
}

const catalogues = new WeakMap<object, ReadonlyMap<string, Sold>>();

/** Where an item is sold, whichever product it is of. */
export function findVariant({ base: { products } }: RetailDatabase, item: string): Sold | undefined {
  const known = catalogues.get(products);
  if (known !== undefined) return known.get(item);
  const made = new Map<string, Sold>();
  for (const product of Object.values(products)) {
    for (const [id, variant] of Object.entries(product.variants)) made.set(id, { product, variant });
  }
  catalogues.set(products, made);
  return made.get(item);
}

/** The items of an order by their ids; null when one of them is not in it, or comes twice. */
export function itemsOf(order: Order, ids: readonly string[]): OrderItem[] | null {
  if (new Set(ids).size !== ids.length || ids.length === 0) return null;
  const found = ids.flatMap((id) => order.items.find(({ item_id }) => item_id === id) ?? []);
  return found.length === ids.length ? found : null;
}

function unique<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}
