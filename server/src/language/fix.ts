/** Edits that mend a problem, as plain data. */
import type { Range } from '../engine/prompts/template.ts';

/** One edit of a file; offsets are UTF-16 code units. */
export interface Fix extends Range {
  /** As a menu shows it. */
  readonly title: string;
  readonly newText: string;
}

export function insertion(title: string, at: number, newText: string): Fix {
  return { title, start: at, end: at, newText };
}

export function removal(title: string, { start, end }: Range): Fix {
  return { title, start, end, newText: '' };
}

export function replacement(title: string, { start, end }: Range, newText: string): Fix {
  return { title, start, end, newText };
}

/** What stands at `range`. */
export function writtenAt(text: string, { start, end }: Range): string {
  return text.slice(start, end);
}
