/** Guessing what a mistyped name was meant to be. */

import { distance } from 'fastest-levenshtein';

/** The name closest to `word`, or undefined when none is close enough to be a slip of the hand. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  // Only names are compared; nobody mistypes hundreds of characters.
  if (word.length > 64) return undefined;
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

/** ` Did you mean X?` or, without a close name, ` Known: X, Y.`: the end of a message about a wrong name. */
export function suggest(word: string, names: readonly string[]): string {
  const guess = nearest(word, names);
  return guess === undefined ? ` Known: ${names.join(', ')}.` : ` Did you mean ${guess}?`;
}

/** Insertions, deletions and replacements of characters; two of them that exchange characters count once. */
function editDistance(a: string, b: string): number {
  const edits = distance(a, b);
  const exchanged = edits === 2 && a.length === b.length && sorted(a) === sorted(b);
  return exchanged ? 1 : edits;
}

function sorted(text: string): string {
  return [...text].sort().join('');
}
