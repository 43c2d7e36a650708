/** Two sets of the size, the order and the families of the published one. */
import type { Split } from '../environment.ts';
import { CASES } from './instance.ts';

/** Records of each case in a split. */
export const CASE_SIZE = 40;

const size = CASES.length * CASE_SIZE;

export const splits: readonly Split[] = [
  { id: 'train', size, test: false, description: `${CASE_SIZE} logs of each case, to iterate on` },
  { id: 'test', size, test: true, description: `${CASE_SIZE} other logs of each case, held out` },
];
