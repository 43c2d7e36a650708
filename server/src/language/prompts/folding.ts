/** What can be folded in a step prompt: front matter, messages, sections and comments of more than one line. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { FoldingRange, FoldingRangeKind } from 'vscode-languageserver-types';
import type { Range, TemplateNode } from '../../engine/prompts/template.ts';
import type { PromptDocument } from './document.ts';

export function promptFolding(document: TextDocument, { text, prompt }: PromptDocument): FoldingRange[] {
  const ranges: FoldingRange[] = [];
  const add = ({ start, end }: Range, kind?: FoldingRangeKind, keepLast = false) => {
    const first = document.positionAt(start).line;
    const last =
      document.positionAt(start + text.slice(start, end).trimEnd().length).line - (keepLast ? 1 : 0);
    if (last > first) ranges.push(FoldingRange.create(first, last, undefined, undefined, kind));
  };
  const visit = (nodes: readonly TemplateNode[]) => {
    for (const node of nodes) {
      if (node.kind === 'comment') add(node, FoldingRangeKind.Comment);
      if (node.kind !== 'section') continue;
      // The line of the closing tag stays in sight when the tag stands at its beginning.
      const closesLine = node.close !== null && beginsLine(text, node.close.start);
      add(node, undefined, closesLine);
      visit(node.children);
    }
  };
  if (prompt.frontMatter) add(prompt.frontMatter, FoldingRangeKind.Region);
  for (const block of prompt.blocks) {
    add(block);
    visit(block.template.children);
  }
  return ranges;
}

/** Whether nothing but blanks stands before `offset` in its line. */
function beginsLine(text: string, offset: number): boolean {
  let at = offset;
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return at > 0 && (text[at - 1] === '\n' || text[at - 1] === '\r');
}
