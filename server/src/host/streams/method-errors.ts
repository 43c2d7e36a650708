/** What went wrong in a method of the user's, in words that lead to the place. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { methodFiles } from './method-files.ts';

/** What the thread of a method says of an error. It is the user's, so anything may be missing. */
export interface ThreadError {
  readonly error: unknown;
  readonly stack?: unknown;
  readonly isSyntax?: unknown;
}

/** Longest time for looking at the syntax of a file, in ms. */
const patience = 10_000;

/** What is said of memories that were changed in place. */
const frozen = /object is not extensible|read only property|Cannot delete property|Cannot redefine property/;

/** The error of the method in `file`, as the end of a sentence that begins with the method. */
export async function describeError(file: string, { error, stack, isSyntax }: ThreadError): Promise<string> {
  const words = String(error);
  const files = filesOf(file);
  if (isSyntax === true) {
    const thrown = placeIn(String(stack ?? ''), files);
    if (thrown?.isCall === true) return `failed${placeText(file, thrown)}: ${words}`;
    const place = thrown ?? (await syntaxPlace(files));
    return `has a syntax error${placeText(file, place)}: ${words}`;
  }
  const hint = frozen.test(words) ? '; a memory is frozen, so return a changed copy of it from update' : '';
  return `failed${placeText(file, placeIn(String(stack ?? ''), files))}: ${words}${hint}`;
}

/** Where an error came from, ` in line 3`; nothing where the stack does not say. */
export function placeWords(file: string, stack: string): string {
  return placeText(file, placeIn(stack, filesOf(file)));
}

interface Place {
  readonly file: string;
  readonly line: number;
  /** Whether something was called there, rather than read. */
  readonly isCall: boolean;
}

function filesOf(file: string): readonly string[] {
  try {
    return methodFiles(file).map((one) => one.path);
  } catch {
    return [file];
  }
}

function placeText(file: string, place: Place | null): string {
  if (place === null) return '';
  const of = place.file === file ? '' : ` of ${path.relative(path.dirname(file), place.file)}`;
  return ` in line ${place.line}${of}`;
}

/** The first place in a stack that is in one of the files; null when none is. */
function placeIn(stack: string, files: readonly string[]): Place | null {
  for (const text of stack.slice(0, 10_000).split('\n')) {
    for (const file of files) {
      for (const name of [pathToFileURL(file).href, file]) {
        const at = text.indexOf(`${name}:`);
        const line = at < 0 ? Number.NaN : Number.parseInt(text.slice(at + name.length + 1), 10);
        if (Number.isInteger(line)) return { file, line, isCall: /^\s*at\s/.test(text) };
      }
    }
  }
  return null;
}

/** Where the syntax of a module is wrong, which its error does not say: Node tells when it is asked to look at the file. */
async function syntaxPlace(files: readonly string[]): Promise<Place | null> {
  for (const file of files.filter((name) => /\.[cm]?js$/.test(name))) {
    try {
      await promisify(execFile)(process.execPath, ['--check', file], {
        // In an editor that is what makes Node of the program.
        env: { ELECTRON_RUN_AS_NODE: '1' },
        timeout: patience,
      });
    } catch (error) {
      const place = placeIn(String(Object(error).stderr ?? ''), [file]);
      if (place !== null) return place;
    }
  }
  return null;
}
