/** Replies that a person types. */
import type { Reply } from '../../environments/chat.ts';
import { accept, type Checked, refuse } from '../../problem.ts';
import { parseTranscript } from '../../transcripts/parse-transcript.ts';

/**
 * The reply in a typed text. Calls of tools are typed as in a transcript: a line `=== call NAME id=ID`, with the arguments
 * below it. The error is a sentence.
 */
export function typedReply(text: string): Checked<Reply> {
  if (!/^=== (?:call|reasoning)\b/m.test(text)) return accept({ kind: 'reply', text });
  const { transcript } = parseTranscript(`=== step 1\n${text}`);
  const [event, ...others] = transcript.events;
  if (event?.kind !== 'reply' || others.length > 0) {
    return refuse('This is more than one step: take them one after another.');
  }
  return accept(event);
}
