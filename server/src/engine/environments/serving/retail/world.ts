/** The shop's customers and goods: the part of its database that all episodes of a scenario share. */
import { openStream, type Stream } from '../../../random/stream.ts';
import { firstNames, lastNames } from '../people.ts';
import type { Phase } from '../scenarios.ts';
import { goods, makers, places, streets } from './names.ts';
import type { Address, PaymentMethod, Product, ProductCategory, User, Variant } from './tables.ts';

/** Customers of each phase: none is met in both. */
const customers = { serving: 260, test: 200 } as const;

/** A choosable variant: where it is, and whose tasks may speak of it. */
export interface Choice {
  readonly item: string;
  readonly product: Product;
  readonly variant: Variant;
}

export interface RetailWorld {
  readonly users: Readonly<Record<string, User>>;
  readonly products: Readonly<Record<string, Product>>;
  /** Of either phase. */
  readonly customers: Readonly<Record<Phase, readonly User[]>>;
  /** Variants of either phase, by category. */
  readonly choices: Readonly<Record<Phase, Readonly<Record<ProductCategory, readonly Choice[]>>>>;
  /** Those of a product that may be had in exchange, by its id. */
  readonly targets: Readonly<Record<Phase, Readonly<Record<string, readonly Choice[]>>>>;
}

/** Builds the world of a scenario: a pure function of its key. */
export function buildRetailWorld(key: string): RetailWorld {
  const stream = openStream('retail-world', key);
  const products = buildProducts(stream);
  const taken = new Set<string>();
  const people = {
    serving: Array.from({ length: customers.serving }, () => buildUser(stream, taken)),
    test: Array.from({ length: customers.test }, () => buildUser(stream, taken)),
  };
  const everybody = [...people.serving, ...people.test];
  const choices = { serving: choicesOf(products, 0), test: choicesOf(products, 1) };
  return {
    users: Object.fromEntries(everybody.map((user) => [user.user_id, user])),
    products: Object.fromEntries(products.map((product) => [product.product_id, product])),
    customers: people,
    choices,
    targets: { serving: targetsOf(choices.serving), test: targetsOf(choices.test) },
  };
}

function buildProducts(stream: Stream): Product[] {
  const ids = idsOf(stream);
  return Object.entries(goods).flatMap(([category, list]) =>
    list.map(({ name, price: [low, high], options }): Product => {
      const [[firstKey, firstValues], [secondKey, secondValues]] = Object.entries(options) as [
        [string, readonly string[]],
        [string, readonly string[]],
      ];
      const pairs = firstValues.flatMap((first) => secondValues.map((second) => [first, second] as const));
      const variants = pairs.map(([first, second], at): [string, Variant] => {
        // Four in a row hold, for either phase, one on clearance and one that is sold out or not.
        const place = Math.floor(at / 2) % 6;
        const price = stream.between(low * 100, high * 100) / 100;
        const base = { options: { [firstKey]: first, [secondKey]: second }, price };
        if (place === 0) return [ids('item'), { ...base, available: true, clearance: true }];
        return [ids('item'), { ...base, available: place !== 1 }];
      });
      return {
        name: `${stream.pick(makers)} ${name}`,
        product_id: ids('product'),
        category: category as ProductCategory,
        variants: Object.fromEntries(variants),
      };
    }),
  );
}

/** Ids that do not repeat and do not look like numbers of an array, whose order objects do not keep. */
function idsOf(stream: Stream): (kind: 'item' | 'product') => string {
  const seen = new Set<string>();
  return (kind) => {
    for (;;) {
      const id = `${kind === 'item' ? 'I' : 'P'}${stream.between(10_000_000, 99_999_999)}`;
      if (seen.has(id)) continue;
      seen.add(id);
      return id;
    }
  };
}

/** Every other variant belongs to either phase, so that no combination of options is met in both. */
function choicesOf(products: readonly Product[], parity: number): Record<ProductCategory, Choice[]> {
  const found: Record<ProductCategory, Choice[]> = { apparel: [], electronics: [], home: [] };
  for (const product of products) {
    for (const [at, [item, variant]] of Object.entries(product.variants).entries()) {
      if (at % 2 === parity) found[product.category].push({ item, product, variant });
    }
  }
  return found;
}

function targetsOf(choices: Readonly<Record<ProductCategory, readonly Choice[]>>): Record<string, Choice[]> {
  const found: Record<string, Choice[]> = {};
  for (const choice of Object.values(choices).flat()) {
    if (!choice.variant.available || choice.variant.clearance) continue;
    found[choice.product.product_id] = [...(found[choice.product.product_id] ?? []), choice];
  }
  return found;
}

function buildUser(stream: Stream, taken: Set<string>): User {
  for (;;) {
    const first_name = stream.pick(firstNames);
    const last_name = stream.pick(lastNames);
    const address = ordinaryAddress(stream);
    const key = `${first_name}_${last_name}`.toLowerCase();
    if (taken.has(key)) continue;
    taken.add(key);
    const number = stream.between(1000, 9999);
    const cards = stream.shuffle(['visa', 'mastercard', 'amex']).slice(0, 2);
    const methods: [string, PaymentMethod][] = cards.map((brand) => [
      `credit_card_${stream.between(1_000_000, 9_999_999)}`,
      { source: 'credit_card', brand, last_four: String(stream.between(1000, 9999)) },
    ]);
    const balance = stream.between(4, 40) * 10;
    methods.push([`gift_card_${stream.between(1_000_000, 9_999_999)}`, { source: 'gift_card', balance }]);
    return {
      user_id: `${key}_${number}`,
      name: { first_name, last_name },
      address,
      email: `${first_name}.${last_name}${number}@mailbox.example`.toLowerCase(),
      membership: stream.pick(['bronze', 'silver', 'gold'] as const),
      payment_methods: Object.fromEntries(methods),
      orders: [],
    };
  }
}

/** An address in a state that no rule speaks of. */
export function ordinaryAddress(stream: Stream): Address {
  const [city, state, zip] = stream.pick(places);
  return {
    address1: `${stream.between(1, 980)} ${stream.pick(streets)}`,
    address2: stream.chance(0.3) ? `Apt ${stream.between(1, 60)}` : '',
    city,
    state,
    country: 'USA',
    zip: `${zip}${String(stream.between(10, 99))}`,
  };
}
