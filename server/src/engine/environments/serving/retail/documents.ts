/** What the shop's documents say, and what holds beside them, in words. */
import retail from '../../../../../../prompts/serving/retail.json' with { type: 'json' };
import type { Document } from '../documents.ts';
import { fill } from '../fill.ts';
import type { Tier } from '../scenarios.ts';
import { documentedRetail, hiddenRules, retailPractice } from './policy.ts';

const texts: Readonly<Record<string, string>> = retail.bulletin;

/** The documents of a tier. */
export function retailDocuments(tier: Tier): Document[] {
  const policy = documentedRetail(tier);
  const { variants } = retail;
  const slots = {
    ...prefixed('limit', policy.cancelLimit, 1),
    ...policy.returnDays,
    ...prefixed('fee', policy.returnFee, 100),
    refunds: policy.originalCard === 'none' ? variants.refunds_gift : variants.refunds_any,
    difference: policy.giftUpcharge ? variants.difference_any : variants.difference_card,
    items: policy.perItem ? variants.items_each : variants.items_all,
  };
  return Object.entries(retail.documents).map(([id, { title, sections }]) => ({
    id,
    title,
    sections: Object.entries(sections).map(([name, text]) => ({ name, text: fill(text, slots) })),
  }));
}

/** The rules of a window that documents do not tell, a line each. */
export function retailBulletin(tier: Tier, window: number): string {
  const policy = retailPractice(tier, window);
  const lines = hiddenRules(tier, window).map((rule) => {
    switch (rule) {
      case 'noCancel':
        return fill(texts[rule] ?? '', {
          how: texts[`noCancel_${policy.noCancel}`] ?? '',
          code: policy.cancelCode,
        });
      case 'noExchange':
        return fill(texts[rule] ?? '', { what: texts[`noExchange_${policy.noExchange}`] ?? '' });
      case 'noExchangeState':
        return fill(texts[rule] ?? '', { state: policy.noExchangeState ?? '' });
      case 'boxExchange':
        return fill(texts[rule] ?? '', { code: policy.boxCode });
      case 'originalCard':
      case 'partialReturn':
        return texts[`${rule}_${policy[rule]}`] ?? '';
      default:
        return texts[rule] ?? '';
    }
  });
  const list = lines.length === 0 ? [retail.bulletin.none] : lines;
  return [retail.bulletin.heading, ...list.map((line) => `- ${line}`)].join('\n');
}

/** Figures by membership as slots, e.g. `limit_gold`. */
function prefixed(
  name: string,
  figures: Readonly<Record<string, number>>,
  unit: number,
): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(figures).map(([key, it]) => [`${name}_${key}`, it * unit]));
}
