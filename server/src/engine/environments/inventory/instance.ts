/**
 * An instance: an inventory that changes by operations, which are hidden in chunks of noise. All chunk numbers in it are
 * positions, from 0; people and prompts count from 1, as turns do.
 */

/** What an operation does with a key. */
export type OperationKind = 'GET' | 'DROP';

export interface Operation {
  readonly kind: OperationKind;
  readonly key: string;
  readonly chunk: number;
}

/** `bare` is a key's name in the noise, `look-alike` a tag in lower-case letters; neither is an operation. */
export type DistractorKind = 'bare' | 'look-alike';

export interface Distractor {
  readonly kind: DistractorKind;
  readonly key: string;
  readonly chunk: number;
  /** As it stands in the chunk. */
  readonly text: string;
}

/** What the instance was generated with. */
export interface GeneratorRecord {
  readonly seed: number;
  /** Position in the split. */
  readonly index: number;
  /** Noise words in each chunk. */
  readonly chunk_size: number;
}

export interface Instance {
  readonly id: string;
  readonly split: string;
  /** One for each turn. */
  readonly chunks: readonly string[];
  /** In the order in which they are to be carried out. */
  readonly operations: readonly Operation[];
  readonly distractors: readonly Distractor[];
  /** What is held in the end, sorted. */
  readonly truth: readonly string[];
  readonly generator: GeneratorRecord;
}

/** An operation as it stands in a chunk. */
export function printOperation({ kind, key }: Pick<Operation, 'kind' | 'key'>): string {
  return `[${kind}: ${key}]`;
}

/** An operation found in a text, with its place in UTF-16 code units. */
export interface FoundOperation {
  readonly kind: OperationKind;
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

const tag = /\[(GET|DROP): ([^[\]:\n]{1,200})\]/g;

/** The operations that stand in `text`, in its order. */
export function findOperations(text: string): FoundOperation[] {
  return Array.from(text.matchAll(tag), ({ 0: whole, 1: kind, 2: key = '', index }) => ({
    kind: kind === 'DROP' ? 'DROP' : 'GET',
    key,
    start: index,
    end: index + whole.length,
  }));
}

/** What is held after `operations` by somebody who held `before`, in order of arrival. */
export function applyOperations(
  before: readonly string[],
  operations: readonly Pick<Operation, 'kind' | 'key'>[],
): readonly string[] {
  const held = new Set(before);
  for (const { kind, key } of operations) {
    if (kind === 'GET') held.add(key);
    else held.delete(key);
  }
  return [...held];
}

/** The operations of one chunk. */
export function operationsOf({ operations }: Instance, chunk: number): readonly Operation[] {
  return operations.filter((operation) => operation.chunk === chunk);
}

const truths = new WeakMap<Instance, readonly (readonly string[])[]>();

/** What is held after each turn when every operation is carried out, in order of arrival; worked out once. */
export function truthsOf(instance: Instance): readonly (readonly string[])[] {
  const known = truths.get(instance);
  if (known !== undefined) return known;
  let held: readonly string[] = [];
  const all = instance.chunks.map((_, chunk) => {
    held = applyOperations(held, operationsOf(instance, chunk));
    return held;
  });
  truths.set(instance, all);
  return all;
}
