/** Smaller questions about a session: what could be typed, and where chunks stand in the instance's document. */
import type { AnyInstance, Environment } from '../engine/environments/environment.ts';
import type { Part } from '../engine/environments/view.ts';
import { replyNotes } from '../engine/evals/reply-notes.ts';
import { shownNotes } from '../engine/evals/sessions/look.ts';
import type { Session } from '../engine/evals/sessions/session.ts';
import { nodeOf } from '../engine/evals/sessions/tree.ts';
import { typedReply } from '../engine/evals/sessions/typed-reply.ts';
import type { ChunkPlace, SessionHelp, SessionNote } from '../engine/evals/sessions/view.ts';

const shownProposals = 60;

/** Completion and checks of a reply that is typed where the session stands. @param offset of the cursor */
export function help(session: Session, text: string, offset: number, spoilers: boolean): SessionHelp {
  const { environment, tree } = session;
  const { state } = nodeOf(tree, tree.at);
  const at = Math.min(Math.max(offset, 0), text.length);
  const found = environment.commentary?.complete?.(state, text, at, spoilers) ?? [];
  const typed = (start: number) => text.slice(start, at).toLowerCase();
  return {
    proposals: found
      .filter(({ filter, start }) => filter.toLowerCase().includes(typed(start)))
      .slice(0, shownProposals)
      .map(({ documentation: _, ...proposal }) => proposal),
    problems: typedNotes(session, text, spoilers),
  };
}

/** What would be said of the reply once it was given: the same as where it stands in a transcript. */
function typedNotes({ environment, tree }: Session, text: string, spoilers: boolean): readonly SessionNote[] {
  const { state } = nodeOf(tree, tree.at);
  if (text.trim() === '' || environment.next(state).kind !== 'reply') return [];
  const typed = typedReply(text);
  if (!typed.ok) return [{ severity: 'error', message: typed.error }];
  const reply = typed.value;
  return shownNotes(replyNotes(environment, state, reply, environment.advance(state, reply)), spoilers);
}

/** The lines of each chunk in the document of an instance; none where it has no chunks. */
export function placesOf(environment: Environment, instance: AnyInstance): readonly ChunkPlace[] {
  const view = environment.view?.(instance);
  if (view === undefined) return [];
  const places: ChunkPlace[] = [];
  let line = 0;
  let counted = 0;
  const lineAt = (offset: number): number => {
    for (; counted < offset; counted++) if (view.text.charCodeAt(counted) === 0x0a) line++;
    return line;
  };
  const walk = (parts: readonly Part[]): void => {
    for (const { chunk, start, end, children } of parts) {
      if (chunk === undefined) walk(children);
      else places.push({ number: chunk.number, start: lineAt(start), end: lineAt(end) });
    }
  };
  walk(view.parts);
  return places;
}
