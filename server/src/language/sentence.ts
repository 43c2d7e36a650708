/** Errors of the engine fit into any sentence; a message box and a diagnostic want a whole one. */
import { type Checked, refuse } from '../engine/problem.ts';

/** `error` as a sentence: with a capital and a full stop. A name such as n_hops stays as it is. */
export function asSentence(error: string): string {
  const begun = error.replace(/^[a-z]+(?=[ ,])/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** The same with its error as a sentence. */
export function forPeople<T>(checked: Checked<T>): Checked<T> {
  return checked.ok ? checked : refuse(asSentence(checked.error));
}
