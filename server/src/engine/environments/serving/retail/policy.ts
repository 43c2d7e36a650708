/**
 * What the shop does: the rules that its documents state, those that hold in a window, and those that its tools enforce.
 * All three are the same kind of data, read by the same engine.
 */
import { byWindow } from '../by-window.ts';
import type { Tier } from '../scenarios.ts';
import type { ProductCategory, User } from './tables.ts';

export interface RetailPolicy {
  /** Orders above this total, in dollars, are not cancelled: by the customer's membership. */
  readonly cancelLimit: Readonly<Record<Membership, number>>;
  /** Days after delivery within which goods may be returned. */
  readonly returnDays: Readonly<Record<ProductCategory, number>>;
  readonly lateReturns: boolean;
  readonly clearanceReturns: boolean;
  /** Kept back from a refund: a share of it, by the customer's membership. */
  readonly returnFee: Readonly<Record<Membership, number>>;
  /** Goods that are not exchanged. */
  readonly noExchange: 'electronics' | 'audio' | null;
  /** How an order must not have been paid to be cancelled. */
  readonly noCancel: 'gift' | 'split' | null;
  /** The code for an order that may not be cancelled for the way in which it was paid. */
  readonly cancelCode: 'service_not_offered' | 'invalid_status';
  /** Which original cards take refunds of returned goods. */
  readonly originalCard: 'all' | 'none' | 'no amex' | 'visa only';
  /** A state to which nothing is sent in exchange. */
  readonly noExchangeState: 'FL' | 'TX' | null;
  readonly boxExchange: boolean;
  /** The code for an exchange to a PO box that is refused. */
  readonly boxCode: 'destination_not_allowed' | 'service_not_offered';
  readonly splitModify: boolean;
  /** Whether a gift card may pay the difference to something dearer. */
  readonly giftUpcharge: boolean;
  readonly partialReturn: 'all' | 'none' | 'not with electronics';
  readonly partialExchange: boolean;
  /** Whether items of one request stand for themselves: what is allowed is done, the rest left out. */
  readonly perItem: boolean;
}

type Membership = User['membership'];

const fees: Readonly<Record<Membership, number>> = { bronze: 0.15, silver: 0.1, gold: 0.05 };
const limits: Readonly<Record<Membership, number>> = { bronze: 200, silver: 300, gold: 500 };

/** The rules as documents state them. */
export function documentedRetail(tier: Tier): RetailPolicy {
  return {
    cancelLimit: limits,
    returnDays: { apparel: 30, electronics: 14, home: 30 },
    lateReturns: false,
    clearanceReturns: false,
    returnFee: fees,
    noExchange: null,
    noCancel: null,
    cancelCode: tier === 1 ? 'service_not_offered' : 'invalid_status',
    originalCard: tier === 3 ? 'none' : 'all',
    noExchangeState: null,
    boxExchange: true,
    boxCode: tier === 3 ? 'service_not_offered' : 'destination_not_allowed',
    splitModify: true,
    giftUpcharge: tier === 1,
    partialReturn: 'all',
    partialExchange: true,
    perItem: tier > 1,
  };
}

/** The rules that hold in a window, from 0. */
export const retailPractice = byWindow((tier, window): RetailPolicy => {
  const documented = documentedRetail(tier);
  if (tier === 1) {
    return {
      ...documented,
      splitModify: false,
      clearanceReturns: true,
      noCancel: window === 1 || window === 2 ? 'gift' : null,
      noExchange: window >= 2 ? 'electronics' : null,
      lateReturns: window >= 3,
      noExchangeState: window >= 4 ? 'FL' : null,
      originalCard: window >= 5 ? 'none' : 'all',
    };
  }
  const scopes = tier === 2 ? secondTier : thirdTier;
  const changes = Object.entries(scopes).map(([rule, values]) => [rule, values[window] ?? values.at(-1)]);
  return {
    ...documented,
    splitModify: false,
    boxExchange: false,
    giftUpcharge: true,
    ...(Object.fromEntries(changes) as Partial<RetailPolicy>),
  };
});

type Scopes = { readonly [K in keyof RetailPolicy]?: readonly RetailPolicy[K][] };

const secondTier: Scopes = {
  noExchange: [null, 'electronics', 'electronics', 'audio', 'audio', null, null],
  noCancel: [null, null, 'gift', 'gift', 'split', 'split', null],
  originalCard: ['all', 'all', 'none', 'none', 'no amex', 'no amex', 'no amex'],
  noExchangeState: [null, null, null, 'FL', 'FL', 'TX', 'TX'],
  partialReturn: [
    'all',
    'none',
    'none',
    'none',
    'not with electronics',
    'not with electronics',
    'not with electronics',
  ],
  partialExchange: [true, true, false, false, false, false, true],
};

const thirdTier: Scopes = {
  noExchange: [null, 'audio', null, 'electronics', 'electronics', null, null, null],
  noCancel: [null, 'gift', 'split', 'gift', 'gift', 'split', 'split', null],
  originalCard: ['none', 'none', 'all', 'none', 'visa only', 'visa only', 'none', 'none'],
  noExchangeState: [null, 'FL', null, 'TX', null, 'FL', 'FL', null],
  clearanceReturns: [false, false, true, false, false, false, true, true],
};

/**
 * What the tools refuse: documented rules, save those that practice relaxes in some window of the tier. Which window it is
 * makes no difference, so that a tool's answer never tells what holds now.
 */
export function enforcedRetail(tier: Tier): RetailPolicy {
  return {
    ...documentedRetail(tier),
    clearanceReturns: tier !== 2,
    lateReturns: tier === 1,
    originalCard: 'all',
    giftUpcharge: true,
  };
}

/** The rules by which windows differ from the documents, as the names of the fields. */
export type RetailRule = Exclude<
  keyof RetailPolicy,
  'cancelLimit' | 'returnDays' | 'returnFee' | 'boxCode' | 'cancelCode' | 'perItem'
>;

const retailRules: readonly RetailRule[] = [
  'splitModify',
  'noCancel',
  'noExchange',
  'clearanceReturns',
  'lateReturns',
  'noExchangeState',
  'originalCard',
  'boxExchange',
  'giftUpcharge',
  'partialReturn',
  'partialExchange',
];

/** Rules of a window that differ from the documents. */
export const hiddenRules = byWindow((tier, window): RetailRule[] => {
  const documented = documentedRetail(tier);
  const practice = retailPractice(tier, window);
  return retailRules.filter((rule) => practice[rule] !== documented[rule]);
});

/** Rules that differed in an earlier window and are as documented again. */
export const reopenedRules = byWindow((tier, window): RetailRule[] => {
  const now = new Set(hiddenRules(tier, window));
  const earlier = Array.from({ length: window }, (_, before) => hiddenRules(tier, before)).flat();
  return [...new Set(earlier)].filter((rule) => !now.has(rule));
});
