/** What can be folded in a transcript: front matter, steps, and the parts of a step. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { FoldingRange } from 'vscode-languageserver-types';
import type { Analysis } from './analysis.ts';
import { endOf } from './symbols.ts';

export function transcriptFolding(document: TextDocument, { parsed }: Analysis): FoldingRange[] {
  const { frontMatter, blocks } = parsed.layout;
  const ranges: FoldingRange[] = [];
  const add = (start: number, end: number) => {
    const first = document.positionAt(start).line;
    const last = document.positionAt(end).line;
    if (last > first) ranges.push(FoldingRange.create(first, last));
  };
  if (frontMatter !== null) add(frontMatter.start, frontMatter.end);
  for (const block of blocks) {
    add(block.start, endOf(block));
    for (const part of [block.reasoning, ...block.calls]) if (part) add(part.marker.start, part.content.end);
  }
  return ranges;
}
