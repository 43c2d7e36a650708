/** What a customer asks for, without the words. Agents get the words only; scripted agents and the engine this. */

export type RetailCode =
  | 'service_not_offered'
  | 'invalid_status'
  | 'destination_not_allowed'
  | 'insufficient_balance'
  | 'over_threshold'
  | 'window_expired'
  | 'final_sale'
  | 'not_found';

export const cancelReasons = ['no longer needed', 'ordered by mistake'] as const;
export const returnReasons = ['defective', 'wrong item', 'no longer needed'] as const;

/** One thing that would do. `pay` is the card that pays the difference or takes the refund. */
export type Leg =
  | { readonly op: 'cancel'; readonly reason: string }
  | {
      readonly op: 'modify' | 'exchange';
      readonly items: readonly string[];
      readonly to: readonly string[];
      readonly pay: string;
    }
  | {
      readonly op: 'return';
      readonly items: readonly string[];
      readonly pay: string;
      readonly reason: string;
    }
  | {
      readonly op: 'place';
      readonly items: readonly string[];
      readonly pay: string;
      readonly fallback: string | null;
    };

/** What a question asks about the one leg of its request. */
export type Quote = 'refund' | 'difference' | 'count';

export interface Request {
  readonly user: string;
  readonly order: string;
  /** In the order in which the customer would like them. */
  readonly legs: readonly Leg[];
  /** A question that is answered, where nothing is to be done; null for an order to act. */
  readonly quote: Quote | null;
}
