/** Making and scoring the logs of a split, against what it takes to parse the same records as JSON. */
import { distinctContents } from '../../server/src/engine/environments/log-compression/fidelity.ts';
import { logCompression } from '../../server/src/engine/environments/log-compression/index.ts';
import type { Instance } from '../../server/src/engine/environments/log-compression/instance.ts';
import { scoreCandidate } from '../../server/src/engine/environments/log-compression/scoring.ts';
import { atMost, compare, type Row } from './measure.ts';

const ROUNDS = 200;
const SIZE = 200;

function recordAt(index: number): Instance {
  const made = logCompression.generate('train', index, {});
  if (!made.ok) throw new Error(made.error);
  return made.value.instance;
}

/** Every record is made anew in every round, and scored with the ideal reply. */
export function logRows(): readonly Row[] {
  const records = Array.from({ length: SIZE }, (_, index) => recordAt(index));
  const texts = records.map((record) => JSON.stringify(record));
  const replies = records.map((record) => distinctContents(record).join('\n'));
  const parse = () => {
    let sum = 0;
    for (const text of texts) sum += JSON.parse(text).raw.length;
    return sum;
  };
  const play = () => {
    let sum = 0;
    replies.forEach((reply, index) => {
      sum += scoreCandidate(recordAt(index), reply).reward;
    });
    return sum;
  };
  const { unit, subject } = compare(ROUNDS, parse, play);
  return [atMost(`${SIZE} logs made and scored`, subject / unit, 5, '× JSON.parse')];
}
