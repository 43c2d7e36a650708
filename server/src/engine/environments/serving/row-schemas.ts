/** The rows of the databases that an instance brings along, for the check of instances from files. */
import * as v from 'valibot';

const text = v.string();
const amount = v.pipe(v.number(), v.finite());
const whole = v.pipe(v.number(), v.safeInteger());
const optional = <T extends v.GenericSchema>(schema: T) => v.exactOptional(schema);
const options = v.record(text, text);

const address = v.object({
  address1: text,
  address2: text,
  city: text,
  state: text,
  country: text,
  zip: text,
});

export const user = v.object({
  user_id: text,
  name: v.object({ first_name: text, last_name: text }),
  address,
  email: text,
  membership: v.picklist(['bronze', 'silver', 'gold']),
  payment_methods: v.record(
    text,
    v.variant('source', [
      v.object({ source: v.literal('credit_card'), brand: text, last_four: text }),
      v.object({ source: v.literal('gift_card'), balance: amount }),
    ]),
  ),
  orders: v.array(text),
});

export const order = v.object({
  order_id: text,
  user_id: text,
  address,
  items: v.array(v.object({ name: text, product_id: text, item_id: text, price: amount, options })),
  status: text,
  placed_at: text,
  delivered_at: optional(text),
  payment_history: v.array(
    v.object({
      transaction_type: v.picklist(['payment', 'refund']),
      amount,
      payment_method_id: text,
    }),
  ),
});

const status = v.picklist(['pending', 'approved', 'denied', 'escalated']);

export const bankingCase = v.object({
  case_id: text,
  kind: v.picklist(['transaction', 'limit_request', 'transfer', 'ranked', 'batch']),
  account_id: text,
  merchant_id: optional(text),
  payee_id: optional(text),
  current_limit: optional(amount),
  requested_limit: optional(amount),
  amount: optional(amount),
  same_day_approved_total: optional(amount),
  status,
  reason: v.nullable(text),
  chosen_leg: optional(whole),
  legs: optional(
    v.array(v.object({ leg: whole, amount, merchant_id: optional(text), payee_id: optional(text) })),
  ),
  lines: optional(
    v.array(v.object({ line: whole, payee_id: text, amount, status, reason: v.nullable(text) })),
  ),
});
