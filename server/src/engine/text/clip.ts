/** Cutting texts that may be of any length. */

/** The text, or its beginning and an ellipsis: at most `most` UTF-16 code units, never half of a surrogate pair. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** At most `most` UTF-16 code units of `text` from `from` on, without half of a surrogate pair at their end. */
export function beginning(text: string, from: number, most: number): string {
  const end = from + most;
  const last = text.charCodeAt(end - 1);
  const isHalf = end < text.length && most > 1 && last >= 0xd800 && last < 0xdc00;
  return text.slice(from, isHalf ? end - 1 : end);
}
