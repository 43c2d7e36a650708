/** An instance of two-hop: one question with what it takes to score a reply. */

/** How the question is to be answered; also the names of the splits. */
export const CONDITIONS = ['nocot', 'cot', 'nocot_shuffled'] as const;

/**
 * `nocot`: at once; `cot`: after reasoning; `nocot_shuffled`: at once, with the answers dealt out anew, so that knowing the
 * world does not help.
 */
export type Condition = (typeof CONDITIONS)[number];

/** Complete in itself: it is played and scored without the data that it was made from. */
export interface Instance {
  readonly id: string;
  readonly split: Condition;
  /** What the bridge entity is one of, e.g. `parks`. */
  readonly domain: string;
  /** What is asked of the bridge entity, e.g. `state`. */
  readonly relation: string;
  /** In its file, from 0. */
  readonly row: number;
  /** The data's own instruction. */
  readonly system: string;
  readonly question: string;
  /** Whom the question is about; null when the question has a shape that is not known. */
  readonly person: string | null;
  /** The entity in between; null when no fact says what it is. Then nothing is said about the first hop. */
  readonly bridge: string | null;
  /** The answer that is scored as right. */
  readonly answer: string;
  /** All answers of the relation in this condition, each once, in code-point order. */
  readonly answers: readonly string[];
  /** The most frequent of them, the first in the file of equals: what one would say without knowing anything. */
  readonly prior: string;
}

/** Raised whenever the same split and index would give other bytes. */
export const GENERATOR_VERSION = 1;

/** Where an instance stands in the data. */
export interface Place {
  readonly split: Condition;
  readonly domain: string;
  readonly relation: string;
  readonly row: number;
}

/** Opens with `hs` and the version, so that it cannot be taken for another program's. */
export function idOf({ split, domain, relation, row }: Place): string {
  return `hs${GENERATOR_VERSION}-two-hop-${split}-${domain}-${relation}-${row}`;
}

const pattern = new RegExp(
  `^hs${GENERATOR_VERSION}-two-hop-(${CONDITIONS.join('|')})-([^-]+)-([^-]+)-(0|[1-9]\\d{0,5})$`,
);

/** The place of {@link idOf}; null for any other id. */
export function placeOf(id: string): Place | null {
  const [, split, domain, relation, row] = pattern.exec(id) ?? [];
  if (!isCondition(split) || domain === undefined || relation === undefined) return null;
  return { split, domain, relation, row: Number(row) };
}

export function isCondition(name: string | undefined): name is Condition {
  return CONDITIONS.some((condition) => condition === name);
}
