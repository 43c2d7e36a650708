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

/** A line of the map. States share the items of lines of which they say the same. */
interface MapLine {
  readonly tokens: number;
  /** The one chunk of the line, or the noise chunks of the run. */
  readonly chunks: readonly [Chunk, ...Chunk[]];
  /** By {@link stands}, each made when it is first wanted; noise has the first only. */
  readonly forms: (MapItem | undefined)[];
}

interface DocumentMap {
  readonly lines: readonly MapLine[];
  /** Index into `lines` by chunk number; −1 for noise chunks. */
  readonly lineOf: readonly number[];
  text: string | undefined;
}

const maps = new WeakMap<Instance, DocumentMap>();

/** The parts of the map that are the same in every state; built once per instance. */
function documentMap(instance: Instance): DocumentMap {
  const known = maps.get(instance);
  if (known !== undefined) return known;
  const lines: MapLine[] = [];
  const lineOf: number[] = [];
  let run: [Chunk, ...Chunk[]] | null = null;
  for (const chunk of instance.chunks) {
    const isNoise = chunk.kind === 'noise';
    lineOf.push(isNoise ? -1 : lines.length);
    if (isNoise && run !== null && run[0].section === chunk.section) {
      run.push(chunk);
      continue;
    }
    run = isNoise ? [chunk] : null;
    lines.push({ tokens: chunk.tokens, chunks: run ?? [chunk], forms: [] });
  }
  const made = { lines, lineOf, text: undefined };
  maps.set(instance, made);
  return made;
}

/** The item for a line that stands as `stand` says. Frozen items are rendered once and remembered by templates. */
function itemOf(line: MapLine, stand: number): MapItem {
  const [{ kind }] = line.chunks;
  const at = kind === 'noise' ? stands.unread : stand;
  const known = line.forms[at];
  if (known !== undefined) return known;
  const item = Object.freeze(kind === 'noise' ? noiseItem(line.chunks) : chunkItem(line.chunks[0], at));
  line.forms[at] = item;
  return item;
}

function chunkItem({ idx, header, section, tokens }: Chunk, stand: number): MapItem {
  const held = stand === stands.held;
  const dropped = stand === stands.dropped || stand === stands.droppedFits;
  return {
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
    fits: stand === stands.unreadFits || stand === stands.droppedFits,
    held,
    read: held || dropped,
    dropped,
  };
}

function noiseItem(run: readonly [Chunk, ...Chunk[]]): MapItem {
  const { idx: first, section } = run[0];
  const last = first + run.length - 1;
  const mean = Math.floor(run.reduce((sum, chunk) => sum + chunk.tokens, 0) / run.length);
  return {
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
  };
}

function lineText(line: MapLine): string {
  const [chunk] = line.chunks;
  if (chunk.kind === 'noise') {
    const { id, section, count, mean } = itemOf(line, stands.unread);
    return mapMessages.noise({ range: id, section, count, mean });
  }
  return mapMessages.chunk({ id: chunk.idx, header: chunk.header, tokens: chunk.tokens });
}

/** The lines of the map in document order, saying of each chunk how it stands in `state`. */
export function mapItems(state: State): readonly MapItem[] {
  const { lines, lineOf } = documentMap(state.instance);
  const free = state.settings.contextCeiling - state.used;
  const items: MapItem[] = [];
  for (const line of lines) {
    items.push(itemOf(line, line.tokens <= free ? stands.unreadFits : stands.unread));
  }
  for (const number of state.reads) {
    const index = lineOf[number] ?? -1;
    const line = lines[index];
    if (line !== undefined) items[index] = itemOf(line, standOf(state, number, free));
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
  const map = documentMap(instance);
  map.text ??= map.lines.map(lineText).join('\n');
  return map.text;
}

/** The map's lines without indentation, in document order: for pages that set them in their own way. */
export function mapOf(instance: Instance): readonly string[] {
  return documentMap(instance).lines.map((line) => lineText(line).trimStart());
}

/** The line of the map that a chunk stands on, without indentation; undefined when there is no such chunk. */
export function mapLineOf(instance: Instance, chunk: number): string | undefined {
  const line = documentMap(instance).lines.find(({ chunks }) => chunks.some(({ idx }) => idx === chunk));
  return line && lineText(line).trimStart();
}
