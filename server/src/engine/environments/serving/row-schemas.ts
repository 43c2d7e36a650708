/** The rows of the databases that an instance brings along, for the check of instances from files. Further fields are kept. */
import * as v from 'valibot';

const text = v.string();
const amount = v.pipe(v.number(), v.finite());
const whole = v.pipe(v.number(), v.safeInteger());
const optional = <T extends v.GenericSchema>(schema: T) => v.exactOptional(schema);
const options = v.record(text, text);

const address = v.looseObject({
  address1: text,
  address2: text,
  city: text,
  state: text,
  country: text,
  zip: text,
});

export const user = v.looseObject({
  user_id: text,
  name: v.looseObject({ first_name: text, last_name: text }),
  address,
  email: text,
  membership: v.picklist(['bronze', 'silver', 'gold']),
  payment_methods: v.record(
    text,
    v.variant('source', [
      v.looseObject({ source: v.literal('credit_card'), brand: text, last_four: text }),
      v.looseObject({ source: v.literal('gift_card'), balance: amount }),
    ]),
  ),
  orders: v.array(text),
});

export const order = v.looseObject({
  order_id: text,
  user_id: text,
  address,
  items: v.array(v.looseObject({ name: text, product_id: text, item_id: text, price: amount, options })),
  status: text,
  placed_at: text,
  delivered_at: optional(text),
  payment_history: v.array(
    v.looseObject({
      transaction_type: v.picklist(['payment', 'refund']),
      amount,
      payment_method_id: text,
    }),
  ),
});

const status = v.picklist(['pending', 'approved', 'denied', 'escalated']);

export const bankingCase = v.looseObject({
  case_id: text,
  kind: text,
  account_id: text,
  merchant_id: optional(text),
  payee_id: optional(text),
  current_limit: optional(amount),
  requested_limit: optional(amount),
  amount: optional(amount),
  same_day_approved_total: optional(amount),
  status,
  reason: v.optional(v.nullable(text), null),
  chosen_leg: optional(whole),
  legs: optional(
    v.array(
      v.looseObject({
        leg: whole,
        amount: optional(amount),
        requested: optional(amount),
        merchant_id: optional(text),
        payee_id: optional(text),
      }),
    ),
  ),
  lines: optional(
    v.array(v.looseObject({ line: whole, payee_id: text, amount, status, reason: v.nullable(text) })),
  ),
});

export const product = v.looseObject({
  name: text,
  product_id: text,
  category: v.picklist(['apparel', 'electronics', 'home']),
  variants: v.record(
    text,
    v.looseObject({
      options: v.record(text, text),
      price: amount,
      available: v.boolean(),
      clearance: optional(v.boolean()),
    }),
  ),
});

export const account = v.looseObject({
  account_id: text,
  holder: text,
  state: text,
  verification: v.picklist(['basic', 'verified']),
  standing: v.picklist(['good', 'recent_chargeback']),
  tenure_years: amount,
  credit_limit: amount,
  opened: text,
  today_total: optional(amount),
});

export const merchant = v.looseObject({
  merchant_id: text,
  name: text,
  category: text,
  region: v.picklist(['domestic', 'overseas']),
});

export const payee = v.looseObject({
  payee_id: text,
  name: text,
  type: text,
  jurisdiction: text,
  added_days_ago: optional(amount),
});
