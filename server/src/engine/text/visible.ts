/**
 * Texts from outside (names, ids, paths, arguments) as they stand in messages and tables: nothing in them moves a
 * cursor, changes a colour, turns the direction of reading or begins a line of its own.
 */

/** Control and format characters, line and paragraph separators, halves of surrogate pairs. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

const short: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** `text` with each such character as JSON would write it: `\n`, `\u001b`, `\ud800`. Other characters stay. */
export function visible(text: string): string {
  return text.replace(invisible, (character) => short[character] ?? escapeUnits(character));
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** A name in a sentence: as {@link visible} has it, and `""` where it is empty. */
export function named(text: string): string {
  return text === '' ? '""' : visible(text);
}
