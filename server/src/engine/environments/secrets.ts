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
  const places: SecretPlace[] = [];
  for (const secret of secrets) {
    if (secret.text.length < shortest) continue;
    for (const { index, 0: found } of text.matchAll(new RegExp(escapePattern(secret.text), 'giu'))) {
      const end = index + found.length;
      if (isWhole(text, index, end)) places.push({ secret, start: index, end });
    }
  }
  places.sort((a, b) => a.start - b.start || b.end - a.end);
  let reached = 0;
  return places.filter(({ start, end }) => {
    if (start < reached) return false;
    reached = end;
    return true;
  });
}

const wordBefore = /[\p{L}\p{N}_]$/u;
const wordAfter = /^[\p{L}\p{N}_]/u;

/** Whether no word goes on before `start` or after `end`. A character is at most two code units. */
function isWhole(text: string, start: number, end: number): boolean {
  return (
    !wordBefore.test(text.slice(Math.max(0, start - 2), start)) && !wordAfter.test(text.slice(end, end + 2))
  );
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
