/** Edits of transcripts: steps put in, steps replaced, numbers that follow. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { Range, TextEdit } from 'vscode-languageserver-types';
import { reply } from '../../engine/environments/chat.ts';
import { parseMarker } from '../../engine/transcripts/marker.ts';
import { printEvents } from '../../engine/transcripts/print-transcript.ts';
import type { EventBlock } from '../../engine/transcripts/transcript.ts';
import type { Analysis } from './analysis.ts';
import { stepNumber } from './notes.ts';
import { endOf } from './symbols.ts';

/** The text edits that put `replies` as steps before block `index`, or after the last one. */
export function insertSteps(
  document: TextDocument,
  analysis: Analysis,
  index: number,
  replies: readonly string[],
): TextEdit[] {
  const { blocks } = analysis.parsed.layout;
  const block = blocks[index];
  const first = stepNumber(analysis.parsed.transcript.events, index - 1) + 1;
  // A block is printed after an empty line; before another one that line must follow it.
  const printed = printEvents(replies.map(reply), first);
  if (block === undefined) {
    const last = blocks.at(-1);
    const from = last === undefined ? (analysis.parsed.layout.frontMatter?.end ?? 0) : endOf(last);
    return [edit(document, from, analysis.text.length, `\n${printed}`)];
  }
  return [
    edit(document, block.start, block.start, `${printed.replace(/^\n/, '')}\n`),
    ...renumberFrom(document, analysis, index, first + replies.length),
  ];
}

/** The text edits that put `replies` in the place of block `index` and all after it. */
export function replaceSteps(
  document: TextDocument,
  analysis: Analysis,
  index: number,
  replies: readonly string[],
): TextEdit[] {
  const block = analysis.parsed.layout.blocks[index];
  if (block === undefined) return insertSteps(document, analysis, index, replies);
  const first = stepNumber(analysis.parsed.transcript.events, index - 1) + 1;
  const printed = printEvents(replies.map(reply), first).replace(/^\n/, '');
  return [edit(document, block.start, analysis.text.length, printed)];
}

/** The text edit that gives a step without text the text of `text`. */
export function fillStep(
  document: TextDocument,
  analysis: Analysis,
  index: number,
  text: string,
): TextEdit[] {
  const block = analysis.parsed.layout.blocks[index];
  if (block === undefined) return [];
  const number = stepNumber(analysis.parsed.transcript.events, index);
  const printed = printEvents([reply(text)], number).replace(/^\n/, '');
  return [edit(document, block.start, endOf(block), printed.trimEnd())];
}

/** The edits that number the steps from block `index` on, beginning with `number`. Numbers that are right stay. */
export function renumberFrom(
  document: TextDocument,
  { text, parsed }: Analysis,
  index: number,
  number: number,
): TextEdit[] {
  let next = number;
  return parsed.layout.blocks.slice(index).flatMap((block) => {
    if (block.kind !== 'step') return [];
    const place = numberPlace(text, block);
    const due = String(next++);
    if (text.slice(place.start, place.end) === due) return [];
    return [edit(document, place.start, place.end, place.start === place.end ? ` ${due}` : due)];
  });
}

/** Where a step's number stands on its marker line; empty, behind the word, when there is none. */
function numberPlace(text: string, { text: { marker } }: EventBlock): { start: number; end: number } {
  const line = text.slice(marker.start, marker.end);
  const value = parseMarker(line)?.values.find(({ key }) => key === null);
  if (value) return { start: marker.start + value.start, end: marker.start + value.end };
  const end = marker.start + line.indexOf('step') + 'step'.length;
  return { start: end, end };
}

/** A text edit with the line ends of the document. */
export function edit(document: TextDocument, start: number, end: number, text: string): TextEdit {
  const range = Range.create(document.positionAt(start), document.positionAt(end));
  const lineEnd = /\r\n|\r|\n/.exec(document.getText())?.[0] ?? '\n';
  return TextEdit.replace(range, lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd));
}
