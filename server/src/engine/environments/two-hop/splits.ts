/** The conditions as splits. The data have no part that would be kept for iterating. */
import type { Split } from '../environment.ts';
import type { Catalogue } from './catalogue.ts';
import { CONDITIONS, type Condition } from './instance.ts';

const descriptions: Readonly<Record<Condition, string>> = {
  nocot: 'the answer at once, without reasoning',
  cot: 'reasoning first, then the answer',
  nocot_shuffled: 'as nocot, but with the answers of each relation dealt out anew, five times',
};

/** The splits of data that hold what `catalogue` lists. */
export function splitsFor(catalogue: Catalogue): readonly Split[] {
  return CONDITIONS.map((id) => ({
    id,
    size: catalogue.size(id, {}),
    test: false,
    finite: true,
    description: descriptions[id],
  }));
}
