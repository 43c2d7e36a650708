/** What stands at a place of a transcript, in terms of the episode. */
import type { Commentary } from '../../engine/environments/commentary.ts';
import type { TextPart } from '../../engine/transcripts/transcript.ts';
import type { Analysis } from './analysis.ts';
import { blockAt, ReplyPlace } from './places.ts';

/** A place within a step that is replayed. */
export interface Cursor {
  /** The position of the step's block. */
  readonly index: number;
  /** The state in which its reply is given. */
  readonly state: unknown;
  readonly commentary: Commentary<unknown> | undefined;
  /** On the marker line. */
  readonly isMarker: boolean;
  /** The reply, and the offset in it; undefined outside of its text. */
  readonly reply: { readonly text: string; readonly offset: number; readonly place: ReplyPlace } | undefined;
}

/** The step at `offset` of the file; undefined in front of all steps, in verdicts and without an instance. */
export function cursorAt(analysis: Analysis, offset: number): Cursor | undefined {
  const { parsed, replay, environment, text } = analysis;
  const index = blockAt(parsed.layout.blocks, offset);
  const block = parsed.layout.blocks[index];
  const event = parsed.transcript.events[index];
  if (!replay || !block || event?.kind !== 'reply') return undefined;
  const place = new ReplyPlace(text, block, event.text);
  const at = place.toReply(offset);
  const { marker } = block.text;
  return {
    index,
    state: (replay.steps[index] ?? { before: replay.last }).before,
    commentary: environment?.commentary,
    isMarker: marker.start <= offset && offset <= marker.end,
    reply: at === null ? undefined : { text: event.text, offset: at, place },
  };
}

/** The lines below a step's marker up to the next one, with blank lines and all: what is being typed there. */
export function typedText(
  { text, parsed }: Analysis,
  index: number,
): { text: string; start: number } | undefined {
  const block = parsed.layout.blocks[index];
  if (block?.kind !== 'step' || block.text.escaped) return undefined;
  const lineBreak = /\r\n|\r|\n/y;
  lineBreak.lastIndex = block.text.marker.end;
  if (!lineBreak.test(text)) return undefined;
  const start = lineBreak.lastIndex;
  const next = [block.reasoning, ...block.calls.slice(0, 1)].reduce(
    (end, part: TextPart | null | undefined) => Math.min(end, part?.marker.start ?? end),
    block.end,
  );
  return { text: text.slice(start, next), start };
}
