/** What became of the facts in an episode: kept in summaries, or mistaken for something that only looks like one. */
import { codeUnit } from '../../text/code-unit.ts';
import { isPythonSpace } from '../../text/python.ts';
import { normalizeAnswer } from './answers.ts';
import type { Distractor, Instance } from './instance.ts';
import type { Note, State } from './state.ts';

/** How many evidence facts were compressed directly from their chunks, and how many of those the summaries kept. */
export interface Retention {
  readonly kept: number;
  readonly total: number;
}

/**
 * Counts, over successful COMPRESS actions, each evidence chunk among the sources: its fact is kept when its
 * normalised value is a substring of the normalised summary. Summaries among the sources are ignored, so what a
 * second compression loses is not seen here.
 */
export function retention(state: State): Retention {
  let kept = 0;
  let total = 0;
  for (const note of state.notes) {
    const ofNote = retentionOf(state.instance, note);
    kept += ofNote.kept;
    total += ofNote.total;
  }
  return { kept, total };
}

/** Of each note by itself: states share them, and an episode that is looked at step by step asks for them again and again. */
const retentions = new WeakMap<Note, Retention>();

function retentionOf(instance: Instance, note: Note): Retention {
  const known = retentions.get(note);
  if (known !== undefined) return known;
  const values = valuesIn(instance, note);
  const summary = values.length === 0 ? '' : normalizeAnswer(note.text);
  const kept = values.filter((value) => summary.includes(normalizeAnswer(value))).length;
  const retention = { kept, total: values.length };
  retentions.set(note, retention);
  return retention;
}

/** Values of the evidence in the chunks that a summary was made from. */
function valuesIn(instance: Instance, note: Note): readonly string[] {
  return instance.evidence
    .filter((evidence) => note.sources.includes(String(evidence.chunk_idx)))
    .map((evidence) => evidence.value);
}

/** Words of a text as Python's `split()` counts them: runs of characters that are no white space. */
export function countWords(text: string): number {
  let words = 0;
  let inWord = false;
  for (let i = 0; i < text.length; i++) {
    const isSpace = isPythonSpace(codeUnit(text, i));
    if (!isSpace && !inWord) words++;
    inWord = !isSpace;
  }
  return words;
}

/** Words of the notes' texts, kept as long as those: every state of an episode asks for those of all before it. */
const noteWords = new WeakMap<Note, number>();

/** As {@link countWords}, of what a note says. */
export function wordsOf(note: Note): number {
  const known = noteWords.get(note);
  if (known !== undefined) return known;
  const words = countWords(note.text);
  noteWords.set(note, words);
  return words;
}

/** Below this many words a summary can hardly say what it is about. */
const degenerateWords = 3;

/** True for a summary that is too short to carry a fact. */
export function isDegenerate(note: Note): boolean {
  return wordsOf(note) < degenerateWords;
}

/**
 * The distractor that an answer repeats: the first one recorded whose value or wrong answer has the answer's
 * normalised form. Null when there is none, or the answer normalises to nothing.
 */
export function capturedBy(instance: Instance, answer: string): Distractor | null {
  const given = normalizeAnswer(answer);
  if (given === '') return null;
  const repeats = (text: string | null) => text !== null && normalizeAnswer(text) === given;
  return (
    instance.distractors.find(({ value, wrong_answer }) => repeats(value) || repeats(wrong_answer)) ?? null
  );
}
