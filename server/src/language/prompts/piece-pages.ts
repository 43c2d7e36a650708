/** Deals long messages out in portions: no message to a panel is to be large, whatever a prompt prints. */
import type { PreviewPiece } from '../../protocol.ts';

/** What one piece costs beside its text, in bytes of JSON. */
const overhead = 32;

/** A portion of pieces, and the position after it: null at the end. */
export interface Portion {
  readonly pieces: readonly PreviewPiece[];
  readonly next: number | null;
  /** In bytes of JSON. */
  readonly size: number;
}

/**
 * The pieces from `start` on (a position in their texts laid end to end, in UTF-16 code units) that fit into `room`
 * bytes of JSON; the last of them may be a part of one. Characters are not cut in two.
 */
export function portionOf(pieces: readonly PreviewPiece[], start: number, room: number): Portion {
  const portion: PreviewPiece[] = [];
  let position = 0;
  let size = 0;
  for (const { kind, text } of pieces) {
    const from = Math.max(start - position, 0);
    const textStart = position;
    position += text.length;
    if (from >= text.length) continue;
    size += overhead;
    let to = from;
    while (to < text.length) {
      const bytes = bytesAt(text, to);
      if (size + bytes > room) break;
      size += bytes;
      to++;
    }
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to--;
    if (to > from) portion.push({ kind, text: text.slice(from, to) });
    if (to < text.length) return { pieces: portion, next: textStart + to, size };
  }
  return { pieces: portion, next: null, size };
}

/** What a code unit takes in JSON, at most. */
function bytesAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return 6; // \u0000; surrogates may be lone ones
  if (code === 0x22 || code === 0x5c) return 2;
  return code < 0x80 ? 1 : 3;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
