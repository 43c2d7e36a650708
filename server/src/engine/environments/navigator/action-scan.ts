/**
 * The parts of an action and where they stand in the reply, for problems, colours and completions. The same
 * functions as the parser's find them, so what is shown is what is played.
 */
import { idOf, pieceEnd, pieceStart } from './action-ids.ts';
import {
  isTag,
  joinLines,
  lineEnd,
  lineSpans,
  locateAction,
  skipSpaces,
  tagLength,
  trimEnd,
} from './action-lines.ts';
import { type ParseCode, parseActionLine, separatorAt, type Verb, verbAt } from './actions.ts';

/** UTF-16 offsets into the text that was scanned, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One piece of an id list. `id` is null for a piece that is none. */
interface Piece extends Span {
  readonly id: string | null;
}

export interface ScannedAction {
  /** What {@link parseActionLine} refuses the action for; null for an action that can be played. */
  readonly code: ParseCode | null;
  /** The last tag, which counts; null when no line is tagged. */
  readonly tag: Span | null;
  /** Tagged lines before the last one: they have no effect. */
  readonly ignored: readonly Span[];
  /** The action without its tag; empty when nothing follows the tag. */
  readonly action: Span;
  /** Up to the first white space of the action. */
  readonly firstWord: Span;
  readonly verb: (Span & { readonly name: Verb }) | null;
  /** Pieces of the id list up to the first that is no id, at most {@link maxPieces}; mere brackets are left out. */
  readonly ids: readonly Piece[];
  /** The piece that ended the id list. It and everything after it is ignored. */
  readonly bad: Span | null;
  /** Pieces after `bad` that would have been ids, at most {@link maxPieces}. */
  readonly lost: readonly Piece[];
  /** The first `::` of a COMPRESS. */
  readonly separator: Span | null;
  /** Summary or answer; it may run over several lines. */
  readonly text: Span | null;
}

/** So many ids are shown; a reply may hold millions. */
const maxPieces = 1000;

/** The action of the reply `start`–`end` of `text`; null when the reply is blank. */
export function scanAction(text: string, start = 0, end: number = text.length): ScannedAction | null {
  const place = locateAction(text, start, end);
  if (place === null) return null;
  const spans = place.broken ? lineSpans(text, place.start, place.end) : [];
  const line = place.broken ? joinLines(text, place.start, place.end) : text;
  const from = place.broken ? 0 : place.start;
  const to = place.broken ? line.length : place.end;
  const toSource = place.broken ? sourceMap(spans) : (span: Span) => span;

  const action = parseActionLine(line, from, to);
  const name = verbAt(line, from, to);
  const rest = from + (name?.length ?? 0);
  const separator = name === 'COMPRESS' ? separatorAt(line, rest, to) : -1;
  const takesIds = name !== null && name !== 'ANSWER';
  const list = takesIds
    ? scanIds(line, rest, separator < 0 ? to : separator)
    : { ids: [], bad: null, lost: [] };
  const textStart =
    name === 'ANSWER' ? skipSpaces(line, rest, to) : separator < 0 ? to : skipSpaces(line, separator + 2, to);
  const piece = ({ start, end, id }: Piece): Piece => ({ ...toSource({ start, end }), id });

  return {
    code: action.kind === 'error' ? action.code : null,
    tag: place.tag < 0 ? null : { start: place.tag, end: place.tag + tagLength },
    ignored: place.tag < 0 ? [] : taggedLines(text, start, place.tag),
    action: { start: place.start, end: place.end },
    firstWord: toSource({ start: from, end: wordEnd(line, from, to) }),
    verb: name === null ? null : { ...toSource({ start: from, end: rest }), name },
    ids: list.ids.map(piece),
    bad: list.bad === null ? null : toSource(list.bad),
    lost: list.lost.map(piece),
    separator: separator < 0 ? null : toSource({ start: separator, end: separator + 2 }),
    text: textStart === to ? null : toSource({ start: textStart, end: to }),
  };
}

function wordEnd(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && skipSpaces(text, at, at + 1) === at) at++;
  return at;
}

interface IdList {
  readonly ids: readonly Piece[];
  readonly bad: Span | null;
  readonly lost: readonly Piece[];
}

function scanIds(text: string, start: number, end: number): IdList {
  const ids: Piece[] = [];
  const lost: Piece[] = [];
  let bad: Span | null = null;
  for (let at = pieceStart(text, start, end); at < end; ) {
    const stop = pieceEnd(text, at, end);
    const id = idOf(text, at, stop);
    if (id === null) {
      bad ??= { start: at, end: stop };
    } else if (id !== '') {
      const list = bad === null ? ids : lost;
      if (list.length < maxPieces) list.push({ start: at, end: stop, id });
    }
    at = pieceStart(text, stop, end);
  }
  return { ids, bad, lost };
}

/** Lines before `end` that a tag opens, without the white space around them. */
function taggedLines(text: string, start: number, end: number): Span[] {
  const lines: Span[] = [];
  for (let at = start; at < end; ) {
    const stop = lineEnd(text, at, end);
    const from = skipSpaces(text, at, stop);
    if (stop - from >= tagLength && isTag(text, from))
      lines.push({ start: from, end: trimEnd(text, from, stop) });
    at = stop + 1;
  }
  return lines;
}

/** From spans of the joined line to spans of the text that its lines, given as start and end in turn, came from. */
function sourceMap(spans: readonly number[]): (span: Span) => Span {
  // Where each line begins in the joined one.
  const starts: number[] = [];
  let length = 0;
  for (let i = 0; i < spans.length; i += 2) {
    starts.push(length);
    length += (spans[i + 1] ?? 0) - (spans[i] ?? 0) + 1;
  }
  const toSource = (offset: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return (spans[low * 2] ?? 0) + offset - (starts[low] ?? 0);
  };
  return ({ start, end }) => {
    const from = toSource(start);
    return { start: from, end: end > start ? toSource(end - 1) + 1 : from };
  };
}
