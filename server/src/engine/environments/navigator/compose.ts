/**
 * Second half of the generator: the document's text. Token counts are summed up from the pieces, so that the
 * text is written once and never read again; a test holds the sums against the counter.
 */
import type { Stream } from '../../random/stream.ts';
import { countTokens } from '../../text/tokens.ts';
import type { Entity, Group, Section } from './entities.ts';
import { drawSentence, noiseSections } from './filler.ts';
import type { Chunk } from './instance.ts';
import { type Attribute, formatValue, type Register, registers } from './registers.ts';
import { generatorSettings } from './splits.ts';

/** Where an entity's entry went. */
export interface Place {
  readonly chunk: number;
  /** Tokens before the entry in the document, each newline counted as one within its own chunk. */
  readonly offset: number;
}

export interface Composed {
  readonly chunks: readonly Chunk[];
  readonly places: ReadonlyMap<Entity, Place>;
  readonly tokens: number;
}

/** The fixed text of a register's entries and what it costs. Each label ends the field before it. */
interface Labels {
  readonly sectionTokens: number;
  readonly link: string;
  readonly attributes: readonly string[];
  /** `. Status: running.` by index. */
  readonly statuses: readonly string[];
  /** Tokens of an entry beside names, superseded statements, status and notes. */
  readonly fixedTokens: number;
  readonly valueTokens: readonly number[];
  readonly statusTokens: readonly number[];
}

const labels = new Map<Register, Labels>(registers.map((register) => [register, labelsOf(register)]));

function labelsOf({ section, link, attributes, status }: Register): Labels {
  const linkLabel = ` — ${link}: `;
  const attributeLabels = attributes.map(({ label }) => `. ${label}: `);
  const statuses = status.values.map((value) => `. ${status.label}: ${value}.`);
  // Every value of a range has the same number of digits, hence of tokens.
  const valueTokens = attributes.map((attribute) => countTokens(formatValue(attribute, attribute.low)));
  const fixed = [linkLabel, ...attributeLabels].map(countTokens);
  return {
    sectionTokens: countTokens(section),
    link: linkLabel,
    attributes: attributeLabels,
    statuses,
    fixedTokens: [...fixed, ...valueTokens].reduce((sum, n) => sum + n, 0),
    valueTokens,
    statusTokens: statuses.map(countTokens),
  };
}

/** Tokens that a superseded statement adds to a field, beside the old value itself: the same in both styles. */
const CHANGE_TOKENS = countTokens('[current since 2020; previously from 2018 to 2020]');
const NOTES = ' Notes:';
const NOTES_TOKENS = countTokens(NOTES);

/** An entry without notes, in tokens. */
function entryTokens(fixed: Labels, member: Entity): number {
  let tokens = fixed.fixedTokens + (fixed.statusTokens[member.status] as number);
  tokens += member.nameTokens + (member.link as Entity).nameTokens;
  if (member.oldLink !== null) tokens += CHANGE_TOKENS + member.oldLink.nameTokens;
  for (let a = 0; a < member.oldValues.length; a++) {
    if ((member.oldValues[a] as number) >= 0) tokens += CHANGE_TOKENS + (fixed.valueTokens[a] as number);
  }
  return tokens;
}

/** Appends an entry to `pieces`. Many small pieces joined once are cheaper than a growing string. */
function writeEntry(pieces: string[], register: Register, fixed: Labels, member: Entity): void {
  pieces.push('\n', member.name, fixed.link);
  writeValue(pieces, member, (member.link as Entity).name, member.oldLink?.name ?? null);
  for (let a = 0; a < register.attributes.length; a++) {
    const attribute = register.attributes[a] as Attribute;
    const old = member.oldValues[a] as number;
    pieces.push(fixed.attributes[a] as string);
    writeValue(
      pieces,
      member,
      formatValue(attribute, member.values[a] as number),
      old < 0 ? null : formatValue(attribute, old),
    );
  }
  pieces.push(fixed.statuses[member.status] as string);
}

function writeValue(pieces: string[], { change }: Entity, value: string, old: string | null): void {
  if (old === null || change === null) pieces.push(value);
  else if (change.oldFirst) pieces.push(old, change.between, value, change.close);
  else pieces.push(value, change.between, old, change.close);
}

/** The length that a chunk is padded up to: 320 to 456 tokens, newlines counted. */
function paddingTarget(stream: Stream): number {
  const { chunk_min_tokens: min, chunk_max_tokens: max } = generatorSettings;
  return stream.between(min, max - 24);
}

/** Writes the chunk of a group at position `idx`; null when it is too long before any padding. */
function registerChunk(
  stream: Stream,
  register: Register,
  group: Group,
  idx: number,
  before: number,
  places: Map<Entity, Place>,
): Chunk | null {
  const { section } = register;
  const fixed = labels.get(register) as Labels;
  const first = group.entities[0] as Entity;
  const last = group.entities[group.entities.length - 1] as Entity;
  let header = `${section} · ${first.name}`;
  let headerTokens = fixed.sectionTokens + 1 + first.nameTokens;
  if (last !== first) {
    header += ` – ${last.name}`;
    headerTokens += 1 + last.nameTokens;
  }
  const { entities } = group;
  const tokens = entities.map((member) => entryTokens(fixed, member));
  let estimate = headerTokens + 1;
  for (const entry of tokens) estimate += entry + 1;
  const { chunk_max_tokens: max } = generatorSettings;
  if (estimate > max) return null;

  const target = paddingTarget(stream);
  const notes: (string[] | undefined)[] = new Array(entities.length);
  while (estimate < target) {
    const sentence = drawSentence(stream);
    const chosen = stream.below(entities.length);
    let written = notes[chosen];
    const cost = sentence.tokens + (written === undefined ? NOTES_TOKENS : 0);
    if (estimate + cost > max) break;
    if (written === undefined) notes[chosen] = written = [NOTES];
    written.push(sentence.text);
    tokens[chosen] = (tokens[chosen] as number) + cost;
    estimate += cost;
  }

  const pieces = [header];
  let offset = before + headerTokens + 1;
  for (let i = 0; i < entities.length; i++) {
    const member = entities[i] as Entity;
    writeEntry(pieces, register, fixed, member);
    const written = notes[i];
    if (written !== undefined) for (const note of written) pieces.push(note);
    places.set(member, { chunk: idx, offset });
    offset += (tokens[i] as number) + 1;
  }
  return {
    idx,
    section,
    header,
    kind: 'register',
    text: pieces.join(''),
    tokens: estimate - 1 - entities.length,
    entity_names: entities.map((member) => member.name),
  };
}

/** How a line of a noise chunk begins: a year from 2015 to 2024. */
const yearLines: readonly string[] = Array.from({ length: 10 }, (_, i) => `\n${2015 + i} —`);

function noiseChunk(stream: Stream, section: string, number: number, idx: number): Chunk {
  const header = `${section} · entry ${number}`;
  const target = paddingTarget(stream);
  const pieces = [header];
  let tokens = countTokens(header);
  for (let lines = 1; tokens + lines < target; lines++) {
    const kept = pieces.length;
    pieces.push(yearLines[stream.below(yearLines.length)] as string);
    let lineTokens = 2;
    for (let sentences = stream.between(1, 3); sentences > 0; sentences--) {
      const sentence = drawSentence(stream);
      pieces.push(sentence.text);
      lineTokens += sentence.tokens;
    }
    if (tokens + lines + lineTokens + 1 > generatorSettings.chunk_max_tokens) {
      pieces.length = kept;
      break;
    }
    tokens += lineTokens;
  }
  return { idx, section, header, kind: 'noise', text: pieces.join(''), tokens, entity_names: [] };
}

/** Noise sections and their chunk counts: equal shares, the first ones take the remainder. */
function noiseShares(stream: Stream, chunks: number): { section: string; chunks: number }[] {
  const count = Math.max(1, Math.min(noiseSections.length, Math.floor(chunks / 4)));
  const chosen = stream.shuffle([...noiseSections]).slice(0, count);
  return chosen.map((section, i) => ({
    section,
    chunks: Math.floor(chunks / count) + (i < chunks % count ? 1 : 0),
  }));
}

/**
 * Writes the document: sections in uniform order, chunks numbered through.
 *
 * @param noise number of noise chunks
 * @returns null when a register chunk is too long even without padding
 */
export function compose(stream: Stream, sections: readonly Section[], noise: number): Composed | null {
  const order = stream.shuffle<Section | { section: string; chunks: number }>([
    ...sections,
    ...noiseShares(stream, noise),
  ]);
  const chunks: Chunk[] = [];
  const places = new Map<Entity, Place>();
  let tokens = 0;
  for (const part of order) {
    const count = 'groups' in part ? part.groups.length : part.chunks;
    for (let i = 0; i < count; i++) {
      const chunk =
        'groups' in part
          ? registerChunk(stream, part.register, part.groups[i] as Group, chunks.length, tokens, places)
          : noiseChunk(stream, part.section, i + 1, chunks.length);
      if (chunk === null) return null;
      chunks.push(chunk);
      tokens += chunk.tokens;
    }
  }
  return { chunks, places, tokens };
}
