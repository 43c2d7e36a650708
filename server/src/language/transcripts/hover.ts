/**
 * Hover and go to definition in a transcript: chunks and summaries by their ids, and whatever the instance's document
 * speaks of by the name or the value it has there.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type Hover, Location, MarkupKind, Range } from 'vscode-languageserver-types';
import type { Reference } from '../../engine/environments/commentary.ts';
import { instanceHover } from '../instances/hover.ts';
import type { InstanceModel } from '../instances/models.ts';
import type { Analysis } from './analysis.ts';
import { type Cursor, cursorAt } from './cursor.ts';
import { placeOfValue } from './instance.ts';
import { findInText } from './lexicon.ts';

/** @param model of the instance that was played, when there is one */
export function transcriptHover(
  document: TextDocument,
  offset: number,
  analysis: Analysis,
  model: InstanceModel | undefined,
  spoilers: boolean,
): Hover | null {
  const cursor = cursorAt(analysis, offset);
  if (cursor === undefined) return null;
  const { commentary, state } = cursor;
  if (cursor.isMarker) {
    const block = analysis.parsed.layout.blocks[cursor.index];
    const value = commentary?.describe(state, spoilers);
    if (block === undefined || value === undefined) return null;
    return { contents: markdown(value), range: rangeOf(document, block.text.marker) };
  }
  const reference = referenceAt(cursor);
  if (reference !== undefined) {
    const value = commentary?.about?.(state, reference) ?? null;
    return value === null
      ? null
      : { contents: markdown(value), range: rangeInFile(document, cursor, reference) };
  }
  const found = model && wordAt(cursor, model);
  if (!model || !found) return null;
  const hover = instanceHover(model, model.links.mentions.starts[found.mention] ?? 0, spoilers);
  return hover && { ...hover, range: rangeInFile(document, cursor, found) };
}

/** The chunk, the entry or the value in the instance's document; of the instance's id, that document. */
export function transcriptDefinition(
  offset: number,
  analysis: Analysis,
  model: InstanceModel | undefined,
): Location[] {
  if (model === undefined) return [];
  const id = placeOfValue(analysis.parsed, 'instance');
  if (id.start <= offset && offset <= id.end) return [locate(model, { start: 0, end: 0 })];
  const cursor = cursorAt(analysis, offset);
  if (cursor === undefined) return [];
  const reference = referenceAt(cursor);
  if (reference !== undefined) {
    const chunk = reference.kind === 'chunk' ? model.chunks.get(Number(reference.id)) : undefined;
    return chunk === undefined ? [] : [locate(model, { start: chunk.nameStart, end: chunk.nameEnd })];
  }
  const found = wordAt(cursor, model);
  if (found === undefined) return [];
  const { starts, ends } = model.links.mentions;
  return [locate(model, { start: starts[found.mention] ?? 0, end: ends[found.mention] ?? 0 })];
}

function referenceAt({ commentary, reply }: Cursor): Reference | undefined {
  if (reply === undefined) return undefined;
  return commentary?.references?.(reply.text).find((candidate) => holds(candidate, reply.offset));
}

function wordAt({ reply }: Cursor, model: InstanceModel) {
  return reply && findInText(model, reply.text).find((candidate) => holds(candidate, reply.offset));
}

function holds({ start, end }: { readonly start: number; readonly end: number }, offset: number): boolean {
  return start <= offset && offset <= end;
}

function markdown(value: string) {
  return { kind: MarkupKind.Markdown, value };
}

function rangeInFile(document: TextDocument, { reply }: Cursor, part: { start: number; end: number }): Range {
  return rangeOf(document, reply?.place.toFile(part) ?? part);
}

function rangeOf(
  document: TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): Range {
  return Range.create(document.positionAt(start), document.positionAt(end));
}

function locate(
  { document }: InstanceModel,
  part: { readonly start: number; readonly end: number },
): Location {
  return Location.create(document.uri, rangeOf(document, part));
}
