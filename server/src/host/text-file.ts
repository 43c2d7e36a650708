/** Whole files of text, read as an editor reads them. */
import { isUtf8 } from 'node:buffer';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { explain } from './failure.ts';
import { openInput } from './input.ts';

/** Largest file that is read, in MB; editors give up on less. */
const most = 50;

/**
 * The text of a file, or of standard input for `-`, without a byte order mark. The error continues the file's name:
 * "is not UTF-8 text …".
 */
export async function readText(path: string, signal?: AbortSignal): Promise<Checked<string>> {
  const pieces: Buffer[] = [];
  let size = 0;
  let stop = (): void => undefined;
  try {
    const stream = await openInput(path);
    stop = () => stream.destroy(signal?.reason);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    for await (const piece of stream) {
      pieces.push(Buffer.from(piece));
      size += piece.length;
      if (size > most * 2 ** 20) return refuse(`is larger than ${most} MB, so it was not read`);
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    return refuse(`cannot be read: ${explain(error)}`);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  return decode(Buffer.concat(pieces));
}

function decode(bytes: Buffer): Checked<string> {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return refuse('looks like UTF-16; save the file as UTF-8');
  }
  const text = bytes.toString('utf8');
  if (!isUtf8(bytes)) return refuse(`is not UTF-8 text from line ${brokenLine(text, bytes)} on`);
  return accept(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

/** The line of the first byte that is not UTF-8: decoding put U+FFFD there, which the file may hold itself before. */
function brokenLine(text: string, bytes: Buffer): number {
  let from = 0;
  let offset = 0;
  for (;;) {
    const at = text.indexOf('\uFFFD', from);
    offset += Buffer.byteLength(text.slice(from, at));
    if (bytes.toString('latin1', offset, offset + 3) !== '\u00EF\u00BF\u00BD') {
      return text.slice(0, at).split('\n').length;
    }
    from = at + 1;
    offset += 3;
  }
}
