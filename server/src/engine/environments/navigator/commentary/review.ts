/** What a good reviewer would say about a step that the rules allow. */
import type { Note } from '../../commentary.ts';
import type { Span } from '../action-scan.ts';
import { distractorSentence } from '../cause-sentences.ts';
import { capturedBy } from '../facts.ts';
import type { Distractor, Evidence } from '../instance.ts';
import {
  chunkRead,
  fewestStepsLeft,
  frontierOf,
  isReread,
  isUnwinnable,
  lostHop,
  succeeded,
} from '../progress.ts';
import { isCorrect } from '../reward.ts';
import { canHold, rangeText } from './ranges.ts';
import { note, type Step } from './rules.ts';

/** Warnings about a step, whatever became of it. */
export function reviewNotes(step: Step): Note[] {
  const { after } = step;
  if (after.last === null || after.last.error !== null) return unwinnableNotes(step);
  switch (after.last.action.kind) {
    case 'READ':
      return [...readNotes(step), ...unwinnableNotes(step)];
    case 'COMPRESS':
    case 'DROP':
      return [...lostNotes(step), ...misledNotes(step), ...unwinnableNotes(step)];
    case 'ANSWER':
      return answerNotes(step);
    default:
      return [];
  }
}

function readNotes({ before, after, scan }: Step): Note[] {
  const { instance } = before;
  const number = chunkRead(after);
  const chunk = instance.chunks[number ?? -1];
  const id = scan.ids[0];
  if (chunk === undefined || id === undefined) return [];
  const notes: Note[] = [];
  if (isReread(before, after)) {
    const message = `Chunk ${number} was read before: what was needed of it has been let go.`;
    notes.push(note('reread', 'warning', id, message));
  }
  const frontier = frontierOf(before);
  const wanted = instance.evidence[frontier];
  if (wanted === undefined) {
    const message = 'Nothing more is needed: the answer is in what is held.';
    notes.push(note('needless-read', 'warning', id, message, { privileged: true }));
  } else if (!canHold(instance, chunk, wanted)) {
    const where =
      chunk.kind === 'noise' ? 'is noise' : `runs over ${rangeText(chunk)} in the ${chunk.section}`;
    const message = `Chunk ${number} ${where}, so it cannot hold ${wanted.entity}.`;
    const replace = { start: id.start, end: id.end, text: String(wanted.chunk_idx) };
    const fixes = [{ title: `Read chunk ${wanted.chunk_idx} instead`, replace, privileged: true }];
    // The first entity stands in the question, and everybody sees the map.
    notes.push(note('cannot-hold', 'warning', id, message, { privileged: frontier > 0, fixes }));
  }
  return notes;
}

function lostNotes({ before, after, scan }: Step): Note[] {
  const hop = lostHop(before, after);
  const { evidence } = before.instance;
  const lost = evidence[hop ?? -1];
  if (hop === null || lost === undefined) return [];
  const verb = after.last?.action.kind ?? '';
  const use = hop === evidence.length - 1 ? 'which is the answer' : 'which the next hop needs';
  const message = `This ${verb} loses the ${lost.field.toLowerCase()} of ${lost.entity}, ${lost.value}, ${use}.`;
  const where = scan.text ?? idsSpan(scan.ids) ?? scan.action;
  return [note('lost-bridge', 'warning', where, message, { privileged: true })];
}

/** Values in a summary that are not what they seem, where they are first written down. */
function misledNotes({ before, after, text, scan }: Step): Note[] {
  if (!succeeded(after, 'COMPRESS') || scan.text === null) return [];
  const { sources = [] } = after.held.at(-1) ?? {};
  const chunks = sources.map(Number);
  const notes: Note[] = [];
  for (const distractor of before.instance.distractors) {
    if (distractor.kind === 'near_miss_value' || !chunks.includes(distractor.chunk_idx)) continue;
    const found = findWord(text, distractor.value, scan.text);
    if (found === null || notes.some(({ start }) => start === found.start)) continue;
    const hop = before.instance.evidence[distractor.hop];
    // Beside the right value a wrong one may well be marked as what it is.
    const isBesideTruth = hop !== undefined && findWord(text, hop.value, scan.text) !== null;
    const code = distractor.kind === 'near_miss_entity' ? 'twin-value' : 'superseded-value';
    const severity = isBesideTruth ? 'info' : 'warning';
    notes.push(note(code, severity, found, misledMessage(distractor, hop), { privileged: true }));
  }
  return notes.sort((a, b) => a.start - b.start);
}

function misledMessage({ kind, entity, value }: Distractor, hop: Evidence | undefined): string {
  const field = hop?.field.toLowerCase() ?? 'value';
  return kind === 'near_miss_entity'
    ? `${value} is the ${field} of ${entity}, a twin of ${hop?.entity}, whose ${field} is ${hop?.value}.`
    : `${value} is the superseded ${field} of ${entity}: now it is ${hop?.value}.`;
}

function answerNotes({ after, scan }: Step): Note[] {
  const { answer, instance } = after;
  if (answer === null || isCorrect(after) || capturedBy(instance, answer) === null) return [];
  const where = scan.text ?? scan.action;
  return [
    note('distractor-answer', 'warning', where, distractorSentence(after, answer), { privileged: true }),
  ];
}

/** Said once: at the first step after which the episode cannot be won any more. */
function unwinnableNotes({ before, after, scan }: Step): Note[] {
  if (!isUnwinnable(after) || (before.steps > 0 && isUnwinnable(before))) return [];
  const fewest = fewestStepsLeft(after);
  const left = after.settings.stepBudget - after.steps;
  const message =
    fewest === null
      ? 'From here on there is no way to the answer: a chunk that is needed cannot fit under the ceiling.'
      : `From here on the answer needs at least ${fewest} more steps, and ${left} are left.`;
  return [note('unwinnable', 'warning', scan.action, message, { privileged: true })];
}

function idsSpan(ids: readonly Span[]): Span | null {
  const [first] = ids;
  const last = ids.at(-1);
  return first && last ? { start: first.start, end: last.end } : null;
}

/** A twin's name may be the name and a hyphen with more behind it. */
const wordCharacter = /[\p{L}\p{N}_-]/u;

/** Where `word` first stands within `span` of `text`, not as a part of a longer word or number. */
function findWord(text: string, word: string, { start, end }: Span): Span | null {
  if (word === '') return null;
  for (
    let at = text.indexOf(word, start);
    at >= 0 && at + word.length <= end;
    at = text.indexOf(word, at + 1)
  ) {
    const stop = at + word.length;
    const isBounded = !wordCharacter.test(text.charAt(at - 1)) && !wordCharacter.test(text.charAt(stop));
    if (isBounded) return { start: at, end: stop };
  }
  return null;
}
