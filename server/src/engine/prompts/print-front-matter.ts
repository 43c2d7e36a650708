/**
 * Writes front matter such that no editor changes it and every version of YAML reads the same. Whatever is not
 * surely plain is quoted as in JSON, which YAML reads too.
 */

import { toJson } from './json.ts';

/** Texts that need no quotes: words of ASCII letters and digits, and paths. */
const plainText = /^(?:\.{0,2}\/)?[A-Za-z_][\w./@+-]*(?: [\w./@+-]+)*$/;
const plainKey = /^[A-Za-z_][\w-]*$/;
/** Words that YAML 1.1 or 1.2 takes for something else than a text. */
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
/** A mapping that would make a longer line is written with one line for each key. */
const maxLine = 100;

/** The YAML block with its two `---` lines; fields whose value is null or undefined are left out. */
export function printFrontMatter(fields: readonly (readonly [key: string, value: unknown])[]): string {
  const written = fields.filter(([, value]) => value !== null && value !== undefined);
  return `---\n${written.map(([key, value]) => printField(key, value)).join('')}---\n`;
}

function printField(key: string, value: unknown): string {
  const line = `${printKey(key)}: ${printValue(value)}\n`;
  if (line.length <= maxLine || !isRecord(value)) return line;
  const lines = Object.entries(value).map(([inner, data]) => `  ${printKey(inner)}: ${printValue(data)}\n`);
  return `${printKey(key)}:\n${lines.join('')}`;
}

function printKey(key: string): string {
  return plainKey.test(key) && !reserved.test(key) ? key : toJson(key);
}

/** A value on one line. What YAML has no plain form for here, such as NaN, is null. */
function printValue(value: unknown): string {
  if (typeof value === 'string')
    return plainText.test(value) && !reserved.test(value) ? value : toJson(value);
  if (typeof value === 'number')
    return Object.is(value, -0) ? '-0' : String(Number.isFinite(value) ? value : null);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`;
  if (!isRecord(value)) return 'null';
  const entries = Object.entries(value).filter(([, data]) => data !== undefined);
  return entries.length === 0
    ? '{}'
    : `{ ${entries.map(([key, data]) => `${printKey(key)}: ${printValue(data)}`).join(', ')} }`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
