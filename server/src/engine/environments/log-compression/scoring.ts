/**
 * The second gate: how short the candidate is, on the scale that the reference compressor and the ideal output span.
 * As good as the reference is 0, as short as the critical contents alone is 1, and twice as far from the ideal as the
 * reference is −1. Where the reference leaves no headroom above the ideal, the scale is the reference itself.
 */
import { missingContents } from './fidelity.ts';
import type { Instance } from './instance.ts';

const beyondBasicPlane = /[\ud800-\udbff]/;
const surrogatePairs = /[\ud800-\udbff][\udc00-\udfff]/g;

/** The published estimate of a text's tokens: a quarter of its code points, rounded down, and at least 1. */
export function estimateTokens(text: string): number {
  // Nearly all logs are spared the second look.
  const pairs = beyondBasicPlane.test(text) ? (text.match(surrogatePairs)?.length ?? 0) : 0;
  return tokensOfLength(text.length - pairs);
}

/** The same for a text of so many code points. */
export function tokensOfLength(points: number): number {
  return Math.max(1, Math.floor(points / 4));
}

/** `headroom`: the span is the reference's ratio less the ideal one; `floor`: it is the reference's ratio. */
export type Branch = 'headroom' | 'floor';

export interface Score {
  readonly rawTokens: number;
  readonly candidateTokens: number;
  /** Tokens of the candidate ÷ tokens of the log. */
  readonly ratio: number;
  readonly branch: Branch;
  readonly span: number;
  /** From −1 to 1, whatever became of the critical lines. */
  readonly score: number;
  /** Distinct critical contents that are not in the candidate. */
  readonly missing: readonly string[];
  /** The score when nothing is missing, otherwise 0. */
  readonly reward: number;
}

/** Scores `candidate`, which is taken as it is: nothing is trimmed and no code fence removed. */
export function scoreCandidate(instance: Instance, candidate: string): Score {
  const { reference_ratio: reference, ideal_ratio: ideal } = instance;
  const rawTokens = estimateTokens(instance.raw);
  const candidateTokens = estimateTokens(candidate);
  const ratio = candidateTokens / rawTokens;
  const { branch, span } = scaleOf(reference, ideal);
  const score = Math.max(-1, Math.min(1, (reference - ratio) / span));
  const missing = missingContents(instance, candidate);
  const reward = missing.length === 0 ? score : 0;
  return { rawTokens, candidateTokens, ratio, branch, span, score, missing, reward };
}

/** Which scale holds for a record. Headroom counts above 0.0001 and above a thousandth of the ideal ratio. */
export function scaleOf(
  reference: number,
  ideal: number,
): { readonly branch: Branch; readonly span: number } {
  const headroom = reference - ideal;
  return headroom > Math.max(1e-4, 1e-3 * ideal)
    ? { branch: 'headroom', span: headroom }
    : { branch: 'floor', span: reference };
}

/** The `ideal_ratio` of a record with these distinct critical contents. */
export function idealRatio(contents: readonly string[], rawTokens: number): number {
  return roundTo4(estimateTokens(contents.join('\n')) / rawTokens);
}

/** To four decimals as Python rounds: of two equally near numbers the one whose last digit is even. */
function roundTo4(value: number): number {
  // Only odd multiples of 1/32 lie exactly between two such numbers.
  const parts = value * 32;
  if (Number.isInteger(parts) && parts % 2 !== 0) {
    const below = Math.floor(value * 1e4);
    return (below % 2 === 0 ? below : below + 1) / 1e4;
  }
  return Number(value.toFixed(4));
}
