/**
 * The shop's tools. They enforce what is mechanical and what is documented and holds in every window, and never a hidden
 * rule: whatever the policy in force forbids beyond that is the agent's to refuse.
 */
import retail from '../../../../../../prompts/serving/retail.json' with { type: 'json' };
import { type Arguments, shape, type ToolShape, text, texts } from '../arguments.ts';
import type { Called } from '../called.ts';
import { find, put } from '../database.ts';
import { fill } from '../fill.ts';
import { cents, rounded, total } from '../money.ts';
import type { Tier } from '../scenarios.ts';
import { decideRetail, findVariant, howPaid, itemsOf, payersOf } from './decide.ts';
import { enforcedRetail } from './policy.ts';
import { cancelReasons, type Leg, type RetailCode, returnReasons } from './request.ts';
import {
  type Order,
  type OrderItem,
  type PaymentMethod,
  type RetailDatabase,
  TODAY,
  type User,
} from './tables.ts';

/** Every tool but `finish` and `read_docs`, which are the same everywhere. */
export const retailTools: readonly ToolShape[] = [
  shape('find_user_id_by_name_zip(first_name, last_name, zip)'),
  shape('get_user_details(user_id)'),
  shape('get_order_details(order_id)'),
  shape('get_product_details(product_id)'),
  shape('cancel_pending_order(order_id, reason)', { reason: cancelReasons }),
  shape('place_order(user_id, item_ids[], payment_method_id, fallback_payment_method_id?)'),
  shape('modify_pending_order_items(order_id, item_ids[], new_item_ids[], payment_method_id)'),
  shape('exchange_delivered_order_items(order_id, item_ids[], new_item_ids[], payment_method_id)'),
  shape('return_delivered_order_items(order_id, item_ids[], payment_method_id, reason)', {
    reason: returnReasons,
  }),
];

const errors: Readonly<Record<RetailCode | 'reason', string>> = retail.errors;

/** Calls a tool whose arguments have been checked. */
export function callRetail(
  db: RetailDatabase,
  tier: Tier,
  name: string,
  args: Arguments,
): Called<RetailDatabase> {
  switch (name) {
    case 'find_user_id_by_name_zip':
      return found(db, findUser(db, args)?.user_id);
    case 'get_user_details':
      return found(db, find(db, 'users', text(args, 'user_id')));
    case 'get_order_details':
      return found(db, find(db, 'orders', text(args, 'order_id')));
    case 'get_product_details':
      return found(db, find(db, 'products', text(args, 'product_id')));
    case 'place_order':
      return place(db, args);
    default:
      return change(db, tier, name, args);
  }
}

function found(db: RetailDatabase, row: object | string | undefined): Called<RetailDatabase> {
  if (row === undefined) return { db, text: fill(errors.not_found, {}), ok: false };
  return { db, text: typeof row === 'string' ? row : JSON.stringify(row), ok: true };
}

function findUser(db: RetailDatabase, args: Arguments): User | undefined {
  const key = (first: string, last: string) => `${first.trim()} ${last.trim()}`.toLowerCase();
  const wanted = key(text(args, 'first_name'), text(args, 'last_name'));
  const zip = text(args, 'zip').trim();
  return Object.values(db.base.users).find(
    ({ name, address }) => key(name.first_name, name.last_name) === wanted && address.zip === zip,
  );
}

function refused(db: RetailDatabase, code: RetailCode | 'reason'): Called<RetailDatabase> {
  return { db, text: errors[code], ok: false };
}

/** Cancelling, modifying, exchanging, returning: judged all or nothing by the enforced rules, then written down. */
function change(db: RetailDatabase, tier: Tier, name: string, args: Arguments): Called<RetailDatabase> {
  const order = find(db, 'orders', text(args, 'order_id'));
  const user = order === undefined ? undefined : find(db, 'users', order.user_id);
  const leg = legOf(name, args);
  if (order === undefined || user === undefined || leg === null) return refused(db, 'not_found');
  if (
    (leg.op === 'cancel' && !isOneOf(leg.reason, cancelReasons)) ||
    (leg.op === 'return' && !isOneOf(leg.reason, returnReasons))
  ) {
    return refused(db, 'reason');
  }
  const policy = { ...enforcedRetail(tier), perItem: false };
  const request = { user: user.user_id, order: order.order_id, legs: [leg], quote: null };
  const decision = decideRetail(db, policy, request);
  if (decision.kind === 'refuse') return refused(db, decision.codes[0] ?? 'not_found');
  const changed = write(db, tier, order, user, leg);
  return { db: changed, text: JSON.stringify(find(changed, 'orders', order.order_id)), ok: true };
}

function isOneOf(value: string, values: readonly string[]): boolean {
  return values.includes(value);
}

function legOf(name: string, args: Arguments): Leg | null {
  const pay = text(args, 'payment_method_id');
  const items = texts(args, 'item_ids');
  const reason = text(args, 'reason');
  switch (name) {
    case 'cancel_pending_order':
      return { op: 'cancel', reason };
    case 'modify_pending_order_items':
      return { op: 'modify', items, to: texts(args, 'new_item_ids'), pay };
    case 'exchange_delivered_order_items':
      return { op: 'exchange', items, to: texts(args, 'new_item_ids'), pay };
    case 'return_delivered_order_items':
      return { op: 'return', items, pay, reason };
    default:
      return null;
  }
}

function write(db: RetailDatabase, tier: Tier, order: Order, user: User, leg: Leg): RetailDatabase {
  switch (leg.op) {
    case 'cancel':
      return cancel(db, order, user, leg.reason);
    case 'return': {
      const items = itemsOf(order, leg.items) ?? [];
      const price = total(items.map((item) => item.price));
      const refund = rounded(price * (1 - enforcedRetail(tier).returnFee[user.membership]));
      return put(db, 'orders', order.order_id, {
        ...order,
        status: 'return requested',
        return_items: leg.items.toSorted(),
        return_reason: leg.reason,
        return_payment_method_id: leg.pay,
        return_refund_amount: refund,
        ...shares(order, tier, leg.pay, refund),
      });
    }
    case 'exchange':
    case 'modify':
      return swap(db, order, user, leg);
    case 'place':
      return db;
  }
}

/** From the second tier on a refund to the original card of an order that was paid in several ways goes back in proportion. */
function shares(order: Order, tier: Tier, pay: string, refund: number): Pick<Order, 'return_refunds'> {
  const isOwn = order.payment_history.some(({ payment_method_id: id }) => id === pay);
  if (tier === 1 || !isOwn || pay.startsWith('gift_card') || howPaid(order).kind !== 'split') return {};
  const paid = order.payment_history.filter(({ transaction_type: type }) => type === 'payment');
  const all = total(paid.map(({ amount }) => amount));
  const [first, ...rest] = paid;
  if (first === undefined || all === 0) return {};
  const others = rest.map(
    ({ payment_method_id: id, amount }) => [id, rounded((refund * amount) / all)] as const,
  );
  // What rounding leaves over goes to the first, so that the parts add up.
  const left = total([refund, ...others.map(([, amount]) => -amount)]);
  return { return_refunds: Object.fromEntries([[first.payment_method_id, left], ...others]) };
}

/** Refunds what each method has paid, net; gift cards have it at once. */
function cancel(db: RetailDatabase, order: Order, user: User, reason: string): RetailDatabase {
  const paid = new Map<string, number>();
  for (const { transaction_type: type, amount, payment_method_id: id } of order.payment_history) {
    paid.set(id, (paid.get(id) ?? 0) + (type === 'payment' ? cents(amount) : -cents(amount)));
  }
  const refunds = [...paid].map(([payment_method_id, amount]) => ({
    transaction_type: 'refund' as const,
    amount: amount / 100,
    payment_method_id,
  }));
  let methods = user.payment_methods;
  for (const { payment_method_id: id, amount } of refunds) methods = charge(methods, id, -amount);
  const changed = put(db, 'orders', order.order_id, {
    ...order,
    status: 'cancelled',
    cancel_reason: reason,
    payment_history: [...order.payment_history, ...refunds],
  });
  return put(changed, 'users', user.user_id, { ...user, payment_methods: methods });
}

/** What a gift card loses when it pays `amount` dollars; cards of banks have no balance here. */
function charge(
  methods: Readonly<Record<string, PaymentMethod>>,
  id: string,
  amount: number,
): Readonly<Record<string, PaymentMethod>> {
  const method = methods[id];
  if (method?.source !== 'gift_card') return methods;
  return { ...methods, [id]: { ...method, balance: total([method.balance, -amount]) } };
}

function swap(
  db: RetailDatabase,
  order: Order,
  user: User,
  { op, items, to, pay }: Leg & { op: 'modify' | 'exchange' },
): RetailDatabase {
  const old = itemsOf(order, items) ?? [];
  const difference = total([
    ...to.map((item) => findVariant(db, item)?.variant.price ?? 0),
    ...old.map(({ price }) => -price),
  ]);
  if (op === 'exchange') {
    return put(db, 'orders', order.order_id, {
      ...order,
      status: 'exchange requested',
      exchange_items: items.toSorted(),
      exchange_new_items: to.toSorted(),
      exchange_payment_method_id: pay,
      exchange_price_difference: difference,
    });
  }
  const replaced = order.items.map((item): OrderItem => {
    const at = items.indexOf(item.item_id);
    const id = at < 0 ? undefined : to[at];
    const found = id === undefined ? undefined : findVariant(db, id);
    if (id === undefined || found === undefined) return item;
    return { ...item, item_id: id, price: found.variant.price, options: found.variant.options };
  });
  const settled = {
    transaction_type: difference >= 0 ? ('payment' as const) : ('refund' as const),
    amount: Math.abs(difference),
    payment_method_id: pay,
  };
  const changed = put(db, 'orders', order.order_id, {
    ...order,
    status: 'pending (items modified)',
    items: replaced,
    payment_history: [...order.payment_history, settled],
  });
  return put(changed, 'users', user.user_id, {
    ...user,
    payment_methods: charge(user.payment_methods, pay, difference),
  });
}

function place(db: RetailDatabase, args: Arguments): Called<RetailDatabase> {
  const user = find(db, 'users', text(args, 'user_id'));
  if (user === undefined) return refused(db, 'not_found');
  const pay = text(args, 'payment_method_id');
  const fallback = text(args, 'fallback_payment_method_id');
  const found = texts(args, 'item_ids').map((id) => ({ id, ...findVariant(db, id) }));
  const items: OrderItem[] = [];
  for (const { id, product, variant } of found) {
    if (product === undefined || variant === undefined) return refused(db, 'not_found');
    if (!variant.available) return refused(db, 'service_not_offered');
    const { name, product_id } = product;
    items.push({ name, product_id, item_id: id, price: variant.price, options: variant.options });
  }
  if (items.length === 0) return refused(db, 'not_found');
  const amount = total(items.map(({ price }) => price));
  const payers = payersOf(user, amount, pay, fallback === '' ? null : fallback);
  if (payers === null) return refused(db, 'insufficient_balance');
  const order_id = `#W9${String(Object.keys(db.own.orders).length + 1).padStart(6, '0')}`;
  const order: Order = {
    order_id,
    user_id: user.user_id,
    address: user.address,
    items,
    status: 'pending',
    placed_at: TODAY,
    payment_history: payers.map(({ id, amount: sum }) => ({
      transaction_type: 'payment',
      amount: sum,
      payment_method_id: id,
    })),
  };
  const changed = put(put(db, 'orders', order_id, order), 'users', user.user_id, {
    ...user,
    orders: [...user.orders, order_id],
    payment_methods: payers.reduce((methods, it) => charge(methods, it.id, it.amount), user.payment_methods),
  });
  return { db: changed, text: JSON.stringify(order), ok: true };
}
