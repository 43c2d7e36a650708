/** Cutting words of absurd length: joining the pairs of one takes a tokenizer time that grows with its square. */

/** A thousand characters between which tokenizers see no border: letters, signs, or white space. */
const longRun = /[\p{L}\p{M}]{1000}|[^\s\p{L}\p{N}]{1000}|\s{1000}/gu;

/**
 * The parts of `text`, cut only within runs of more than a thousand characters and never through a character. Joined they are
 * the text; of ordinary text there is one. Tokens counted part by part may be one more for each cut than those of the whole.
 */
export function wordPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: run, index } of text.matchAll(longRun)) {
    const end = index + run.length;
    pieces.push(text.slice(from, end));
    from = end;
  }
  if (from < text.length || pieces.length === 0) pieces.push(text.slice(from));
  return pieces;
}
