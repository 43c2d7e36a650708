/** A customer's message. Serving and test tasks are phrased from lists of their own. */
import retail from '../../../../../../prompts/serving/retail.json' with { type: 'json' };
import type { Stream } from '../../../random/stream.ts';
import { fill, listed } from '../fill.ts';
import type { Phase } from '../scenarios.ts';
import { findVariant } from './decide.ts';
import type { Draft } from './probes.ts';
import type { Leg } from './request.ts';
import type { PaymentMethod, RetailDatabase } from './tables.ts';

/** Writes the message of a draft. */
export function writeRetail(stream: Stream, phase: Phase, db: RetailDatabase, draft: Draft): string {
  const { user, order, request } = draft;
  const tasks = retail.tasks[phase];
  const slots = {
    name: `${user.name.first_name} ${user.name.last_name}`,
    zip: user.address.zip,
  };
  const legs = request.legs.map((leg) => legText(stream, phase, db, draft, leg));
  const [leg = ''] = legs;
  if (request.quote !== null) {
    const question = fill(stream.pick(retail.quotes[phase][request.quote]), { leg });
    return fill(stream.pick(tasks.quote), { ...slots, order: order.order_id, question });
  }
  if (legs.length === 1) return fill(stream.pick(tasks.act), { ...slots, leg });
  const choices = legs.map((it, at) => fill(retail.parts.choice, { number: at + 1, leg: it }));
  return fill(stream.pick(tasks.chain), { ...slots, legs: choices.join('; ') });
}

function legText(stream: Stream, phase: Phase, db: RetailDatabase, draft: Draft, leg: Leg): string {
  const text = stream.pick(retail.legs[phase][leg.op]);
  const { order, user } = draft;
  const pay = (id: string) => payName(user.payment_methods[id], id);
  switch (leg.op) {
    case 'cancel':
      return fill(text, { order: order.order_id, reason: leg.reason });
    case 'return':
      return fill(text, {
        order: order.order_id,
        items: listed(leg.items.map((id) => itemName(db, id))),
        pay: pay(leg.pay),
        reason: leg.reason,
      });
    case 'place': {
      const fallback = leg.fallback === null ? '' : fill(retail.parts.fallback, { pay: pay(leg.fallback) });
      const items = listed(leg.items.map((id) => itemName(db, id)));
      return fill(text, { items, pay: pay(leg.pay), fallback });
    }
    default: {
      const pairs = leg.items.map((id, at) => pairName(db, id, leg.to[at] ?? ''));
      return fill(text, { order: order.order_id, pairs: listed(pairs), pay: pay(leg.pay) });
    }
  }
}

function payName(method: PaymentMethod | undefined, id: string): string {
  if (method?.source === 'credit_card') return `my ${method.brand} card (${id})`;
  return `my gift card (${id})`;
}

function itemName(db: RetailDatabase, id: string): string {
  const found = findVariant(db, id);
  return fill(retail.parts.item, {
    name: found?.product.name ?? '',
    options: Object.values(found?.variant.options ?? {}).join(', '),
    item: id,
  });
}

function pairName(db: RetailDatabase, id: string, to: string): string {
  const found = findVariant(db, id);
  return fill(retail.parts.pair, {
    name: found?.product.name ?? '',
    options: Object.values(found?.variant.options ?? {}).join(', '),
    item: id,
    to: Object.values(findVariant(db, to)?.variant.options ?? {}).join(', '),
    new: to,
  });
}
