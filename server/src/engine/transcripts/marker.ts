/** Marker lines of transcripts: `=== step 3 finish=length escaped`. */
import { toJson } from '../prompts/json.ts';

export type MarkerWord = 'step' | 'reasoning' | 'call' | 'verdict';

export const markerWords: readonly MarkerWord[] = ['step', 'reasoning', 'call', 'verdict'];

/** A value on a marker line, with its place counted from the start of the line. */
export interface MarkerValue {
  /** The part before `=`, or null. */
  readonly key: string | null;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

export interface Marker {
  readonly word: MarkerWord;
  readonly values: readonly MarkerValue[];
  readonly escaped: boolean;
  /** Where a part begins that cannot be read, or null. */
  readonly badFrom: number | null;
}

const markerStart = /^===[ \t]+(step|reasoning|call|verdict)(?![^ \t])/;
const looksLikeMarker = /^===[ \t]*\p{L}/u;
const looksLikeMarkerOnAnyLine = new RegExp(looksLikeMarker.source, 'mu');
const escapedAtEnd = /[ \t]escaped$/;
const valueOnLine = /[ \t]+(?:([a-z]+)=)?("(?:[^"\\]|\\.)*"|[^\s"=]+)(?![^ \t])/y;
/** What may stand on a marker line without quotes. */
const bareValue = /^(?!escaped$)[\w.:/@+-]+$/;

/** True for a line that a reader would take for a marker, known or not. Texts with such lines are escaped. */
export function isReservedLine(line: string): boolean {
  return looksLikeMarker.test(line);
}

/** True when some line of `text` is such a line. */
export function hasReservedLine(text: string): boolean {
  return looksLikeMarkerOnAnyLine.test(text);
}

/** The marker on `line` (white space at its end does not count), or null when there is none. */
export function parseMarker(line: string): Marker | null {
  const content = line.trimEnd();
  const start = markerStart.exec(content);
  const word = markerWords.find((known) => known === start?.[1]);
  if (start === null || word === undefined) return null;
  const escaped = escapedAtEnd.test(content);
  const end = escaped ? content.replace(escapedAtEnd, '').trimEnd().length : content.length;
  const values: MarkerValue[] = [];
  let at = start[0].length;
  while (at < end) {
    valueOnLine.lastIndex = at;
    const found = valueOnLine.exec(content.slice(0, end));
    const value = found === null ? null : unquote(found[2] ?? '');
    if (found === null || value === null) return { word, values, escaped, badFrom: at };
    const place = found[0].trimStart().length;
    at = valueOnLine.lastIndex;
    values.push({ key: found[1] ?? null, value, start: at - place, end: at });
  }
  return { word, values, escaped, badFrom: null };
}

/** A marker line; a value without a key has null for it. */
export function printMarker(
  word: MarkerWord,
  values: readonly (readonly [key: string | null, value: string])[],
  escaped: boolean,
): string {
  const parts = values.map(([key, value]) => {
    const written = bareValue.test(value) ? value : toJson(value);
    return key === null ? written : `${key}=${written}`;
  });
  return ['===', word, ...parts, ...(escaped ? ['escaped'] : [])].join(' ');
}

function unquote(written: string): string | null {
  if (!written.startsWith('"')) return written;
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
