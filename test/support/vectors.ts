/**
 * Access to the shared folder: vectors and data made outside of this project, which are not part of it.
 *
 * `HOPSCOPE_SHARED` says where the folder is; otherwise it is looked for beside the repository. A clone without
 * it skips the tests that need it and says so. With `HOPSCOPE_REQUIRE_ALL=1` nothing may be skipped: a missing
 * folder is then a failure.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Instance } from '../../server/src/engine/environments/navigator/instance.ts';

/** Absolute path of the shared folder, whether or not it exists. Scripts and tests run in the repository's root. */
export const sharedFolder: string = resolve(process.env['HOPSCOPE_SHARED'] ?? '../shared');

/** True when the shared folder is there to be read. */
export const hasShared: boolean = existsSync(`${sharedFolder}/vectors`);

/** True when a skipped test counts as a failure. */
export const requireAll: boolean = process.env['HOPSCOPE_REQUIRE_ALL'] === '1';

/** Which fields a row may have, so that a new one is noticed instead of being ignored. */
export interface Fields {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
}

/** Text of a file in the shared folder; `name` is relative, e.g. `vectors/pitch.jsonl`. */
export function readShared(name: string): string {
  const path = `${sharedFolder}/${name}`;
  if (!existsSync(path)) throw new Error(`${path} is missing: set HOPSCOPE_SHARED to the shared folder`);
  return readFileSync(path, 'utf8');
}

/**
 * Rows of a JSONL file under `vectors/`, e.g. `navigator/actions.jsonl`. Throws, naming file and line, when the
 * file has no rows, a line is not an object, or a row lacks a required field or has one that is not named.
 * An empty list when there is no shared folder and skipping is allowed, so that test tables can be built.
 */
export function readVectors<T extends object>(name: string, fields?: Fields): readonly T[] {
  if (!hasShared && !requireAll) return [];
  const rows: T[] = [];
  for (const [index, line] of readShared(`vectors/${name}`).split('\n').entries()) {
    if (line === '') continue;
    const row: unknown = JSON.parse(line);
    if (!isRow<T>(row)) throw new Error(`${name}:${index + 1} is not an object`);
    if (fields !== undefined) checkFields(row, fields, `${name}:${index + 1}`);
    rows.push(row);
  }
  if (rows.length === 0) throw new Error(`${name} holds no rows`);
  return rows;
}

/** Throws unless `row` has every required field and no field that is neither required nor optional. */
export function checkFields(row: object, fields: Fields, where: string): void {
  const known = new Set([...fields.required, ...(fields.optional ?? [])]);
  for (const key of fields.required) {
    if (!Object.hasOwn(row, key)) throw new Error(`${where} lacks the field "${key}"`);
  }
  for (const key of Object.keys(row)) {
    if (!known.has(key)) throw new Error(`${where} has the unknown field "${key}"`);
  }
}

/** The shape is the vector file's word; what matters of it is checked by {@link checkFields} and the tests. */
function isRow<T extends object>(value: unknown): value is T {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const splits = ['train', 'id_test', 'ood_test', 'scale_test'] as const;

/** Every field of the published schema, of an instance and of what stands in its lists. */
const instanceFields: Fields = {
  required: (
    'id seed split n_hops doc_tokens_target doc_tokens question answer answer_type answer_entity_type chunks ' +
    'evidence distractors candidate_answers min_reads min_steps compression_required generator env'
  ).split(' '),
  optional: ['answer_aliases', 'substrate'],
};
const chunkFields: Fields = {
  required: ['idx', 'section', 'header', 'kind', 'text', 'tokens', 'entity_names'],
};
const evidenceFields: Fields = {
  required: ['hop', 'chunk_idx', 'entity_type', 'entity', 'field', 'value', 'token_offset'],
};
const distractorFields: Fields = {
  required: ['kind', 'hop', 'chunk_idx', 'entity', 'value', 'wrong_answer'],
};

/** The navigator instances of one split in the vectors; none when there is no shared folder. */
export function splitInstances(split: (typeof splits)[number]): readonly Instance[] {
  const name = `navigator/instances_${split}.jsonl`;
  const instances = readVectors<Instance>(name, instanceFields);
  for (const { id, chunks, evidence, distractors } of instances) {
    for (const chunk of chunks) checkFields(chunk, chunkFields, `${name}, a chunk of ${id}`);
    for (const hop of evidence) checkFields(hop, evidenceFields, `${name}, a hop of ${id}`);
    for (const distractor of distractors) {
      checkFields(distractor, distractorFields, `${name}, a distractor of ${id}`);
    }
  }
  return instances;
}

/** The navigator instances of the vectors by id; empty when there is no shared folder. */
export function sharedInstances(): ReadonlyMap<string, Instance> {
  return new Map(splits.flatMap(splitInstances).map((instance) => [instance.id, instance]));
}
