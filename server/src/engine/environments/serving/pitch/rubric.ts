/** How many points a pitch gets, once it is known what it says. */

/** M: mentioned, C: directly denied, N: not addressed. */
export type Mark = 'M' | 'C' | 'N';

export interface Judged {
  /** What the customers make of each fact: 2, 1, 0, −1 or −3. */
  readonly weights: readonly number[];
  readonly marks: readonly Mark[];
  readonly invented: readonly string[];
  /** Words of the pitch, as white space parts them. */
  readonly words: number;
}

export interface Points {
  /** From 0 to 1: the weight of what is liked and was mentioned, out of all that is liked. */
  readonly coverage: number;
  readonly disliked: number;
  readonly redLines: number;
  /** Facts denied. */
  readonly lies: number;
  /** Different invented claims, at most 5. */
  readonly invented: number;
  /** From 0 to 100. */
  readonly score: number;
}

const MOST_INVENTED = 5;
const LONGEST = 90;
const TOO_LONG = 25;

/** Points of a judged pitch. */
export function pointsOf({ weights, marks, invented, words }: Judged): Points {
  const sum = { liked: 0, covered: 0, disliked: 0, redLines: 0, lies: 0 };
  for (const [at, weight] of weights.entries()) {
    const mark = marks[at] ?? 'N';
    if (mark === 'C') sum.lies++;
    if (weight > 0) {
      sum.liked += weight;
      if (mark === 'M') sum.covered += weight;
    } else if (mark !== 'N') {
      if (weight === -1) sum.disliked++;
      if (weight === -3) sum.redLines++;
    }
  }
  const distinct = new Set(
    invented.map((claim) => claim.trim().toLowerCase()).filter((claim) => claim !== ''),
  );
  const claims = Math.min(distinct.size, MOST_INVENTED);
  const coverage = sum.liked === 0 ? 0 : sum.covered / sum.liked;
  const full = 100 * coverage * 0.5 ** sum.disliked * 0.3 ** sum.redLines * 0.5 ** sum.lies * 0.5 ** claims;
  return {
    coverage,
    disliked: sum.disliked,
    redLines: sum.redLines,
    lies: sum.lies,
    invented: claims,
    score: words > LONGEST ? Math.min(TOO_LONG, full) : full,
  };
}

/** Words as white space parts them. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
