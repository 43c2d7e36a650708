/** The ids in a reply, and what there is to know about each. */
import type { Reference } from '../../commentary.ts';
import { scanAction } from '../action-scan.ts';
import { mapLineOf } from '../map.ts';
import type { HeldItem, State } from '../state.ts';

/** In prose: `chunk 12`, `chunks 12`, `S1`. Ids of an action are found by its parser. */
const inProse = /(?<![\p{L}\p{N}_])(?:chunks?[ \u00a0]#?(\d{1,9})|(S\d{1,9}))(?![\p{L}\p{N}_])/giu;
/** Replies may be of any length; so much of the beginning is looked at. */
const maxProse = 20_000;

/** Ids in the order of the text: those the action names, and those that the words before it speak of. */
export function references(text: string): Reference[] {
  const scan = scanAction(text);
  const found: Reference[] = [];
  const prose = text.slice(0, Math.min(scan?.action.start ?? text.length, maxProse));
  for (const match of prose.matchAll(inProse)) {
    const [whole, chunk, summary] = match;
    const id = chunk === undefined ? (summary ?? '').toUpperCase() : String(Number(chunk));
    const end = match.index + whole.length;
    const start = end - (chunk ?? summary ?? '').length;
    found.push({ kind: chunk === undefined ? 'summary' : 'chunk', id, start, end });
  }
  for (const { id, start, end } of scan?.ids ?? []) {
    if (id !== null) found.push({ kind: id.startsWith('S') ? 'summary' : 'chunk', id, start, end });
  }
  return found;
}

/** A chunk by its map line and text, a summary by its sources and text. */
export function about(state: State, { kind, id }: Reference): string | null {
  return kind === 'chunk' ? aboutChunk(state, id) : aboutSummary(state, id);
}

function aboutChunk(state: State, id: string): string | null {
  const chunk = state.instance.chunks[Number(id)];
  const line = mapLineOf(state.instance, Number(id));
  if (chunk === undefined || line === undefined) return null;
  const standing = standingOf(state, chunk.idx);
  return `${code(line)}\n\n${chunk.tokens} tokens, ${standing}\n\n${block(chunk.text)}`;
}

function standingOf(state: State, chunk: number): string {
  if (state.held.some(({ id }) => id === String(chunk))) return 'held';
  const free = state.settings.contextCeiling - state.used;
  const tokens = state.instance.chunks[chunk]?.tokens ?? 0;
  const room =
    tokens <= free ? `fits into the ${free} that are free` : `does not fit into the ${free} that are free`;
  return state.reads.includes(chunk) ? `read before, ${room}` : room;
}

function aboutSummary(state: State, id: string): string | null {
  const note = state.notes.find((made) => made.id === id);
  if (note === undefined) return null;
  const item: HeldItem | undefined = state.held.find((held) => held.id === id);
  const size = item === undefined ? 'no longer held' : `${item.tokens} tokens`;
  return `**${id}** from ${note.sources.join(', ')}, made in step ${note.step}, ${size}\n\n${block(note.text)}`;
}

/** `text` as a fenced block of Markdown, with a fence that nothing in it can close. */
export function block(text: string): string {
  const fence = '`'.repeat(Math.max(2, longestRun(text)) + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** A line of text as inline code. */
export function code(line: string): string {
  const longest = longestRun(line);
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `${ticks}${line}${ticks}` : `${ticks} ${line} ${ticks}`;
}

/** Length of the longest run of back-ticks. */
function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
