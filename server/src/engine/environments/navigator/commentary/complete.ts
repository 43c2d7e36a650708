/** What could be written next in a reply: verbs, chunks to read, held ids. */
import type { Proposal } from '../../commentary.ts';
import { isLineBreak } from '../action-lines.ts';
import { verbs } from '../actions.ts';
import type { Chunk } from '../instance.ts';
import { mapLineOf } from '../map.ts';
import { frontierOf } from '../progress.ts';
import type { State } from '../state.ts';
import { canHold, rangeText } from './ranges.ts';
import { block, code } from './references.ts';

const verbHelp: Readonly<Record<(typeof verbs)[number], readonly [form: string, meaning: string]>> = {
  READ: ['READ chunk', 'Loads a chunk; its tokens count against the ceiling.'],
  COMPRESS: ['COMPRESS ids :: summary', 'Puts a summary in the place of what is held.'],
  DROP: ['DROP ids', 'Lets go of what is held.'],
  ANSWER: ['ANSWER text', 'Ends the episode.'],
};

/** The beginning of an action line: white space, the tag or a part of it, a verb or a part of it. */
const beginning = /^[ \t]*(?:(ACTION:)[ \t]*|)([A-Za-z]*)$/i;
/** A verb that takes ids, then ids, then what is being typed. */
const idList = /^[ \t]*(?:ACTION:)?[ \t]*(READ|COMPRESS|DROP)[ \t]((?:[^:]|:(?!:))*?)([\p{L}\p{N}]*)$/iu;

/** Proposals at `offset`, best first. None within a summary, an answer or a thought. */
export function complete(state: State, text: string, offset: number, privileged: boolean): Proposal[] {
  let start = offset;
  while (start > 0 && !isLineBreak(text.charCodeAt(start - 1))) start--;
  const line = text.slice(start, offset);
  if (line.length > 1000) return [];
  const ids = idList.exec(line);
  if (ids !== null) {
    const [, verb = '', list = '', typed = ''] = ids;
    const place = { start: offset - typed.length, end: wordEnd(text, offset) };
    if (verb.toUpperCase() !== 'READ') return heldIds(state, list, place);
    return /[\p{L}\p{N}]/u.test(list) ? [] : chunkIds(state, place, privileged);
  }
  const verb = beginning.exec(line);
  if (verb === null) return [];
  const [, tag, typed = ''] = verb;
  const place = { start: offset - typed.length, end: wordEnd(text, offset) };
  return verbs.map((name) => ({
    kind: 'verb',
    label: name,
    detail: verbHelp[name][0].slice(name.length),
    documentation: verbHelp[name][1],
    filter: tag === undefined ? `ACTION: ${name} ${name}` : name,
    insert: `${tag === undefined ? 'ACTION: ' : ''}${name}`,
    ...place,
  }));
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Chunks of the registers, those that fit first. For a person who may know, those that can hold what is needed next
 * come before all others.
 */
function chunkIds(state: State, place: Place, privileged: boolean): Proposal[] {
  const { instance, settings, used } = state;
  const wanted = privileged ? instance.evidence[frontierOf(state)] : undefined;
  const free = settings.contextCeiling - used;
  const held = new Set(state.held.map(({ id }) => id));
  const read = new Set(state.reads);
  const rank = (chunk: Chunk): number => {
    const isWanted = wanted !== undefined && canHold(instance, chunk, wanted);
    return (isWanted ? 0 : 4) + (chunk.tokens <= free ? 0 : 2) + (read.has(chunk.idx) ? 1 : 0);
  };
  const chunks = instance.chunks.filter(({ kind, idx }) => kind === 'register' && !held.has(String(idx)));
  const ranked = chunks.map((chunk) => ({ chunk, rank: rank(chunk) })).sort((a, b) => a.rank - b.rank);
  return ranked.map(({ chunk }) => {
    const room = chunk.tokens <= free ? '' : ', does not fit';
    const before = read.has(chunk.idx) ? ', read before' : '';
    return {
      kind: 'chunk',
      label: String(chunk.idx),
      detail: `${rangeText(chunk)} (${chunk.section}, ${chunk.tokens} tokens${room}${before})`,
      documentation: code(mapLineOf(instance, chunk.idx) ?? ''),
      filter: `${chunk.idx} ${chunk.entity_names.join(' ')}`,
      insert: String(chunk.idx),
      ...place,
    };
  });
}

/** What is held and not listed yet, youngest last as in the working context. */
function heldIds(state: State, list: string, place: Place): Proposal[] {
  const listed = new Set(list.toUpperCase().match(/S?\d+/g) ?? []);
  return state.held
    .filter(({ id }) => !listed.has(id))
    .map((item) => {
      const chunk = state.instance.chunks[Number(item.id)];
      const from = chunk ? rangeText(chunk) : `from ${item.sources.join(', ')}`;
      return {
        kind: item.kind,
        label: item.id,
        detail: `${from} (${item.tokens} tokens)`,
        documentation: block(item.text),
        filter: item.id,
        insert: item.id,
        ...place,
      };
    });
}

function wordEnd(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && /[\p{L}\p{N}]/u.test(text.charAt(end))) end++;
  return end;
}
