/**
 * What the document of an instance speaks of, as plain data over offsets: its entities, every place that names one or
 * gives a value of one, how the chain of evidence runs and which distractors lie beside it. Editors answer hover,
 * definitions and references from it.
 *
 * Offsets are UTF-16 code units of {@link InstanceText.text}, `start` inclusive and `end` exclusive. Mentions are
 * columns of numbers and not objects: a large document has thousands of them, and ten may be open.
 */

/** How a place speaks of an entity, in the order of their numbers in {@link Mentions.roles}. */
export const MENTION_ROLES = [
  /** The name that opens the entity's own entry. */
  'entry',
  /** First or last name in the header of a chunk. */
  'range',
  /** In the question. */
  'question',
  /** Another's entry links to the entity. */
  'link',
  /** Another's entry linked to it once. */
  'superseded link',
  /** A value that the entity has. */
  'value',
  /** A value that it once had. */
  'superseded value',
  /** The entity once more, e.g. a line that is printed again. */
  'repeat',
] as const;

export type MentionRole = (typeof MENTION_ROLES)[number];

/** Bits of {@link Mentions.marks}: what a player must not know. A mention can have several. */
export const MARKS = { evidence: 1, nearMiss: 2, answer: 4 } as const;

/** Stands where there is no entity, no label or no mention. */
export const NONE = -1;

/** A thing with an entry of its own, or one that is only linked to. */
export interface LinkedEntity {
  readonly name: string;
  /** In words, e.g. `person`. */
  readonly type: string;
  /** Number of the chunk with its entry; {@link NONE} when it has none. */
  readonly chunk: number;
  /** Its entry, one line; both 0 when it has none. */
  readonly start: number;
  readonly end: number;
}

/** All mentions in text order, none overlapping another. Every column has `count` numbers. */
export interface Mentions {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Positions in {@link MENTION_ROLES}. */
  readonly roles: Uint8Array;
  /** The entity that is named or whose value it is: positions in {@link InstanceLinks.entities}. */
  readonly entities: Int32Array;
  /** The entity in whose entry it stands; {@link NONE} outside entries. */
  readonly owners: Int32Array;
  /** The field it stands in: positions in {@link InstanceLinks.labels}, or {@link NONE}. */
  readonly labels: Int16Array;
  /** Sums of {@link MARKS}; 0 for most. */
  readonly marks: Uint8Array;
}

/** One hop of the evidence: the entry of `entity` says that its field `label` is `value`. */
export interface LinkedHop {
  readonly entity: number;
  readonly chunk: number;
  readonly label: string;
  readonly value: string;
  /** Mentions of the entry's name and of the value; {@link NONE} when the document does not have them. */
  readonly nameMention: number;
  readonly valueMention: number;
}

/** Something that looks like evidence. */
export interface LinkedDistractor {
  /** In words, e.g. `twin`. */
  readonly kind: string;
  /** The hop it lies beside, from 0. */
  readonly hop: number;
  readonly entity: number;
  readonly chunk: number;
  readonly value: string;
  /** Where following it ends; null when nowhere. */
  readonly wrongAnswer: string | null;
  readonly nameMention: number;
  readonly valueMention: number;
}

export interface InstanceLinks {
  /** What one link of the chain is called, e.g. `operation`; a `hop` when absent. */
  readonly linkName?: string;
  /** What a chunk is called, e.g. `line`; a `chunk` when absent. */
  readonly chunkName?: string;
  readonly entities: readonly LinkedEntity[];
  /** Names of fields, e.g. `Lead`. */
  readonly labels: readonly string[];
  readonly mentions: Mentions;
  /** From here on: what a player must not know. */
  /** Empty when the chain leads to no single one. */
  readonly answer: string;
  /** In the order of the hops. */
  readonly chain: readonly LinkedHop[];
  readonly distractors: readonly LinkedDistractor[];
}

/** Links of an instance whose environment knows of none. */
export const noLinks: InstanceLinks = {
  entities: [],
  labels: [],
  mentions: columns(0),
  answer: '',
  chain: [],
  distractors: [],
};

/** Empty columns for `count` mentions. */
export function columns(count: number): Mentions {
  return {
    count,
    starts: new Uint32Array(count),
    ends: new Uint32Array(count),
    roles: new Uint8Array(count),
    entities: new Int32Array(count),
    owners: new Int32Array(count),
    labels: new Int16Array(count),
    marks: new Uint8Array(count),
  };
}

/** The mention that holds `offset` (its end included, as a cursor may stand there), or {@link NONE}. */
export function findMention({ count, starts, ends }: Mentions, offset: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const last = low - 1;
  if (last < 0) return NONE;
  if (offset <= (ends[last] ?? 0)) return last;
  return NONE;
}

/** The role of mention `index`. */
export function roleOf(mentions: Mentions, index: number): MentionRole {
  return MENTION_ROLES[mentions.roles[index] ?? 0] ?? 'entry';
}
