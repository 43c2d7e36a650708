/** Keeping messages small. */

/** The first of `items` whose JSON is no larger than `bytes` together; one at least, if there is one. */
export function bounded<T>(items: readonly T[], bytes: number): readonly T[] {
  let size = 0;
  let count = 0;
  for (const item of items) {
    size += byteLength(JSON.stringify(item) ?? '') + 1;
    if (count > 0 && size > bytes) break;
    count++;
  }
  return items.slice(0, count);
}

/** Bytes of a text as UTF-8, at most. */
function byteLength(text: string): number {
  let extra = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x800) extra += 2;
    else if (code >= 0x80) extra++;
  }
  return text.length + extra;
}
