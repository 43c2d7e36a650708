/** The published worlds: one file of tables for each scenario, of which an episode sees the shared rows and its own. */
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../../../problem.ts';
import type { BankingCase } from '../banking/tables.ts';
import type { BankingOwn, RetailOwn } from '../instance.ts';
import type { Order, Product, User } from '../retail/tables.ts';
import { account, bankingCase, merchant, order, payee, product, user } from '../row-schemas.ts';
import type { EpisodeWorld } from '../world.ts';
import type { PublishedTask } from './format.ts';

/** What a scenario's world gives for a task: the rows that are its own, and its clean database. */
export interface PublishedWorld {
  own(task: PublishedTask): RetailOwn | BankingOwn | null;
  open(own: RetailOwn | BankingOwn): EpisodeWorld;
}

const table = <T extends v.GenericSchema>(row: T) => v.record(v.string(), row);

const retailSchema = v.looseObject({
  users: table(user),
  products: table(product),
  orders: table(order),
  _episode_view: v.looseObject({ base_orders: v.array(v.string()) }),
});

const bankingSchema = v.looseObject({
  accounts: table(account),
  merchants: table(merchant),
  payees: table(payee),
  transactions: v.optional(table(bankingCase), {}),
  limit_requests: v.optional(table(bankingCase), {}),
  transfers: v.optional(table(bankingCase), {}),
});

/** Reads a world; the error names the field. */
export function readWorld(path: string, domain: 'retail' | 'banking', raw: unknown): Checked<PublishedWorld> {
  if (domain === 'retail') {
    const read = v.safeParse(retailSchema, raw, { abortEarly: true });
    if (read.success) return accept(retailWorld(read.output));
    return refuse(wrong(path, v.getDotPath(read.issues[0])));
  }
  const read = v.safeParse(bankingSchema, raw, { abortEarly: true });
  if (read.success) return accept(bankingWorld(read.output));
  return refuse(wrong(path, v.getDotPath(read.issues[0])));
}

function wrong(path: string, field: string | null): string {
  return `${path} is no world of the published shape: ${field ?? 'it'} is not what it has to be`;
}

interface RetailTablesRead {
  readonly users: Readonly<Record<string, User>>;
  readonly products: Readonly<Record<string, Product>>;
  readonly orders: Readonly<Record<string, Order>>;
  readonly _episode_view: { readonly base_orders: readonly string[] };
}

/** Orders of other tasks are not there at all, and customers do not list them either. */
function retailWorld({ users, products, orders, _episode_view: view }: RetailTablesRead): PublishedWorld {
  const shared = new Set(view.base_orders);
  const listing = (person: User, extra: string | null): User => ({
    ...person,
    orders: person.orders.filter((id) => shared.has(id) || id === extra),
  });
  const base = {
    users: Object.fromEntries(Object.entries(users).map(([id, person]) => [id, listing(person, null)])),
    products,
    orders: Object.fromEntries(Object.entries(orders).filter(([id]) => shared.has(id))),
  };
  return {
    own({ evaluator }) {
      const id = String(evaluator.metadata['order_id'] ?? '');
      const found = Object.hasOwn(orders, id) ? orders[id] : undefined;
      const person = found === undefined ? undefined : users[found.user_id];
      if (found === undefined || person === undefined) return null;
      return { domain: 'retail', order: found, user: listing(person, id), request: null };
    },
    open(own) {
      if (own.domain !== 'retail') throw new RangeError('a case came to a shop');
      const { order: row, user: person } = own;
      const rows = { users: { [person.user_id]: person }, products: {}, orders: { [row.order_id]: row } };
      return { domain: 'retail', db: { base, own: rows } };
    },
  };
}

function bankingWorld(tables: v.InferOutput<typeof bankingSchema>): PublishedWorld {
  const { accounts, merchants, payees, transactions, limit_requests, transfers } = tables;
  const cases: Readonly<Record<string, BankingCase>> = { ...transactions, ...limit_requests, ...transfers };
  const base = { accounts, merchants, payees, cases: {} };
  return {
    own({ evaluator }) {
      const id = String(evaluator.metadata['case_id'] ?? '');
      const found = Object.hasOwn(cases, id) ? cases[id] : undefined;
      if (found === undefined) return null;
      // What is accepted must not be seen.
      const { _accept: _, ...visible }: BankingCase & { readonly _accept?: unknown } = found;
      return { domain: 'banking', case: visible };
    },
    open(own) {
      if (own.domain !== 'banking') throw new RangeError('an order came to a bank');
      const rows = { accounts: {}, merchants: {}, payees: {}, cases: { [own.case.case_id]: own.case } };
      return { domain: 'banking', db: { base, own: rows } };
    },
  };
}
