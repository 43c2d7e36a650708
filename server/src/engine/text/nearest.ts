/** Guessing what a mistyped name was meant to be. */

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

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
