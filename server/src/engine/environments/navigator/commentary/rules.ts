/** What the rules of the environment did to a step, in a sentence that names the rule and its numbers. */
import { countTokens, truncateTokens } from '../../../text/tokens.ts';
import type { Fix, Note } from '../../commentary.ts';
import type { ScannedAction, Span } from '../action-scan.ts';
import type { State, StepError } from '../state.ts';
import { freeingReply } from './best.ts';

/** A step as its notes are made from it: the reply's text, its parts, and the states on both sides. */
export interface Step {
  readonly before: State;
  readonly after: State;
  readonly text: string;
  readonly scan: ScannedAction;
}

/** Errors of a step that was understood, a summary that was cut, and the end of the step budget. */
export function ruleNotes(step: Step): Note[] {
  const { after, scan } = step;
  const notes: Note[] = [];
  const error = after.last?.error ?? null;
  if (error !== null) notes.push(...errorNotes(step, error));
  else if (after.last?.action.kind === 'COMPRESS') notes.push(...cutNotes(step));
  if (after.ended === 'budget-exhausted') {
    const { stepBudget } = after.settings;
    const message = `This is step ${after.steps} of a step budget of ${stepBudget}: the episode ends here without an answer.`;
    notes.push(note('budget-exhausted', 'error', scan.action, message));
  }
  return notes;
}

/** A note with a code of ours. */
export function note(
  code: string,
  severity: Note['severity'],
  { start, end }: Span,
  message: string,
  more: Partial<Note> = {},
): Note {
  return { code: `navigator.${code}`, severity, message, start, end, ...more };
}

function errorNotes(step: Step, error: StepError): Note[] {
  const { before, scan } = step;
  const id = scan.ids[0] ?? scan.action;
  switch (error.code) {
    case 'invalid-action':
      return []; // the reply's own problems say why
    case 'no-such-chunk': {
      const last = before.instance.chunks.length - 1;
      const message = `There is no chunk ${shorten(error.id)}: chunks are numbered from 0 to ${last}.`;
      return [note(error.code, 'error', id, message)];
    }
    case 'already-held':
      return [
        note(
          error.code,
          'error',
          id,
          `Chunk ${error.id} is held already: this costs a step and does nothing.`,
        ),
      ];
    case 'not-held':
      return notHeldNotes(step, error.ids);
    case 'ceiling-exceeded': {
      const { used, freed, added, ceiling } = error;
      const isRead = step.after.last?.action.kind === 'READ';
      const sum = freed === 0 ? `${used} + ${added}` : `${used} − ${freed} + ${added}`;
      const subject = isRead ? `Chunk ${scan.ids[0]?.id} does not fit` : 'The summary does not fit';
      const message = `${subject}: ${sum} = ${used - freed + added} tokens, and the ceiling is ${ceiling}. The episode ends here.`;
      const where = isRead ? id : (scan.text ?? scan.action);
      const fixes = isRead ? roomFixes(before, added, ceiling, scan.ids[0]?.id ?? '') : [];
      return [note(error.code, 'error', where, message, { fixes })];
    }
  }
}

/** One note for each id that is not held; nothing happens to the others either. */
function notHeldNotes({ before, scan }: Step, ids: readonly string[]): Note[] {
  const held = before.held.map(({ id }) => id).join(', ');
  const instead = held === '' ? 'nothing is held' : `held are ${held}`;
  const seen = new Set<string>();
  return scan.ids.flatMap((piece) => {
    if (piece.id === null || !ids.includes(piece.id) || seen.has(piece.id)) return [];
    seen.add(piece.id);
    const message = `${shorten(piece.id)} is not held (${instead}), so the step does nothing.`;
    return [note('not-held', 'error', piece, message)];
  });
}

/** Steps that would make room for a chunk of `added` tokens. */
function roomFixes(before: State, added: number, ceiling: number, id: string): Fix[] {
  if (before.held.length === 0 || added > ceiling) return [];
  const fixes: Fix[] = [];
  const thought = `Chunk ${id} takes ${added} tokens and needs room.`;
  const keep = freeingReply(before, ceiling - added, thought);
  if (keep?.includes('COMPRESS')) {
    fixes.push({ title: 'Compress before this read', insertBefore: keep, privileged: true });
  }
  const drop = `THOUGHT: ${thought}\nACTION: DROP ${before.held.map((item) => item.id).join(', ')}`;
  fixes.push({ title: 'Drop what is held before this read', insertBefore: drop });
  return fixes;
}

/** The part of a summary beyond the limit. */
function cutNotes({ after, text, scan }: Step): Note[] {
  if (scan.text === null) return [];
  const { maxSummaryTokens: limit } = after.settings;
  // Lines of a summary are joined by blanks, which are no tokens: counting where they are written is the same.
  const written = text.slice(scan.text.start, scan.text.end);
  // A token is at least one code unit, so most summaries need not be counted.
  if (written.length <= limit) return [];
  const tokens = countTokens(written);
  if (tokens <= limit) return [];
  const start = scan.text.start + truncateTokens(written, limit).length;
  const message = `The summary has ${tokens} tokens and the limit is ${limit}: this part is cut off.`;
  return [note('summary-cut', 'warning', { start, end: scan.text.end }, message, { unused: true })];
}

/** An id as it stands in a sentence: a reply may hold one of thousands of digits. */
function shorten(id: string): string {
  return id.length > 20 ? `${id.slice(0, 20)}…` : id;
}
