/** Reads bodies that may be of any size. */

/** Bytes as they come: the body of a response. */
export type Bytes = AsyncIterable<Uint8Array>;

/**
 * The whole of a body as text; null when it is longer than `limit` bytes, after which the rest is not read. Bytes that
 * are no UTF-8 become U+FFFD.
 */
export async function readText(body: Bytes | null, limit: number): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > limit) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The beginning of a body as text, for messages: at most `limit` bytes, and what came before it broke. */
export async function readStart(body: Bytes | null, limit: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of body ?? []) {
      pieces.push(piece);
      length += piece.length;
      if (length >= limit) break;
    }
  } catch {
    // The status has been understood already; the words are an extra.
  }
  return Buffer.concat(pieces).subarray(0, limit).toString('utf8');
}
