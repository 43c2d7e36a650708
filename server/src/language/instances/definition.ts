/** Go to definition, find all references and highlights in an instance document: along its links. */
import { DocumentHighlight, DocumentHighlightKind, Location } from 'vscode-languageserver-types';
import { NONE, roleOf } from '../../engine/environments/links.ts';
import { isValue, type Place, placeAt, placesOf, rangeOf } from './mentions.ts';
import type { InstanceModel } from './models.ts';

/** The entry of the entity that is named at `offset`; of a value, the entry of whose it is. None without an entry. */
export function instanceDefinition(model: InstanceModel, offset: number): Location[] {
  const place = placeAt(model, offset);
  const entity = place && model.links.entities[place.entity];
  if (entity === undefined || entity.chunk === NONE) return [];
  const name = { start: entity.start, end: entity.start + entity.name.length };
  return [Location.create(model.document.uri, rangeOf(model, name))];
}

/** The entity's entry, all that link to it or once did, and where else it is named but in headers; the same value elsewhere. */
export function instanceReferences(model: InstanceModel, offset: number): Location[] {
  const place = placeAt(model, offset);
  if (place === undefined) return [];
  const { mentions } = model.links;
  return placesAlike(model, place)
    .filter(({ mention }) => mention === NONE || roleOf(mentions, mention) !== 'range')
    .map((found) => Location.create(model.document.uri, rangeOf(model, found)));
}

/** Every place that names the entity, or gives the value, at `offset`. */
export function instanceHighlights(model: InstanceModel, offset: number): DocumentHighlight[] {
  const place = placeAt(model, offset);
  if (place === undefined) return [];
  const { mentions } = model.links;
  return placesAlike(model, place).map((found) => {
    const isEntry = found.mention !== NONE && roleOf(mentions, found.mention) === 'entry';
    const kind = isEntry ? DocumentHighlightKind.Write : DocumentHighlightKind.Read;
    return DocumentHighlight.create(rangeOf(model, found), kind);
  });
}

function placesAlike(model: InstanceModel, place: Place): Place[] {
  return isValue(model, place) ? sameValues(model, place) : placesOf(model, place.entity, true);
}

/** All values that read the same. */
function sameValues(model: InstanceModel, { start, end }: Place): Place[] {
  const { view, links } = model;
  const { mentions } = links;
  const said = view.text.slice(start, end);
  const places: Place[] = [];
  for (let mention = 0; mention < mentions.count; mention++) {
    const from = mentions.starts[mention] ?? 0;
    const to = mentions.ends[mention] ?? 0;
    const isAlike = to - from === end - start && view.text.startsWith(said, from);
    if (!isAlike || !roleOf(mentions, mention).endsWith('value')) continue;
    places.push({ entity: mentions.entities[mention] ?? NONE, start: from, end: to, mention });
  }
  return places;
}
