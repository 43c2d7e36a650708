/**
 * From the text of a reply to its place in the file and back. Mostly the two are the same stretch of text; where the
 * file has other line ends, blanks at the ends of lines or an escaped text, every offset is looked up.
 */
import type { Range } from '../../engine/prompts/template.ts';
import { fileOffsets } from '../../engine/transcripts/file-offsets.ts';
import type { EventBlock, TextPart } from '../../engine/transcripts/transcript.ts';

/** The place of one reply in a file. */
export class ReplyPlace {
  readonly #part: TextPart;
  readonly #lookUp: (at: number) => number;
  readonly #reply: string;
  /** The reply stands in the file as it is. */
  readonly #isVerbatim: boolean;

  constructor(file: string, { text }: EventBlock, reply: string) {
    this.#part = text;
    this.#lookUp = fileOffsets(file, text);
    this.#reply = reply;
    const { start, end } = text.content;
    this.#isVerbatim = !text.escaped && end - start === reply.length && file.startsWith(reply, start);
  }

  /** Where a part of the reply stands; the marker line when there is nothing of it to be seen. */
  toFile({ start, end }: Range): Range {
    const from = this.#offsetInFile(start);
    const to = this.#offsetInFile(end);
    if (from < to) return { start: from, end: to };
    const { start: markerStart, end: markerEnd } = this.#part.marker;
    return this.#reply === '' ? { start: markerStart, end: markerEnd } : { start: from, end: from };
  }

  /** Where in the reply the offset `at` of the file stands; null outside of it. */
  toReply(at: number): number | null {
    const { start, end } = this.#part.content;
    if (at < start || at > end) return null;
    if (this.#isVerbatim) return at - start;
    // Later offsets of the reply stand later in the file: the last one that is not after `at`.
    let low = 0;
    let high = this.#reply.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#offsetInFile(middle) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #offsetInFile(at: number): number {
    return this.#isVerbatim ? this.#part.content.start + at : this.#lookUp(at);
  }
}

/** The position in `blocks` of the one that holds `offset`, or −1. They follow each other without a gap. */
export function blockAt(blocks: readonly EventBlock[], offset: number): number {
  return blocks.findLastIndex(({ start }) => start <= offset);
}
