/**
 * Sentences for people. Errors of the engine fit into any sentence; a message box and a diagnostic want a whole one. And what
 * they repeat of a text may be a megabyte long, or hold what nobody can see.
 */
import { type Checked, refuse } from '../engine/problem.ts';
import { clip } from '../engine/text/clip.ts';
import { visible } from '../engine/text/visible.ts';

/** `error` as a sentence: with a capital and a full stop. A name such as n_hops stays as it is. */
export function asSentence(error: string): string {
  const begun = error.replace(/^[a-z]+(?=[ ,])/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** The same with its error as a sentence. */
export function forPeople<T>(checked: Checked<T>): Checked<T> {
  return checked.ok ? checked : refuse(readable(asSentence(checked.error)));
}

/** A word of more characters than any name, number or address that somebody would read. */
const endless = /\S{200,}/g;

/** Longest sentence, in UTF-16 code units. */
const longest = 1000;

/** `sentence` with control characters spelled out and endless words cut in their middle, so that its own words can be read. */
export function readable(sentence: string): string {
  const cut = sentence.replace(endless, (word) => `${clip(word, 100)}${word.slice(-20)}`);
  return visible(clip(cut, longest));
}

/** A name in an outline or a menu: on one line, and no longer than such a line. */
export function asLabel(name: string): string {
  return visible(clip(name, 100));
}
