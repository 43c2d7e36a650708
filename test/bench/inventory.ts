/** The inventory's rows: ratios to parsing the same instances from JSON. */
import { inventory } from '../../server/src/engine/environments/inventory/index.ts';
import type { Instance } from '../../server/src/engine/environments/inventory/instance.ts';
import { defaults } from '../../server/src/engine/environments/inventory/options.ts';
import { playEpisode } from '../../server/src/engine/evals/play.ts';
import { atMost, compare, type Row } from './measure.ts';

const episodes = 100;

function made(first: number): Instance[] {
  return Array.from({ length: episodes }, (_, i) => {
    const one = inventory.generate('train', first + i, defaults);
    if (!one.ok) throw new Error(one.error);
    return one.value.instance;
  });
}

function played(instances: readonly Instance[]): number {
  const [policy] = inventory.policies;
  if (policy === undefined) throw new Error('no policy');
  return instances.reduce(
    (sum, instance) => sum + playEpisode(inventory, instance, defaults, policy, '0').outcome.reward,
    0,
  );
}

/** Ten chunks of a thousand words each, a hundred times; a second. */
export function inventoryRows(): Row[] {
  const list = made(0);
  const text = JSON.stringify(list);
  const parse = () => (JSON.parse(text) as unknown[]).length;
  const make = compare(20, parse, (round) => made((round + 10) * episodes).length);
  const play = compare(20, parse, () => played(list));
  return [
    atMost('100 instances of 10 x 1,000 words, generated', make.subject / make.unit, 5, 'x JSON.parse'),
    atMost('the same, played and scored', play.subject / play.unit, 5, 'x JSON.parse'),
  ];
}
