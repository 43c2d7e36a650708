/** What of an instance a step prompt must not spell out: with it, results would be about that instance only. */

export interface Secret {
  readonly text: string;
  /** In words, to be said in "this is the …", e.g. `answer`. */
  readonly kind: string;
}

/** A place in a text where a secret stands. Offsets are UTF-16 code units. */
export interface SecretPlace {
  readonly secret: Secret;
  readonly start: number;
  readonly end: number;
}

/** Shorter ones stand in any text by chance. */
const shortest = 3;

/**
 * Where `text` spells out one of `secrets`, in text order and without overlap, whatever the case of its letters. Only
 * whole words count: `4107` does not stand in `41075`. Of two secrets at one place the longer one counts.
 */
export function findSecrets(text: string, secrets: readonly Secret[]): SecretPlace[] {
  const searched = new Map(
    secrets.filter((it) => it.text.length >= shortest).map((it) => [it.text.toLowerCase(), it]),
  );
  if (searched.size === 0) return [];
  const longestFirst = [...searched.keys()].sort((a, b) => b.length - a.length).map(escapePattern);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${longestFirst.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const [found] = match;
    const secret = searched.get(found.toLowerCase());
    return secret ? [{ secret, start: match.index, end: match.index + found.length }] : [];
  });
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
