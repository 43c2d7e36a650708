/** What anybody can work out from a question and the texts in front of them: no evidence is known here. */
import type { Chunk } from '../instance.ts';
import { Reader, readEntry } from '../reading.ts';
import { registerOf } from '../registers.ts';

/** A question taken apart. */
export interface Question {
  readonly anchor: string;
  /** Fields to follow from the anchor, in lower case; the last is the asked one. */
  readonly fields: readonly string[];
}

const shape = /^What is the (.+) of project (.+)\?$/;

/** Null for a question that is not of the form that all navigator questions have. */
export function parseQuestion(question: string): Question | null {
  const [, phrase, anchor] = shape.exec(question) ?? [];
  if (phrase === undefined || anchor === undefined) return null;
  return { anchor, fields: phrase.split(' of the ').reverse() };
}

/** Current values of `field`, in lower case, among the entries of `texts`, in order. */
export function valuesOf(field: string, texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) =>
    text.split('\n').flatMap((line) => {
      for (const [label, { value }] of readEntry(line, 0)?.fields ?? []) {
        if (label.toLowerCase() === field) return [value];
      }
      return [];
    }),
  );
}

/**
 * The answer as somebody finds it who reads the question and the whole document: from the anchor, link by link.
 * Null when the chain breaks.
 */
export function readThrough(text: string, chunks: readonly Chunk[]): string | null {
  const question = parseQuestion(text);
  if (question === null) return null;
  const reader = new Reader(chunks);
  let type = 'project';
  let here = question.anchor;
  for (const field of question.fields) {
    const register = registerOf(type);
    const entry = register === undefined ? null : reader.find(register.section, here);
    const found = [...(entry?.fields ?? [])].find(([label]) => label.toLowerCase() === field);
    if (register === undefined || found === undefined) return null;
    here = found[1].value;
    type = register.next;
  }
  return here;
}
