/** Guessing what a mistyped name was meant to be. */
import { distance } from 'fastest-levenshtein';

/**
 * The candidate that `name` most likely was meant to be, or null when none is close: at most one edit in three
 * letters, two letters exchanged counting as one edit. Of equally close ones the first.
 */
export function nearestName(name: string, candidates: readonly string[]): string | null {
  // Only names are compared; nobody mistypes hundreds of characters.
  if (name.length > 64) return null;
  const wanted = name.toLowerCase();
  let best: string | null = null;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = editsBetween(wanted, candidate.toLowerCase());
    if (edits < least) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

/** ` Did you mean X?` or, without a close name, ` Known: X, Y.`: the end of a message about a wrong name. */
export function suggest(name: string, candidates: readonly string[]): string {
  const guess = nearestName(name, candidates);
  return guess === null ? ` Known: ${candidates.join(', ')}.` : ` Did you mean ${guess}?`;
}

/** Insertions, deletions and replacements of characters; two of them that exchange characters count once. */
function editsBetween(a: string, b: string): number {
  const edits = distance(a, b);
  const exchanged = edits === 2 && a.length === b.length && sortedLetters(a) === sortedLetters(b);
  return exchanged ? 1 : edits;
}

function sortedLetters(text: string): string {
  return [...text].sort().join('');
}
