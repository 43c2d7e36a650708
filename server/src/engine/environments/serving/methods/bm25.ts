/**
 * Okapi BM25 with k1 = 1.5 and b = 0.75 over texts of lower-case letters and digits; the weight of a term is
 * ln(1 + (n − df + 0.5) / (df + 0.5)).
 */

const K1 = 1.5;
const B = 0.75;

/** How often each term occurs in a text. */
export interface Terms {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** The terms of a text. */
export function termsOf(text: string): Terms {
  const counts = new Map<string, number>();
  let length = 0;
  for (const [term] of text.toLowerCase().matchAll(/[a-z0-9]+/g)) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
    length++;
  }
  return { counts, length };
}

/** A list of texts made ready to be searched. */
export interface Index {
  /** Positions of the best texts with scores above 0, best first; of equal ones the earlier. */
  search(query: string, most: number): readonly { readonly at: number; readonly score: number }[];
}

/** Makes an index. */
export function indexOf(texts: readonly Terms[]): Index {
  const postings = new Map<string, [at: number, count: number][]>();
  let length = 0;
  for (const [at, { counts, length: own }] of texts.entries()) {
    length += own;
    for (const [term, count] of counts) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [[at, count]]);
      else list.push([at, count]);
    }
  }
  const mean = texts.length === 0 ? 1 : length / texts.length || 1;
  return {
    search(query, most) {
      const scores = new Map<number, number>();
      // A term that the query repeats counts as often as it stands there.
      for (const [term, times] of termsOf(query).counts) {
        const list = postings.get(term) ?? [];
        const weight = Math.log(1 + (texts.length - list.length + 0.5) / (list.length + 0.5));
        for (const [at, count] of list) {
          const size = K1 * (1 - B + (B * (texts[at]?.length ?? 0)) / mean);
          scores.set(at, (scores.get(at) ?? 0) + (times * weight * count * (K1 + 1)) / (count + size));
        }
      }
      return [...scores]
        .filter(([, score]) => score > 0)
        .sort(([a, x], [b, y]) => y - x || a - b)
        .slice(0, most)
        .map(([at, score]) => ({ at, score }));
    },
  };
}
