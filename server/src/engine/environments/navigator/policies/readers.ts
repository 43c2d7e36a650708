/** Reference policies that know no evidence: the floor under every model. */
import type { Stream } from '../../../random/stream.ts';
import type { Reply } from '../../chat.ts';
import { blind, type Visible } from './blind.ts';
import { parseQuestion, valuesOf } from './questions.ts';
import { say } from './say.ts';

const mostReads = 3;

export const noRead = blind({
  id: 'no-read',
  description: 'Reads nothing and answers "unknown" at once.',
  open: () => () => say('I have read nothing.', 'ANSWER unknown'),
});

export const randomReader = blind({
  id: 'random-reader',
  description: `Reads up to ${mostReads} random chunks, then answers a value of the asked field that it still holds.`,
  open: (stream) => (seen) => {
    const unread = seen.map.filter((item) => item.is_chunk && !item.read);
    const reads = seen.map.filter((item) => item.read).length;
    if (reads >= mostReads || seen.steps_left <= 2 || unread.length === 0) {
      const texts = seen.held.map(({ text }) => text);
      return guess(seen.question, texts, stream);
    }
    const chosen = stream.pick(unread);
    if (chosen.fits) return say('Any chunk may be the right one.', `READ ${chosen.id}`);
    return dropAll(seen, 'There is no room for another chunk.');
  },
});

/** Drops whatever is held; reads nothing, so the next choice is free again. */
export function dropAll(seen: Visible, thought: string): Reply {
  return say(thought, `DROP ${seen.held.map(({ id }) => id).join(', ')}`);
}

/** Answers one of the values of the asked field in `texts`, `unknown` if there is none. */
export function guess(question: string, texts: readonly string[], stream: Stream): Reply {
  const field = parseQuestion(question)?.fields.at(-1) ?? '';
  const values = valuesOf(field, texts);
  if (values.length === 0) return say('I hold no such value.', 'ANSWER unknown');
  return say('One of the values that I hold may be right.', `ANSWER ${stream.pick(values)}`);
}

/** The number of a random chunk that fits; null if none does. */
export function anyChunk(seen: Visible, stream: Stream): string | null {
  const chunks = seen.map.filter((item) => item.is_chunk && item.fits);
  return chunks.length === 0 ? null : stream.pick(chunks).id;
}
