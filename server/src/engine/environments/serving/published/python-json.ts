/**
 * JSON as Python prints it with sorted keys: what published fingerprints are taken over. Numbers stay as they are written,
 * since `1620.0` and `1620` are two things there.
 */

import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** A text of JSON in that form; null when it is none. */
export function pythonJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  // From here on every token is where it should be.
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s{}[\],:"]+/g) ?? [];
  let at = 0;
  const next = (): string => tokens[at++] ?? '';
  const isAt = (end: string): boolean => (tokens[at] === end ? ++at > 0 : at >= tokens.length);
  function value(): string {
    const token = next();
    if (token === '{') {
      const members = new Map<string, string>();
      while (!isAt('}')) {
        const key = String(JSON.parse(next()));
        members.set(key, value());
      }
      const sorted = [...members].sort(([a], [b]) => (orderOf(a) < orderOf(b) ? -1 : 1));
      return `{${sorted.map(([key, member]) => `${pythonString(key)}: ${member}`).join(', ')}}`;
    }
    if (token === '[') {
      const items: string[] = [];
      while (!isAt(']')) items.push(value());
      return `[${items.join(', ')}]`;
    }
    return token.startsWith('"') ? pythonText(token) : token;
  }
  return value();
}

/** A text that sorts by code units as its original does by code points. */
function orderOf(key: string): string {
  return bytesToHex(utf8ToBytes(key));
}

/** A string of JSON with everything but printable ASCII escaped. */
function pythonText(token: string): string {
  return pythonString(String(JSON.parse(token)));
}

/** A text as Python prints it in JSON. */
export function pythonString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
