/** The data of two-hop: where they are published and the hash of every file. None of their rows are part of this program. */
import type { DataSet } from '../data-set.ts';
import type { RowCounts } from './catalogue.ts';
import sums from './files.json' with { type: 'json' };

/** By path: the hash, a blank, the size in bytes. */
const table: Readonly<Record<string, string>> = sums;

export const dataSet: DataSet = {
  id: 'two-hop',
  title: 'semi-synthetic two-hop questions',
  origin: 'mbalesni/synthetic-two-hop on GitHub, published without a licence',
  commit: '2d18b23f1f813f5e6fa8e44e53a2801c1ae52ebb',
  address: 'https://raw.githubusercontent.com/mbalesni/synthetic-two-hop/{commit}',
  folder: 'datasets/semi_synthetic',
  files: Object.entries(table).map(([path, entry]) => {
    const [sha256 = '', bytes = ''] = entry.split(' ');
    return { path, sha256, bytes: Number(bytes) };
  }),
};

/** Rows of each of its files of questions. */
export const rowCounts: RowCounts = { nocot: 20, cot: 20, nocot_shuffled: 100 };
