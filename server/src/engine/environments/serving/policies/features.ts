/**
 * What a perceptive agent notices about a task: the things that a rule could speak of. Each is one short phrase, so that
 * two tasks have a phrase in common exactly when one rule could speak of both.
 */
import { documentedBanking } from '../banking/policy.ts';
import { type BankingCase, type BankingDatabase, formOf } from '../banking/tables.ts';
import { find } from '../database.ts';
import type { Instance } from '../instance.ts';
import { findVariant, howPaid, isAudio, isBox, productOf } from '../retail/decide.ts';
import { documentedRetail } from '../retail/policy.ts';
import type { Leg } from '../retail/request.ts';
import { daysSince, type Order, type RetailDatabase, type User } from '../retail/tables.ts';
import type { Tier } from '../scenarios.ts';
import { openWorld } from '../toolbox.ts';

/** The features of a task, none of them twice. */
export function featuresOf(instance: Instance): string[] {
  const world = openWorld(instance);
  const { own, tier } = instance;
  if (world.domain === 'retail' && own.domain === 'retail') {
    const legs = own.request?.legs.slice(0, 1) ?? [];
    const features = legs.flatMap((leg) => legFeatures(world.db, tier, own.order, own.user, leg));
    return features.length === 0 ? ['plain request'] : [...new Set(features)];
  }
  if (world.domain === 'banking' && own.domain === 'banking') {
    return caseFeatures(world.db, tier, own.case);
  }
  return own.domain === 'pitch' ? own.sheet.facts.map(({ attribute, value }) => `${attribute} ${value}`) : [];
}

function legFeatures(db: RetailDatabase, tier: Tier, order: Order, user: User, leg: Leg): string[] {
  const found: string[] = [];
  if (leg.op === 'cancel') return [`cancel paid ${howPaid(order).kind}`];
  if (leg.op === 'place') return ['new order'];
  if (leg.op === 'modify' && howPaid(order).kind === 'split') found.push('modify paid split');
  const items = order.items.filter(({ item_id }) => leg.items.includes(item_id));
  const products = items.flatMap((item) => productOf(db, item) ?? []);
  if (leg.op !== 'return') {
    const isDearer =
      leg.to.reduce((sum, id) => sum + (findVariant(db, id)?.variant.price ?? 0), 0) >
      items.reduce((sum, { price }) => sum + price, 0);
    if (isDearer && user.payment_methods[leg.pay]?.source === 'gift_card')
      found.push('gift card pays difference');
  }
  const isPart = leg.items.length < order.items.length;
  if (leg.op === 'exchange') {
    for (const product of products) {
      if (isAudio(product)) found.push('exchange audio');
      else if (product.category === 'electronics') found.push('exchange electronics');
    }
    if (['FL', 'TX'].includes(order.address.state)) found.push(`exchange to ${order.address.state}`);
    if (isBox(order)) found.push('exchange to box');
    if (isPart) found.push('exchange part');
  }
  if (leg.op === 'return') {
    const method = user.payment_methods[leg.pay];
    if (method?.source === 'credit_card') found.push(`refund to ${method.brand}`);
    if (isPart)
      found.push(
        products.some(({ category }) => category === 'electronics')
          ? 'return electronic part'
          : 'return part',
      );
    const { returnDays } = documentedRetail(tier);
    for (const [at, item] of items.entries()) {
      const product = products[at];
      if (product?.variants[item.item_id]?.clearance) found.push('return clearance');
      if (product && daysSince(order.delivered_at) > returnDays[product.category]) found.push('return late');
    }
  }
  return found;
}

/** Amounts are told apart in steps, since a rule is a limit somewhere. */
function step(amount: number, size: number): number {
  return Math.floor((amount - 1) / size) * size;
}

function caseFeatures(db: BankingDatabase, tier: Tier, one: BankingCase): string[] {
  if (one.requested_limit !== undefined) return [`limit ${step(one.requested_limit, 400)}`];
  const form = formOf(one);
  if (form !== 'single') return [form];
  if (one.payee_id !== undefined) {
    const days = find(db, 'payees', one.payee_id)?.added_days_ago ?? 99;
    return [one.payee_id, ...(days < 30 ? [`new payee ${step(one.amount ?? 0, 700)}`] : [])];
  }
  const account = find(db, 'accounts', one.account_id);
  const merchant = find(db, 'merchants', one.merchant_id ?? '');
  if (account === undefined || merchant === undefined) return [];
  const amount = one.amount ?? 0;
  const today = (account.today_total ?? 0) + amount;
  const { category, region } = merchant;
  const hasLimit = documentedBanking(tier).limits[category] !== undefined;
  return [
    ...(region === 'overseas' ? [`overseas ${category}`] : []),
    ...(hasLimit ? [`${category} ${step(amount, 50)}`] : []),
    ...(category === 'gift_cards' ? [`gift cards ${account.verification}`] : []),
    ...(today > 1500 ? [`today ${step(today, 100)}`] : []),
  ];
}
