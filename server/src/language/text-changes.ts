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
  if (before === after) return after === '' ? [] : [{ kind: 'same', text: after }];
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
  return joined(pieces);
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
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  if (isHighSurrogate(before.charCodeAt(start - 1))) start--;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  if (isLowSurrogate(after.charCodeAt(after.length - end))) end--;
  return joined([
    { kind: 'same', text: after.slice(0, start) },
    { kind: 'removed', text: before.slice(start, before.length - end) },
    { kind: 'added', text: after.slice(start, after.length - end) },
    { kind: 'same', text: after.slice(after.length - end) },
  ]);
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
