/** Server-sent events: the form in which endpoints send a reply piece by piece. */
import type { Bytes } from './body.ts';

/** The events are longer than what was allowed. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/**
 * The data of each event, however the bytes are cut into pieces. Comments, event names and ids are left out; lines end
 * in LF, CR or CRLF; the data lines of one event are joined by LF. An event that the end cuts off is given too.
 *
 * @param limit most bytes to read
 * @throws TooLong beyond them.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* readEvents(body: Bytes | null, limit: number): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const lines of readLines(body, limit)) {
    for (const line of lines) {
      const value = dataOf(line);
      if (value !== null) data.push(value);
      else if (line === '' && data.length > 0) {
        yield data.join('\n');
        data = [];
      }
    }
  }
  if (data.length > 0) yield data.join('\n');
}

/** The lines of a body, as many at a time as are complete. */
async function* readLines(body: Bytes | null, limit: number): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  // Pieces of the line that has not ended yet, joined only when it does: a long line costs no more than a short one.
  let open: string[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > limit) throw new TooLong();
    const text = decoder.decode(piece, { stream: true });
    open.push(text);
    if (!/[\r\n]/.test(text) && !open.at(-2)?.endsWith('\r')) continue;
    // A CR at the end may be the first half of a line end.
    const lines = open.join('').split(/\r\n|\n|\r(?!$)/);
    open = [lines.pop() ?? ''];
    yield lines;
  }
  open.push(decoder.decode());
  yield open.join('').split(/\r\n|\n|\r/);
}

function dataOf(line: string): string | null {
  if (line === 'data') return '';
  if (!line.startsWith('data:')) return null;
  return line.startsWith('data: ') ? line.slice(6) : line.slice(5);
}
