/**
 * The order of the instances: domains by code point, in each its relations by code point, then the rows of the file. All of
 * it follows from the names of the declared files, so that thousands of instances can be listed without opening one.
 */
import { type Condition, isCondition, type Place } from './instance.ts';

/** A relation of a domain. */
export interface Relation {
  readonly domain: string;
  readonly relation: string;
}

/** Which part of the data is wanted. */
export interface Selection {
  /** All when absent. */
  readonly domains?: readonly string[];
  readonly relations?: readonly string[];
  /** So many rows from the beginning of each file; all when absent. */
  readonly max_per_file?: number;
}

export interface Catalogue {
  readonly domains: readonly string[];
  /** Names of relations over all domains, each once. */
  readonly relations: readonly string[];
  /** The relations that a selection leaves, in order. */
  chosen(condition: Condition, selection: Selection): readonly Relation[];
  /** How many instances a selection leaves. */
  size(condition: Condition, selection: Selection): number;
  /** The instance at `index` of a selection; null beyond its end. */
  member(condition: Condition, selection: Selection, index: number): Place | null;
  /** The index of a place when nothing is left out; null when there is no such place. */
  indexOf(place: Place): number | null;
}

/** Rows of each file, by condition. */
export type RowCounts = Readonly<Record<Condition, number>>;

/** Where the questions of a relation are. */
export function testFile({ domain, relation }: Relation, condition: Condition): string {
  return `${domain}/test/${relation}_${condition}.jsonl`;
}

/** Where a domain's facts about its persons are. */
export function factFile(domain: string): string {
  return `${domain}/train/first_hop.jsonl`;
}

const testFilePattern = /^([^/]+)\/test\/(.+?)_(nocot_shuffled|nocot|cot)\.jsonl$/;

/** @param paths of the declared files; those that hold no questions are skipped. */
export function catalogueOf(paths: readonly string[], rows: RowCounts): Catalogue {
  const found: Record<Condition, Relation[]> = { nocot: [], cot: [], nocot_shuffled: [] };
  for (const path of paths) {
    const [, domain, relation, condition] = testFilePattern.exec(path) ?? [];
    if (domain === undefined || relation === undefined || !isCondition(condition)) continue;
    found[condition].push({ domain, relation });
  }
  for (const list of Object.values(found)) list.sort(byCodePoint);
  const all = Object.values(found).flat();

  function chosen(condition: Condition, { domains, relations }: Selection): readonly Relation[] {
    const list = found[condition];
    if (domains === undefined && relations === undefined) return list;
    return list.filter(
      ({ domain, relation }) =>
        (domains?.includes(domain) ?? true) && (relations?.includes(relation) ?? true),
    );
  }
  const perFile = (condition: Condition, { max_per_file: most = rows[condition] }: Selection) =>
    Math.min(most, rows[condition]);

  return {
    domains: sorted(all.map(({ domain }) => domain)),
    relations: sorted(all.map(({ relation }) => relation)),
    chosen,
    size: (condition, selection) => chosen(condition, selection).length * perFile(condition, selection),
    member(condition, selection, index) {
      const each = perFile(condition, selection);
      const file = chosen(condition, selection)[Math.floor(index / each)];
      return file === undefined || index < 0 ? null : { split: condition, ...file, row: index % each };
    },
    indexOf({ split, domain, relation, row }) {
      const file = found[split].findIndex((it) => it.domain === domain && it.relation === relation);
      return file < 0 || row >= rows[split] ? null : file * rows[split] + row;
    },
  };
}

function byCodePoint(a: Relation, b: Relation): number {
  return compare(a.domain, b.domain) || compare(a.relation, b.relation);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort(compare);
}
