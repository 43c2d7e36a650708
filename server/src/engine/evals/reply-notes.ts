/** What is to be said of a reply, wherever it stands: in a transcript, in the panel of an episode, or while it is typed. */
import type { Reply } from '../environments/chat.ts';
import type { Note } from '../environments/commentary.ts';
import type { Environment } from '../environments/environment.ts';

/** First what is malformed in it, then what it means where it was given; notes that are privileged are among them. */
export function replyNotes(
  environment: Environment,
  before: unknown,
  reply: Reply,
  after: unknown,
): readonly Note[] {
  return [
    ...(environment.replyProblems?.(reply.text) ?? []),
    ...(environment.commentary?.notes(before, reply, after) ?? []),
  ];
}
