/**
 * Reading lines of JSON, one value a line.
 *
 * Lines end at the byte 0x0A and nowhere else: U+2028, U+0085 or a lone CR inside a JSON string are ordinary
 * characters, which is why `readline` is not used. One line is in memory at a time, whatever the size of the file.
 */
import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { findNotJson } from '../engine/text/not-json.ts';
import { counted } from '../engine/text/numbers.ts';
import { visible } from '../engine/text/visible.ts';
import { explain, Failure } from './failure.ts';
import { openInput } from './input.ts';

/** Longest line that is read, in bytes. The longest honest one, an instance of 128k tokens, is under 2 MB. */
const maxLineBytes = 64 * 2 ** 20;

/** A line longer than this many bytes is no file of lines at all: reading stops there. */
const hopelessLineBytes = 2 * 2 ** 30;

/** Where a line stands; `number` counts from 1, blank lines included. */
interface Place {
  readonly number: number;
  /** First byte of the line in its file. */
  readonly offset: number;
  /** Bytes, without the line feed. */
  readonly length: number;
}

/** One line that is not blank, or why it could not be read (as half a sentence: "line 3 …"). */
export type Line = Place &
  ({ readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string });

/** The name of an input in messages; `-` is standard input. */
export function inputName(path: string): string {
  if (path === '') return '""';
  return path === '-' ? 'standard input' : path;
}

/**
 * The lines of a file, or of standard input for `-`.
 *
 * @throws Failure when the file cannot be opened or read.
 */
export async function* readLines(path: string, signal?: AbortSignal): AsyncGenerator<Line> {
  try {
    const stream = await openInput(path);
    // Destroying the stream is what ends a read that waits for a terminal or a pipe.
    const stop = () => stream.destroy(signal?.reason);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    try {
      yield* splitLines(stream);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof Failure) throw error;
    throw new Failure('request', `Cannot read ${inputName(path)}: ${explain(error)}.`);
  }
}

/** The lines of a stream of bytes, however it is cut into pieces. `limit` is the longest line kept, in bytes. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  limit: number = maxLineBytes,
  hopeless: number = hopelessLineBytes,
): AsyncGenerator<Line> {
  let number = 1;
  let offset = 0;
  let length = 0;
  let pieces: Uint8Array[] = [];
  const finish = (): Line | undefined => {
    const line =
      length > limit
        ? tooLong({ number, offset, length }, limit)
        : decode({ number, offset, length }, pieces);
    number++;
    offset += length + 1;
    length = 0;
    pieces = [];
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (;;) {
      const feed = chunk.indexOf(0x0a, from);
      const piece = chunk.subarray(from, feed < 0 ? chunk.length : feed);
      length += piece.length;
      // Past the limit only the length is kept: the memory goes back at once.
      if (length > limit) pieces = [];
      else if (piece.length > 0) pieces.push(piece);
      if (feed < 0) break;
      const line = finish();
      if (line !== undefined) yield line;
      from = feed + 1;
    }
    if (length > hopeless) break;
  }
  if (length > 0) {
    const line = finish();
    if (line !== undefined) yield line;
  }
}

function tooLong(place: Place, limit: number): Line {
  const megabytes = (bytes: number) => Math.floor(bytes / 2 ** 20);
  const error = `is longer than ${megabytes(limit)} MB (${megabytes(place.length)} MB), so it was not read`;
  return { ...place, ok: false, error };
}

const byteOrderMark = [0xef, 0xbb, 0xbf];

function decode(place: Place, pieces: readonly Uint8Array[]): Line | undefined {
  let bytes =
    pieces.length === 1 && pieces[0]
      ? Buffer.from(pieces[0].buffer, pieces[0].byteOffset, pieces[0].length)
      : Buffer.concat(pieces);
  if (place.number === 1) {
    if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
      return { ...place, ok: false, error: 'looks like UTF-16; save the file as UTF-8' };
    }
    if (byteOrderMark.every((byte, i) => bytes[i] === byte)) bytes = bytes.subarray(3);
  }
  if (bytes.at(-1) === 0x0d) bytes = bytes.subarray(0, -1);
  if (!isUtf8(bytes)) return { ...place, ok: false, error: 'is not UTF-8 text' };
  const text = bytes.toString('utf8');
  return /[^ \t\r]/.test(text) ? { ...place, ok: true, text } : undefined;
}

/** The JSON object that a line holds; the error continues "line 3 …". */
export function parseObject(text: string): Checked<Readonly<Record<string, unknown>>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(whyNotJson(text));
  }
  return isRecord(value) ? accept(value) : refuse('holds JSON, but not an object');
}

/** Whether a JSON value is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function whyNotJson(text: string): string {
  if (text.includes('\0')) return 'holds NUL characters, so it is not JSON text';
  const at = findNotJson(text);
  if (at < 0) return 'is too deep or too large to be read';
  if (at >= text.length) return `is cut off after ${counted(text.length, 'character')}`;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return `is not valid JSON at character ${at + 1}, ${`"${visible(character)}"`}`;
}

/** Reads again a line whose place is known from {@link readLines}. @throws Failure when the file has gone. */
export async function readLineAt(path: string, place: { offset: number; length: number }): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const bytes = Buffer.alloc(place.length);
      await file.read(bytes, 0, place.length, place.offset);
      const text = bytes.toString('utf8');
      return text.startsWith('\uFEFF') ? text.slice(1) : text;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new Failure('run', `Cannot read ${path} again: ${explain(error)}.`);
  }
}
