/** Suggestions for misspelt names. */
import { distance } from 'fastest-levenshtein';

/**
 * The candidate that `name` most likely was meant to be, or null when none is close: at most one edit in three
 * letters, two letters exchanged counting as one edit. Of equally close ones the first.
 */
export function nearestName(name: string, candidates: readonly string[]): string | null {
  if (name.length > 100) return null;
  const wanted = name.toLowerCase();
  let best: string | null = null;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = editsBetween(wanted, candidate.toLowerCase());
    if (edits < least) {
      best = candidate;
      least = edits;
    }
  }
  return best;
}

function editsBetween(a: string, b: string): number {
  const edits = distance(a, b);
  const exchanged = edits === 2 && a.length === b.length && sortedLetters(a) === sortedLetters(b);
  return exchanged ? 1 : edits;
}

function sortedLetters(text: string): string {
  return [...text].sort().join('');
}
