/**
 * Reading facts back from the text of a document, as a careful reader would: the validator trusts nothing but
 * what this finds, whoever wrote the document.
 *
 * A line is an entry when it contains ` — ` and has at least one field after it.
 */
import { scanFields } from './fields.ts';
import type { Chunk } from './instance.ts';

export interface Field {
  readonly value: string;
  readonly superseded: string | null;
}

export interface Entry {
  readonly name: string;
  readonly chunk: number;
  /** By label; a repeated label keeps the last. */
  readonly fields: ReadonlyMap<string, Field>;
}

const DASH = ' — ';

/** The entry on one line of chunk `chunk`, or null when the line is none. */
export function readEntry(line: string, chunk: number): Entry | null {
  const dash = line.indexOf(DASH);
  if (dash < 0) return null;
  const fields = new Map<string, Field>();
  for (const { label, value, superseded } of scanFields(line, dash + DASH.length)) {
    fields.set(label, {
      value: line.slice(value.start, value.end),
      superseded: superseded && line.slice(superseded.start, superseded.end),
    });
  }
  return fields.size === 0 ? null : { name: line.slice(0, dash), chunk, fields };
}

/** A document whose entries are found by section and name, and parsed when they are asked for. */
export class Reader {
  readonly #chunks: readonly Chunk[];
  /** Per section, the lines that may be entries, by the name before the dash, in document order. */
  readonly #lines = new Map<string, Map<string, { text: string; chunk: number }[]>>();

  constructor(chunks: readonly Chunk[]) {
    this.#chunks = chunks;
  }

  /** The first entry of exactly this name in a section, in document order. */
  find(section: string, name: string): Entry | null {
    for (const line of this.#section(section).get(name) ?? []) {
      const entry = readEntry(line.text, line.chunk);
      if (entry !== null) return entry;
    }
    return null;
  }

  #section(section: string): Map<string, { text: string; chunk: number }[]> {
    const known = this.#lines.get(section);
    if (known !== undefined) return known;
    const lines = new Map<string, { text: string; chunk: number }[]>();
    this.#lines.set(section, lines);
    this.#chunks.forEach((chunk, index) => {
      if (chunk.section !== section || chunk.kind !== 'register') return;
      for (const text of chunk.text.split('\n')) {
        const dash = text.indexOf(DASH);
        if (dash < 0) continue;
        const name = text.slice(0, dash);
        const same = lines.get(name);
        if (same === undefined) lines.set(name, [{ text, chunk: index }]);
        else same.push({ text, chunk: index });
      }
    });
    return lines;
  }

  /** How often `value` is a current or superseded field value in the whole document. */
  countValue(value: string): number {
    if (value === '') return 0;
    let count = 0;
    this.#chunks.forEach((chunk, index) => {
      const { text } = chunk;
      let at = text.indexOf(value);
      while (at >= 0) {
        const start = text.lastIndexOf('\n', at) + 1;
        const newline = text.indexOf('\n', at);
        const end = newline < 0 ? text.length : newline;
        const entry = readEntry(text.slice(start, end), index);
        for (const { value: current, superseded } of entry?.fields.values() ?? []) {
          if (current === value) count++;
          if (superseded === value) count++;
        }
        at = text.indexOf(value, end);
      }
    });
    return count;
  }
}
