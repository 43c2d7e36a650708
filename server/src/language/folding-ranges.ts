/** What can be folded in an instance document: sections and chunks. */

import type { TextDocument } from 'vscode-languageserver-textdocument';
import { FoldingRange } from 'vscode-languageserver-types';
import type { Part } from '../engine/environments/view.ts';

/** One range per part of more than one line; blank lines at a part's end stay outside. */
export function foldingRanges(document: TextDocument, parts: readonly Part[]): FoldingRange[] {
  const ranges: FoldingRange[] = [];
  const text = document.getText();
  const visit = (part: Part): void => {
    let end = part.end;
    while (end > part.start && text.charCodeAt(end - 1) === 0x0a) end--;
    const first = document.positionAt(part.start).line;
    const last = document.positionAt(end).line;
    if (last > first) ranges.push(FoldingRange.create(first, last));
    for (const child of part.children) visit(child);
  };
  for (const part of parts) visit(part);
  return ranges;
}
