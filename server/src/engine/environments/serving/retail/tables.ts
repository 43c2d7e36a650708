/** The rows of the shop's database, in the published shape. */
import type { Database } from '../database.ts';

export type ProductCategory = 'apparel' | 'electronics' | 'home';

export interface Address {
  readonly address1: string;
  readonly address2: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
  readonly zip: string;
}

export type PaymentMethod =
  | { readonly source: 'credit_card'; readonly brand: string; readonly last_four: string }
  | { readonly source: 'gift_card'; readonly balance: number };

export interface User {
  readonly user_id: string;
  readonly name: { readonly first_name: string; readonly last_name: string };
  readonly address: Address;
  readonly email: string;
  readonly membership: 'bronze' | 'silver' | 'gold';
  readonly payment_methods: Readonly<Record<string, PaymentMethod>>;
  readonly orders: readonly string[];
}

export interface Variant {
  readonly options: Readonly<Record<string, string>>;
  readonly price: number;
  readonly available: boolean;
  readonly clearance?: boolean;
}

export interface Product {
  readonly name: string;
  readonly product_id: string;
  readonly category: ProductCategory;
  readonly variants: Readonly<Record<string, Variant>>;
}

export interface OrderItem {
  readonly name: string;
  readonly product_id: string;
  readonly item_id: string;
  readonly price: number;
  readonly options: Readonly<Record<string, string>>;
}

export interface Payment {
  readonly transaction_type: 'payment' | 'refund';
  readonly amount: number;
  readonly payment_method_id: string;
}

export interface Order {
  readonly order_id: string;
  readonly user_id: string;
  readonly address: Address;
  readonly items: readonly OrderItem[];
  readonly status: string;
  readonly placed_at: string;
  readonly delivered_at?: string;
  readonly payment_history: readonly Payment[];
  readonly cancel_reason?: string;
  readonly return_items?: readonly string[];
  readonly return_reason?: string;
  readonly return_refund_amount?: number;
  readonly return_payment_method_id?: string;
  /** Where several payment methods share the refund: how much each gets. */
  readonly return_refunds?: Readonly<Record<string, number>>;
  readonly exchange_items?: readonly string[];
  readonly exchange_new_items?: readonly string[];
  readonly exchange_payment_method_id?: string;
  readonly exchange_price_difference?: number;
}

export interface RetailTables {
  readonly users: User;
  readonly products: Product;
  readonly orders: Order;
}

export type RetailDatabase = Database<RetailTables>;

/** Day 0 of the world, and its date. */
export const TODAY = '2026-07-15';

const monthLengths = [31, 28, 31, 30, 31, 30, 31];

/** The date so many days before {@link TODAY}; at most 190. */
export function daysAgo(days: number): string {
  let month = 7;
  let day = 15 - days;
  while (day < 1) {
    month--;
    day += monthLengths[month - 1] ?? 31;
  }
  return `2026-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** Days from a date of this year until {@link TODAY}; huge for anything else, which is then out of every window. */
export function daysSince(date: string | undefined): number {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(date ?? '') ?? [];
  if (year !== '2026' || month === undefined || day === undefined) return Number.MAX_SAFE_INTEGER;
  const before = (months: number) => monthLengths.slice(0, months - 1).reduce((sum, it) => sum + it, 0);
  return before(7) + 15 - (before(Number(month)) + Number(day));
}
