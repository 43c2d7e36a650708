/**
 * The map of a document: what an agent sees of it without reading. One line for each register chunk, one for each
 * run of adjacent noise chunks of one section.
 */
import type { Chunk, Instance } from './instance.ts';
import { mapMessages } from './messages.ts';
import type { State } from './state.ts';

/** One line of the map, as step prompts see it. All sizes in tokens. */
export interface MapItem {
  /** The chunk's number; for noise the run's numbers, as in `12–15`. */
  readonly id: string;
  readonly header: string;
  readonly section: string;
  /** Size of the chunk; for noise the same as `mean`. */
  readonly tokens: number;
  readonly is_chunk: boolean;
  readonly is_noise: boolean;
  /** First and last chunk number of a run, and how many there are; for a chunk its own number and 1. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** Mean size of a run's chunks, rounded down. */
  readonly mean: number;
  /** Could be read now: not held, and no larger than what is free. False for noise, as are the next three. */
  readonly fits: boolean;
  readonly held: boolean;
  /** Has been read at least once. */
  readonly read: boolean;
  /** Was held once and is not now. */
  readonly dropped: boolean;
}

/** What a chunk's line says about the episode. A chunk that was read and is not held was dropped. */
const stands = { unread: 0, unreadFits: 1, dropped: 2, droppedFits: 3, held: 4 } as const;

/** A line of the map with every form it can take, so that states share what has not changed. */
interface MapLine {
  readonly tokens: number;
  readonly isChunk: boolean;
  /** By {@link stands}; for noise the same item five times. */
  readonly forms: readonly MapItem[];
}

interface DocumentMap {
  readonly lines: readonly MapLine[];
  /** Index into `lines` by chunk number; −1 for noise chunks. */
  readonly lineOf: readonly number[];
  readonly text: string;
}

const maps = new WeakMap<Instance, DocumentMap>();

/** The parts of the map that are the same in every state; built once per instance. */
function documentMap(instance: Instance): DocumentMap {
  const known = maps.get(instance);
  if (known !== undefined) return known;
  const lines: MapLine[] = [];
  const lineOf: number[] = [];
  for (let i = 0; i < instance.chunks.length; ) {
    const run = noiseRun(instance.chunks, i);
    const [chunk] = run.length === 0 ? instance.chunks.slice(i, i + 1) : [];
    if (chunk !== undefined) lineOf.push(lines.length);
    else for (const _ of run) lineOf.push(-1);
    lines.push(chunk === undefined ? noiseLine(run) : chunkLine(chunk));
    i += Math.max(1, run.length);
  }
  const made = { lines, lineOf, text: lines.map(({ forms }) => lineText(forms[0])).join('\n') };
  maps.set(instance, made);
  return made;
}

/** The noise chunks from `start` on that lie together and share a section; none when a register chunk stands there. */
function noiseRun(chunks: readonly Chunk[], start: number): readonly Chunk[] {
  const section = chunks[start]?.section;
  let end = start;
  while (end < chunks.length && chunks[end]?.kind === 'noise' && chunks[end]?.section === section) end++;
  return chunks.slice(start, end);
}

function chunkLine({ idx, header, section, tokens }: Chunk): MapLine {
  const form = (fits: boolean, read: boolean, held: boolean): MapItem =>
    // Frozen items are rendered once and remembered: see `list` in engine/prompts/compile.ts.
    Object.freeze({
      id: String(idx),
      header,
      section,
      tokens,
      is_chunk: true,
      is_noise: false,
      first: idx,
      last: idx,
      count: 1,
      mean: tokens,
      fits,
      held,
      read,
      dropped: read && !held,
    });
  const forms: MapItem[] = [];
  forms[stands.unread] = form(false, false, false);
  forms[stands.unreadFits] = form(true, false, false);
  forms[stands.dropped] = form(false, true, false);
  forms[stands.droppedFits] = form(true, true, false);
  forms[stands.held] = form(false, true, true);
  return { tokens, isChunk: true, forms };
}

function noiseLine(run: readonly Chunk[]): MapLine {
  const first = run[0]?.idx ?? 0;
  const last = first + run.length - 1;
  const section = run[0]?.section ?? '';
  const mean = Math.floor(run.reduce((sum, chunk) => sum + chunk.tokens, 0) / run.length);
  const item: MapItem = Object.freeze({
    id: first === last ? String(first) : `${first}–${last}`,
    header: section,
    section,
    tokens: mean,
    is_chunk: false,
    is_noise: true,
    first,
    last,
    count: run.length,
    mean,
    fits: false,
    held: false,
    read: false,
    dropped: false,
  });
  return { tokens: mean, isChunk: false, forms: [item, item, item, item, item] };
}

function lineText(item: MapItem | undefined): string {
  if (item === undefined) return '';
  const { id, header, section, tokens, count, mean } = item;
  return item.is_noise
    ? mapMessages.noise({ range: id, section, count, mean })
    : mapMessages.chunk({ id, header, tokens });
}

/** The lines of the map in document order, saying of each chunk how it stands in `state`. */
export function mapItems(state: State): readonly MapItem[] {
  const { lines, lineOf } = documentMap(state.instance);
  const free = state.settings.contextCeiling - state.used;
  const items: MapItem[] = [];
  for (const { tokens, forms } of lines) {
    const form = forms[tokens <= free ? stands.unreadFits : stands.unread];
    if (form !== undefined) items.push(form);
  }
  for (const number of state.reads) {
    const index = lineOf[number] ?? -1;
    const form = lines[index]?.forms[standOf(state, number, free)];
    if (form !== undefined) items[index] = form;
  }
  return items;
}

/** How a chunk stands that has been read. */
function standOf(state: State, number: number, free: number): number {
  const id = String(number);
  if (state.held.some((item) => item.id === id)) return stands.held;
  const tokens = state.instance.chunks[number]?.tokens ?? 0;
  return tokens <= free ? stands.droppedFits : stands.dropped;
}

/** The map as ready-made text, a line per item, each indented by two blanks. The same in every state. */
export function mapText(instance: Instance): string {
  return documentMap(instance).text;
}

/** The map's lines without indentation, in document order: for pages that set them in their own way. */
export function mapOf(instance: Instance): readonly string[] {
  return documentMap(instance).lines.map(({ forms }) => lineText(forms[0]).trimStart());
}

/** The line of the map that a chunk stands on, without indentation; undefined when there is no such chunk. */
export function mapLineOf(instance: Instance, chunk: number): string | undefined {
  const { lines, lineOf } = documentMap(instance);
  const own = lines[lineOf[chunk] ?? -1];
  const line = own ?? lines.find(({ forms: [item] }) => item && item.first <= chunk && chunk <= item.last);
  return line && lineText(line.forms[0]).trimStart();
}
