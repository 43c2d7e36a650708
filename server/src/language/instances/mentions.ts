/** Which entity stands at a place of an instance document, and where else it stands. */
import { Range } from 'vscode-languageserver-types';
import { findMention, type LinkedEntity, NONE, roleOf } from '../../engine/environments/links.ts';
import type { InstanceModel } from './models.ts';

/** A place that names an entity, or gives a value of one. */
export interface Place {
  /** Position in the links' entities. */
  readonly entity: number;
  readonly start: number;
  readonly end: number;
  /** The mention, or {@link NONE} for a name in running text, which the links do not list. */
  readonly mention: number;
}

/** What stands at `offset`: a listed mention, else a name in running text such as a note; undefined for anything else. */
export function placeAt(model: InstanceModel, offset: number): Place | undefined {
  const { mentions } = model.links;
  const mention = findMention(mentions, offset);
  if (mention === NONE) return nameAt(model, offset);
  return {
    entity: mentions.entities[mention] ?? NONE,
    start: mentions.starts[mention] ?? 0,
    end: mentions.ends[mention] ?? 0,
    mention,
  };
}

/** Whether a place gives a value of its entity rather than naming it. */
export function isValue({ links }: InstanceModel, { mention }: Place): boolean {
  return mention !== NONE && roleOf(links.mentions, mention).endsWith('value');
}

/** All places that name an entity, in text order; `withText` adds those in running text. */
export function placesOf(model: InstanceModel, entity: number, withText: boolean): Place[] {
  const { mentions, entities } = model.links;
  const places: Place[] = [];
  for (let mention = 0; mention < mentions.count; mention++) {
    if (mentions.entities[mention] !== entity || roleOf(mentions, mention).endsWith('value')) continue;
    const start = mentions.starts[mention] ?? 0;
    places.push({ entity, start, end: mentions.ends[mention] ?? 0, mention });
  }
  const named = entities[entity];
  if (!withText || named === undefined) return places;
  const listed = new Set(places.map(({ start }) => start));
  for (const start of occurrences(model, named)) {
    if (listed.has(start) || placeAt(model, start)?.entity !== entity) continue;
    places.push({ entity, start, end: start + named.name.length, mention: NONE });
  }
  return places.sort((a, b) => a.start - b.start);
}

/** Range of a place in the document. */
export function rangeOf(
  { document }: InstanceModel,
  { start, end }: Omit<Place, 'entity' | 'mention'>,
): Range {
  return Range.create(document.positionAt(start), document.positionAt(end));
}

/** A name has at most this many characters before the cursor. */
const LONGEST_NAME = 200;

const letter = /[\p{L}\p{N}_]/u;

/** The longest entity name in running text around `offset`. */
function nameAt(model: InstanceModel, offset: number): Place | undefined {
  const { text } = model.view;
  const { entities } = model.links;
  const names = namesOf(model);
  let best: Place | undefined;
  const from = Math.max(text.lastIndexOf('\n', offset - 1) + 1, offset - LONGEST_NAME);
  for (let start = offset; start >= from; start--) {
    if (start > 0 && letter.test(text.charAt(start - 1))) continue;
    for (const entity of names.get(firstWord(text, start)) ?? []) {
      const { name } = entities[entity] ?? { name: '' };
      const end = start + name.length;
      const isHere = end >= offset && text.startsWith(name, start) && !letter.test(text.charAt(end));
      if (isHere && (best === undefined || end - start > best.end - best.start)) {
        best = { entity, start, end, mention: NONE };
      }
    }
  }
  return best;
}

/** Entities by the first word of their names. */
const words = new WeakMap<readonly LinkedEntity[], ReadonlyMap<string, readonly number[]>>();

function namesOf({ links }: InstanceModel): ReadonlyMap<string, readonly number[]> {
  const known = words.get(links.entities);
  if (known !== undefined) return known;
  const names = new Map<string, number[]>();
  links.entities.forEach(({ name }, entity) => {
    const word = firstWord(name, 0);
    const same = names.get(word);
    if (same === undefined) names.set(word, [entity]);
    else same.push(entity);
  });
  words.set(links.entities, names);
  return names;
}

function firstWord(text: string, start: number): string {
  let end = start;
  while (end < text.length && letter.test(text.charAt(end))) end++;
  return text.slice(start, end);
}

function* occurrences({ view }: InstanceModel, { name }: LinkedEntity): Generator<number> {
  if (name === '') return;
  for (let at = view.text.indexOf(name); at >= 0; at = view.text.indexOf(name, at + name.length)) yield at;
}
