/** Requests that documents alone answer, and requests with several parts. */

import { type Desk, placeOrder } from './orders.ts';
import { cancel, type Draft, exchange, giveBack, modify, pickChoice, pickTarget, several } from './probes.ts';
import { type Leg, returnReasons } from './request.ts';
import type { ProductCategory } from './tables.ts';

/** Each answers by a documented rule, whether it is done or refused. */
const controls: readonly ((desk: Desk) => Draft)[] = [
  (desk) => cancel(desk, 'cancel_plain', 'card'),
  (desk) => cancel(desk, 'cancel_over_limit', 'card', true),
  (desk) => modify(desk, 'modify_plain', {}),
  (desk) => modify(desk, 'modify_status', { status: 'shipped' }),
  (desk) => exchange(desk, 'exchange_status', 'soft', { status: 'shipped' }),
  (desk) => exchange(desk, 'exchange_plain', 'soft', {}),
  (desk) => giveBack(desk, 'return_plain', { goods: [pickChoice(desk, 'soft')] }, 'gift'),
  (desk) => giveBack(desk, 'return_elsewhere', { goods: [pickChoice(desk, 'soft')] }, 'other'),
  (desk) => giveBack(desk, 'return_status', { goods: [pickChoice(desk, 'soft')], status: 'shipped' }, 'gift'),
  soldOut,
  place,
];

/** A request that no hidden rule speaks of. */
export function control(desk: Desk): Draft {
  return desk.stream.pick(controls)(desk);
}

/** An exchange for something that cannot be had. */
function soldOut(desk: Desk): Draft {
  const draft = exchange(desk, 'exchange_sold_out', 'soft', {});
  const [item] = draft.order.items;
  const [leg] = draft.request.legs;
  const product = item === undefined ? undefined : desk.world.products[item.product_id];
  const own = new Set(desk.world.choices[desk.phase][product?.category ?? 'home'].map((it) => it.item));
  const [gone] =
    Object.entries(product?.variants ?? {}).find(([id, it]) => !it.available && own.has(id)) ?? [];
  if (gone === undefined || leg?.op !== 'exchange') return draft;
  return { ...draft, request: { ...draft.request, legs: [{ ...leg, to: [gone] }] } };
}

/** A new order beside an old one. */
function place(desk: Desk): Draft {
  const { stream } = desk;
  const wanted = several(desk, ['soft', 'electronics']).slice(0, stream.between(1, 2));
  const placed = placeOrder(desk, { status: 'delivered', goods: [pickChoice(desk, 'soft')] });
  const leg: Leg = {
    op: 'place',
    items: wanted.map(({ item }) => item),
    pay: placed.gift,
    fallback: stream.chance(0.6) ? placed.card : null,
  };
  const { user, order } = placed;
  return {
    ...placed,
    family: 'place',
    request: { user: user.user_id, order: order.order_id, legs: [leg], quote: null },
  };
}

/** Several items of which only some may qualify. */
export function mixed(desk: Desk): Draft {
  const { stream } = desk;
  if (stream.chance(0.5)) {
    const goods = several(desk, [stream.pick(['audio', 'other electronics'] as const), 'apparel', 'home']);
    const placed = placeOrder(desk, { status: 'delivered', goods });
    const leg: Leg = {
      op: 'exchange',
      items: goods.map(({ item }) => item),
      to: goods.map((from) => pickTarget(desk, from, null).item),
      pay: placed.card,
    };
    return whole(placed, 'mixed_exchange', [leg]);
  }
  const goods = [pickChoice(desk, 'home', stream.chance(0.6)), ...several(desk, ['electronics', 'apparel'])];
  // Past the limit of electronics, within that of the others.
  const placed = placeOrder(desk, { status: 'delivered', goods, days: stream.between(4, 25) });
  const items = goods.map(({ item }) => item);
  return whole(placed, 'mixed_return', [
    { op: 'return', items, pay: placed.gift, reason: stream.pick(returnReasons) },
  ]);
}

/** Four wishes in order of preference, about one order. */
export function chain(desk: Desk): Draft {
  const { stream } = desk;
  const kinds: readonly (ProductCategory | 'audio')[] = ['audio', 'electronics', 'apparel', 'home'];
  const goods = several(
    desk,
    [stream.pick(kinds), stream.pick(kinds)].concat(stream.chance(0.3) ? ['home'] : []),
  );
  const placed = placeOrder(desk, {
    status: 'delivered',
    goods,
    brand: stream.pick(['visa', 'amex', 'mastercard']),
    ...(stream.chance(0.3) ? { state: stream.pick(['FL', 'TX']) } : {}),
    box: stream.chance(0.2),
    days: stream.between(3, 24),
  });
  const reason = stream.pick(returnReasons);
  const all = goods.map(({ item }) => item);
  const swapOf = (chosen: typeof goods, pay: string, dearer: boolean | null): Leg => ({
    op: 'exchange',
    items: chosen.map(({ item }) => item),
    to: chosen.map((from) => pickTarget(desk, from, dearer).item),
    pay,
  });
  const wishes: Leg[] = [
    swapOf(goods.slice(0, 1), placed.card, null),
    swapOf(goods, placed.gift, true),
    { op: 'return', items: all, pay: placed.card, reason },
    { op: 'return', items: all.slice(0, 1), pay: stream.pick([placed.gift, placed.card]), reason },
    { op: 'return', items: all, pay: placed.other, reason },
    ...(goods.length > 1 ? [swapOf(goods.slice(1), placed.card, null)] : []),
  ];
  return whole(placed, 'chain', stream.shuffle(wishes).slice(0, 4));
}

function whole(placed: ReturnType<typeof placeOrder>, family: string, legs: readonly Leg[]): Draft {
  const { user, order } = placed;
  return {
    ...placed,
    family,
    request: { user: user.user_id, order: order.order_id, legs, quote: null },
  };
}

/** The same request as a question about what it would come to. */
export function asQuote(desk: Desk, draft: Draft): Draft | null {
  const [leg, ...others] = draft.request.legs;
  if (leg === undefined || others.length > 0 || leg.op === 'cancel' || leg.op === 'place') return null;
  const main = leg.op === 'return' ? 'refund' : 'difference';
  const quote = desk.stream.chance(0.7) ? main : 'count';
  return { ...draft, family: `quote_${draft.family}`, request: { ...draft.request, quote } };
}
