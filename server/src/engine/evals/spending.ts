/** What a run has used up so far, and the limits that end it. */
import type { Usage } from '../environments/chat.ts';
import { costOf, type Price } from './prices.ts';

/**
 * No request is sent once one of these is reached. Those under way are finished and counted, so the last figures can
 * pass a limit by what was under way; only the number of requests is exact.
 */
export interface SpendLimits {
  readonly requests?: number;
  /** Input and output together, in the model's own tokens. */
  readonly tokens?: number;
  readonly dollars?: number;
}

export interface Spent {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  /** Null when the price is not known. */
  readonly dollars: number | null;
  /** Replies whose endpoint told no usage: their tokens are estimates in {@link Spent.input} and `output`. */
  readonly estimated: number;
}

export interface Spending {
  readonly spent: Spent;
  /** The sentence that says which limit is reached; null while requests may be sent. */
  exceeded(): string | null;
  /** Counts a request that is about to be sent, a retry too. */
  request(): void;
  /** Counts the tokens of a reply that came. */
  usage(usage: Usage): void;
  /** Counts a reply without usage by the length of its texts, in UTF-16 units. */
  estimate(inputLength: number, outputLength: number): void;
  /** The same account for another model: what either uses counts for both, each at its own price. */
  sharedWith(price: Price | null): Spending;
}

/** English text has about as many characters to a token; only for endpoints that tell no usage. */
const charactersPerToken = 4;

/** What {@link openSpending} starts from unless a run is resumed. */
const nothing: Spent = { requests: 0, input: 0, output: 0, dollars: 0, estimated: 0 };

/**
 * Keeps the account of one run.
 *
 * @param price null when it is not known: then `dollars` is null, and a limit in dollars must not be given.
 * @param before what an interrupted run had spent; its `dollars` are counted anew from its tokens where the price is
 *   known and it did not say.
 * @throws RangeError for a limit in dollars without a price, a caller's mistake: see {@link limitProblem}.
 */
export function openSpending(limits: SpendLimits, price: Price | null, before: Spent = nothing): Spending {
  const spent = { ...before, dollars: price === null ? null : (before.dollars ?? costOf(price, before)) };
  return accountOf(limits, price, { spent });
}

/** @param book what all models of the account have used. */
function accountOf(limits: SpendLimits, price: Price | null, book: { spent: Spent }): Spending {
  if (limits.dollars !== undefined && price === null) throw new RangeError('no price to keep a limit by');

  function add(usage: Usage, estimated: number): void {
    const { spent } = book;
    book.spent = {
      ...spent,
      input: spent.input + usage.input,
      output: spent.output + usage.output,
      dollars: price === null || spent.dollars === null ? null : spent.dollars + costOf(price, usage),
      estimated: spent.estimated + estimated,
    };
  }

  return {
    get spent() {
      return book.spent;
    },
    exceeded() {
      const { spent } = book;
      const { requests, tokens, dollars } = limits;
      if (requests !== undefined && spent.requests >= requests) {
        return `The limit of ${requests} requests is reached.`;
      }
      if (tokens !== undefined && spent.input + spent.output >= tokens) {
        return `The limit of ${tokens} tokens is reached (${spent.input + spent.output} used).`;
      }
      if (dollars !== undefined && (spent.dollars ?? 0) >= dollars) {
        return `The limit of $${dollars} is reached ($${(spent.dollars ?? 0).toFixed(4)} spent).`;
      }
      return null;
    },
    request() {
      book.spent = { ...book.spent, requests: book.spent.requests + 1 };
    },
    usage(usage) {
      add(usage, 0);
    },
    estimate(inputLength, outputLength) {
      const tokens = (length: number) => Math.ceil(length / charactersPerToken);
      add({ input: tokens(inputLength), output: tokens(outputLength) }, 1);
    },
    sharedWith: (other) => accountOf(limits, other, book),
  };
}

/** Why limits cannot be kept, in one sentence; null when they can. */
export function limitProblem(limits: SpendLimits, price: Price | null, model: string): string | null {
  const bad = Object.entries(limits).find(([, limit]) => !(Number.isFinite(limit) && limit > 0));
  if (bad !== undefined) return `The limit of ${bad[0]} must be a number above 0.`;
  if (limits.requests !== undefined && !Number.isInteger(limits.requests)) {
    return 'The limit of requests must be a whole number.';
  }
  if (limits.dollars !== undefined && price === null) {
    return `A limit in dollars needs the price of ${model}: add it to the price table, or give a limit in tokens.`;
  }
  return null;
}
