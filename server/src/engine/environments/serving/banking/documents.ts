/** What the bank's documents say, and what holds beside them, in words. */
import banking from '../../../../../../prompts/serving/banking.json' with { type: 'json' };
import type { Document } from '../documents.ts';
import { fill, listed } from '../fill.ts';
import type { Tier } from '../scenarios.ts';
import { bankingPractice, documentedBanking, hiddenBankingRules } from './policy.ts';
import type { Payee } from './tables.ts';
import { restrictedPayees } from './world.ts';

/** The documents of a tier. */
export function bankingDocuments(tier: Tier): Document[] {
  const policy = documentedBanking(tier);
  const { variants } = banking;
  const slots = {
    limits: listed(
      Object.entries(policy.limits).map(([category, value]) => fill(variants.limit, { category, value })),
    ),
    cap: policy.cap,
    reporting: policy.reporting,
    payees: policy.newPayeeAbove === null ? variants.payees_none : variants.payees_review,
  };
  return Object.entries(banking.documents).flatMap(([id, { title, sections }]) => ({
    id,
    title,
    sections: Object.entries(sections).map(([name, text]) => ({ name, text: fill(text, slots) })),
  }));
}

/** The rules of a window that documents do not tell, a line each. */
export function bankingBulletin(tier: Tier, window: number, payees: Readonly<Record<string, Payee>>): string {
  const policy = bankingPractice(tier, window);
  const lines = hiddenBankingRules(tier, window).map((rule) => {
    switch (rule) {
      case 'electronics':
      case 'travel':
        return fill(banking.bulletin[rule], { value: policy.limits[rule] ?? '' });
      case 'corridor':
        return fill(banking.bulletin[rule], { value: listed(policy.corridor) });
      case 'newPayee':
        return fill(banking.bulletin[rule], { value: policy.newPayeeAbove ?? '' });
      case 'restricted': {
        const names = [...restrictedPayees(payees, policy.restricted)].map(
          (id) => `${payees[id]?.name ?? ''} (${id})`,
        );
        return fill(banking.bulletin[rule], { value: listed(names) });
      }
      case 'giftCards':
        return banking.bulletin[rule];
      default:
        return fill(banking.bulletin[rule], { value: policy[rule] ?? '' });
    }
  });
  const list = lines.length === 0 ? [banking.bulletin.none] : lines;
  return [banking.bulletin.heading, ...list.map((line) => `- ${line}`)].join('\n');
}
