/** Orders made to measure: each is one customer's, and belongs to one task alone. */
import type { Stream } from '../../../random/stream.ts';
import { total } from '../money.ts';
import type { Phase, Tier } from '../scenarios.ts';
import { specialPlaces, streets } from './names.ts';
import { type Address, daysAgo, type Order, type Payment, type User } from './tables.ts';
import { type Choice, ordinaryAddress, type RetailWorld } from './world.ts';

/** What a draft works with. */
export interface Desk {
  readonly stream: Stream;
  readonly world: RetailWorld;
  readonly phase: Phase;
  readonly tier: Tier;
  /** A new id for an order; no two tasks of a scenario share one. */
  orderId(): string;
}

/** What an order is to be like; whatever is not said is so that no hidden rule speaks of it. */
export interface OrderPlan {
  readonly status: 'pending' | 'delivered' | 'shipped';
  readonly goods: readonly Choice[];
  readonly paid?: 'card' | 'gift' | 'split';
  /** Of the card that paid, e.g. `amex`. */
  readonly brand?: string;
  readonly state?: string;
  readonly box?: boolean;
  /** Since it was delivered. */
  readonly days?: number;
}

export interface Placed {
  readonly user: User;
  readonly order: Order;
  /** Payment methods of the customer: the card that paid or would, another one, the gift card. */
  readonly card: string;
  readonly other: string;
  readonly gift: string;
}

/** Makes an order, and the customer as the database has them with it. */
export function placeOrder({ stream, world, phase, orderId }: Desk, plan: OrderPlan): Placed {
  const { paid = 'card', brand } = plan;
  const person = chooseCustomer(stream, world.customers[phase], brand);
  const cards = Object.entries(person.payment_methods).filter(([, it]) => it.source === 'credit_card');
  const [card = ''] =
    cards.find(([, it]) => it.source === 'credit_card' && it.brand === brand) ?? cards[0] ?? [];
  const [other = ''] = cards.find(([id]) => id !== card) ?? [];
  const gift = Object.keys(person.payment_methods).find((id) => id.startsWith('gift_card')) ?? '';
  const items = plan.goods.map(({ item, product, variant }) => ({
    name: product.name,
    product_id: product.product_id,
    item_id: item,
    price: variant.price,
    options: variant.options,
  }));
  const days = plan.days ?? stream.between(2, 11);
  const order: Order = {
    order_id: orderId(),
    user_id: person.user_id,
    address: addressFor(stream, plan),
    items,
    status: plan.status,
    placed_at: daysAgo(plan.status === 'delivered' ? days + stream.between(2, 6) : stream.between(1, 3)),
    ...(plan.status === 'delivered' ? { delivered_at: daysAgo(days) } : {}),
    payment_history: payments(paid, total(items.map(({ price }) => price)), card, gift),
  };
  return { user: { ...person, orders: [order.order_id] }, order, card, other, gift };
}

function chooseCustomer(stream: Stream, people: readonly User[], brand: string | undefined): User {
  const start = stream.below(people.length);
  const owns = ({ payment_methods: methods }: User) =>
    brand === undefined ||
    Object.values(methods).some((it) => it.source === 'credit_card' && it.brand === brand);
  for (let at = 0; at < people.length; at++) {
    const person = people[(start + at) % people.length];
    if (person !== undefined && owns(person)) return person;
  }
  return stream.pick(people);
}

function addressFor(stream: Stream, { state, box }: OrderPlan): Address {
  const usual = ordinaryAddress(stream);
  const [city, zip] = (state === undefined ? undefined : specialPlaces[state]) ?? [usual.city, null];
  return {
    ...usual,
    address1: box
      ? `PO Box ${stream.between(10, 9900)}`
      : `${stream.between(1, 980)} ${stream.pick(streets)}`,
    address2: box ? '' : usual.address2,
    city,
    state: zip === null ? usual.state : (state ?? usual.state),
    zip: zip === null ? usual.zip : `${zip}${stream.between(10, 99)}`,
  };
}

function payments(paid: 'card' | 'gift' | 'split', amount: number, card: string, gift: string): Payment[] {
  const pay = (sum: number, id: string): Payment => ({
    transaction_type: 'payment',
    amount: sum,
    payment_method_id: id,
  });
  if (paid === 'card') return [pay(amount, card)];
  if (paid === 'gift') return [pay(amount, gift)];
  const first = Math.floor(amount * 40) / 100;
  return [pay(first, gift), pay(total([amount, -first]), card)];
}
