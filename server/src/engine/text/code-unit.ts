/**
 * The UTF-16 code unit of `text` at `index`; NaN beyond the end. For loops over every character of a text.
 *
 * V8 compiles `text.charCodeAt(i)` for the string representations it has seen at that place (flat or sliced, one or
 * two bytes a unit, a literal or computed). From the fifth on it gives up and makes a call for every character,
 * which is five times slower. Naming the method itself leaves nothing to look up, whatever the string.
 */
export function codeUnit(text: string, index: number): number {
  return String.prototype.charCodeAt.call(text, index);
}
