/**
 * What is known of the published data set: the state of its source, its files, and the fingerprints that its authors tell.
 *
 * Of files no hashes are published, but of some contents: worlds, tools, and bulletins by window. Those are pinned here. An
 * export of another state brings a file `fingerprints.json`, against which it is held then; it is not the published data
 * set, and never named like it.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../../../problem.ts';
import type { DataSet } from '../../data-set.ts';
import { scenarios } from '../scenarios.ts';
import published from './fingerprints.json' with { type: 'json' };

/** Gives the text of a file of the export; the error says what is wrong with it. */
export type ReadFile = (path: string) => Checked<string>;

const commit = '0102d861a97f4ccca42ea4e6cf8e8a1670b7f5c2';

const full = scenarios.filter(({ size }) => size === 'full');

/** The files of a scenario that are read. */
export function filesOf({ id, domain }: Pick<(typeof full)[number], 'id' | 'domain'>): readonly string[] {
  const own = domain === 'pitch' ? [] : ['world.json', 'policy.md', 'workflow.md'];
  return [
    ...['serving', 'test'].map((phase) => `data/${id}/${phase}.jsonl`),
    ...[...own, 'tools.json', 'windows.json'].map((name) => `environments/${id}/${name}`),
  ];
}

export const dataSet: DataSet = {
  id: 'servelearnbench',
  title: 'tasks of ServeLearnBench',
  origin: 'Infini-AI-Lab/ServeLearnBench on GitHub, published under the Apache licence 2.0',
  commit,
  address: 'https://raw.githubusercontent.com/Infini-AI-Lab/ServeLearnBench/{commit}',
  folder: 'dataset',
  files: full.flatMap(filesOf).map((path) => ({ path, sha256: null, bytes: null })),
};

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const schema = v.record(v.string(), v.looseObject({ world: hash, tools: hash, oracle_bulletins: hash }));

export type Fingerprints = v.InferOutput<typeof schema>[string];

/** What an export is held against, and what its tasks are said to come from. */
export interface Manifest {
  readonly source: string;
  /** Null for a scenario of which nothing is known. */
  of(scenario: string): Fingerprints | null;
}

const ours: Manifest = {
  source: `ServeLearnBench ${commit.slice(0, 7)}`,
  of: (scenario) => Object.entries(published).find(([id]) => id === scenario)?.[1] ?? null,
};

/** Where an export may tell its own fingerprints. */
const ownFile = 'fingerprints.json';

/** The manifest that an export is held against: the pinned one, unless it tells that it is of another state. */
export function manifestOf(read: ReadFile): Checked<Manifest> {
  const file = read(ownFile);
  if (!file.ok) return accept(ours);
  let raw: unknown;
  try {
    raw = JSON.parse(file.value);
  } catch {
    return refuse(`${ownFile} is no valid JSON`);
  }
  const own = v.safeParse(schema, raw);
  if (!own.success) return refuse(`${ownFile} is no list of fingerprints by scenario`);
  const found = own.output;
  const keys = ['world', 'tools', 'oracle_bulletins'] as const;
  const all = Object.entries(found);
  const isTheirs = ([id, one]: (typeof all)[number]): boolean => {
    const pinned = ours.of(id);
    return pinned !== null && keys.every((key) => pinned[key] === one[key]);
  };
  if (all.length > 0 && all.every(isTheirs)) return accept(ours);
  return accept({
    source: `another export in the format of ServeLearnBench, ${fingerprint(JSON.stringify(found)).slice(0, 8)}`,
    of: (scenario) => (Object.hasOwn(found, scenario) ? (found[scenario] ?? null) : null),
  });
}

/** The fingerprint of a content in its printed form. */
export function fingerprint(printed: string): string {
  return bytesToHex(sha256(utf8ToBytes(printed)));
}

/** Why a content is not what the manifest says; null when it is. @param printed null for what is no JSON. */
export function contentProblem(path: string, printed: string | null, expected: string): string | null {
  if (printed === null) return `${path} is no valid JSON`;
  const found = fingerprint(printed);
  if (found === expected) return null;
  return `${path} is not the published one: its fingerprint begins with ${found.slice(0, 12)} in place of ${expected.slice(0, 12)}`;
}
