/** The rules that hold for a task, in words. Privileged: an agent is to find them out. */
import { bankingBulletin } from './banking/documents.ts';
import type { Instance } from './instance.ts';
import { pitchBulletin } from './pitch/tasks.ts';
import { publishedOf } from './published/context.ts';
import { retailBulletin } from './retail/documents.ts';
import { worldFor } from './worlds.ts';

/** What documents do not tell about the window of a task. */
export function bulletin(instance: Instance): string {
  const { scenario, edition, tier, rules, own, window } = instance;
  const published = publishedOf(instance)?.bulletins[window];
  if (published !== undefined) return published;
  switch (own.domain) {
    case 'retail':
      return retailBulletin(tier, rules);
    case 'banking': {
      const world = worldFor(scenario, edition);
      return bankingBulletin(tier, rules, world?.domain === 'banking' ? world.banking.payees : {});
    }
    case 'pitch':
      return pitchBulletin(tier, own.persona);
  }
}
