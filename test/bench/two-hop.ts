/** Loading the questions of two-hop, against what it takes to parse the same lines as JSON. */
import { readFileSync } from 'node:fs';
import { twoHop } from '../../server/src/engine/environments/two-hop/index.ts';
import { openDataFiles } from '../../server/src/host/data/open.ts';
import { hasShared, sharedFolder } from '../support/vectors.ts';
import { atMost, compare, type Row } from './measure.ts';

const ROUNDS = 60;

/** Nothing without the data. Reading from the disk and hashing belong to loading, and are not part of the unit. */
export function twoHopRows(): readonly Row[] {
  const { data } = twoHop;
  const options = twoHop.parseOptions({});
  if (!hasShared || data === undefined || !options.ok) return [];
  process.env['HOPSCOPE_DATA'] = `${sharedFolder}/data`;
  const size = twoHop.splits.find(({ id }) => id === 'nocot')?.size ?? 0;
  const places = data.set.files.map(({ path }) => path);
  const used = places.filter((path) => /_nocot\.jsonl$|first_hop/.test(path));
  const texts = used.map((path) => readFileSync(`${sharedFolder}/data/two-hop/${path}`, 'utf8'));
  const parse = () => {
    let sum = 0;
    for (const text of texts) {
      for (const line of text.split('\n')) if (line !== '') sum += JSON.parse(line).answer.length;
    }
    return sum;
  };
  const load = () => {
    const bound = data.bind(openDataFiles(data.set));
    let sum = 0;
    for (let index = 0; index < size; index++) {
      const made = bound.generate('nocot', index, options.value);
      if (!made.ok) throw new Error(made.error);
      sum += made.value.instance.answer.length;
    }
    return sum;
  };
  const { unit, subject } = compare(ROUNDS, parse, load);
  return [atMost(`two-hop: ${size} questions read, hashed and joined`, subject / unit, 5, '× JSON.parse')];
}
