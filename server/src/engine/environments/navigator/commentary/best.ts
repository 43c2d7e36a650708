/** The shortest way on from a state, played out: what an agent that knows the evidence would reply. */
import { countTokens } from '../../../text/tokens.ts';
import { reply } from '../../chat.ts';
import { advance } from '../episode.ts';
import type { Evidence } from '../instance.ts';
import { say } from '../policies/say.ts';
import { frontierOf } from '../progress.ts';
import { isCorrect } from '../reward.ts';
import type { State } from '../state.ts';

/**
 * The replies of a shortest correct continuation. Summaries are as short as they can be, so that this may find a way
 * where counting with the assumed size of a summary finds none.
 *
 * @returns none when the episode is over; null when it cannot end correctly within its step budget.
 */
export function bestReplies(state: State): readonly string[] | null {
  if (state.ended !== null) return [];
  const replies: string[] = [];
  let current = state;
  while (current.ended === null) {
    const text = bestReply(current);
    if (text === null) return null;
    replies.push(text);
    current = advance(current, reply(text));
  }
  return isCorrect(current) ? replies : null;
}

/** The next reply on the shortest way; null when there is no way on. Every reply leads nearer to the end. */
function bestReply(state: State): string | null {
  const { instance, settings, used } = state;
  const frontier = frontierOf(state);
  const next = instance.evidence[frontier];
  if (next === undefined) {
    const last = instance.evidence.at(-1);
    const thought =
      last === undefined ? 'Nothing is missing.' : `${factOf(last)}, which is what is asked for.`;
    return say(thought, `ANSWER ${instance.answer}`).text;
  }
  const chunk = instance.chunks[next.chunk_idx];
  if (chunk === undefined) return null;
  if (used + chunk.tokens <= settings.contextCeiling) {
    const field = next.field.toLowerCase();
    return say(`The ${field} of ${next.entity} must stand in chunk ${chunk.idx}.`, `READ ${chunk.idx}`).text;
  }
  const room = settings.contextCeiling - chunk.tokens;
  return freeingReply(state, room, `Chunk ${chunk.idx} takes ${chunk.tokens} tokens and must fit next.`);
}

/**
 * A reply that brings what is held down to `room` tokens and loses nothing that is needed: one fact in a summary, or
 * nothing at all before the first hop is known. Null when that is impossible or when there is nothing to free.
 */
export function freeingReply(state: State, room: number, thought: string): string | null {
  if (state.held.length === 0 || room < 0) return null;
  const ids = state.held.map(({ id }) => id).join(', ');
  const known = state.instance.evidence[frontierOf(state) - 1];
  if (known === undefined) return say(thought, `DROP ${ids}`).text;
  const most = Math.min(room, state.settings.maxSummaryTokens);
  const summary = [factOf(known), known.value].find((text) => countTokens(text) <= most);
  if (summary === undefined) return null;
  return say(thought, `COMPRESS ${ids} :: ${summary}`).text;
}

function factOf({ entity, field, value }: Evidence): string {
  return `${entity}: ${field} = ${value}`;
}
