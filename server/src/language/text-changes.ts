/** What changed between two versions of a message: by lines first, then by words where few lines changed. */
import { diffLines, diffWordsWithSpace } from 'diff';
import type { PreviewPiece } from '../protocol.ts';

/** Texts that differ by more lines than this are not compared line by line: it would take too long, and help nobody. */
const maxChangedLines = 250;
/** Changed lines longer than this together are not compared word by word. */
const maxChangedText = 4000;
const maxChangedWords = 200;

/** The pieces of `after`, with what only `before` has between them. Their order is that of a reader. */
export function textChanges(before: string, after: string): PreviewPiece[] {
  // Most changes are in one place: only the lines from the first to the last change are looked at.
  const alike = commonStart(before, after);
  const start = alike === 0 ? 0 : after.lastIndexOf('\n', alike - 1) + 1;
  const common = commonEnd(before, after, start);
  const lineEnd = after.indexOf('\n', after.length - common);
  const end = lineEnd < 0 ? 0 : after.length - lineEnd - 1;
  const same = (text: string): PreviewPiece => ({ kind: 'same', text });
  return joined([
    same(after.slice(0, start)),
    ...lineChanges(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    same(after.slice(after.length - end)),
  ]);
}

function lineChanges(before: string, after: string): PreviewPiece[] {
  if (before === after) return [{ kind: 'same', text: after }];
  const lines = diffLines(before, after, { maxEditLength: maxChangedLines });
  if (lines === undefined) return middleChange(before, after);
  const pieces: PreviewPiece[] = [];
  for (let at = 0; at < lines.length; at++) {
    const { added, removed, value } = lines[at] ?? { added: false, removed: false, value: '' };
    const next = lines[at + 1];
    if (removed && next?.added) {
      pieces.push(...wordChanges(value, next.value));
      at++;
    } else {
      pieces.push({ kind: removed ? 'removed' : added ? 'added' : 'same', text: value });
    }
  }
  return pieces;
}

function wordChanges(before: string, after: string): PreviewPiece[] {
  if (before.length + after.length > maxChangedText) return middleChange(before, after);
  const words = diffWordsWithSpace(before, after, { maxEditLength: maxChangedWords });
  if (words === undefined) return middleChange(before, after);
  return words.map(({ added, removed, value }) => ({
    kind: removed ? 'removed' : added ? 'added' : 'same',
    text: value,
  }));
}

/** Everything between the common beginning and the common end, never a part of a character. */
function middleChange(before: string, after: string): PreviewPiece[] {
  let start = commonStart(before, after);
  if (isHighSurrogate(before.charCodeAt(start - 1))) start--;
  let end = commonEnd(before, after, start);
  if (isLowSurrogate(after.charCodeAt(after.length - end))) end--;
  return [
    { kind: 'same', text: after.slice(0, start) },
    { kind: 'removed', text: before.slice(start, before.length - end) },
    { kind: 'added', text: after.slice(start, after.length - end) },
    { kind: 'same', text: after.slice(after.length - end) },
  ];
}

/** How many code units both begin with. */
function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

/** How many code units both end with, none of them before `from`. */
function commonEnd(a: string, b: string, from: number): number {
  const most = Math.min(a.length, b.length) - from;
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length))
    length++;
  return length;
}

/** Without empty pieces, and with neighbours of one kind as one. */
function joined(pieces: readonly PreviewPiece[]): PreviewPiece[] {
  const result: PreviewPiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (last?.kind === piece.kind)
      result[result.length - 1] = { kind: last.kind, text: last.text + piece.text };
    else if (piece.text !== '') result.push(piece);
  }
  return result;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
