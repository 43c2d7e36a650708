/** The outline of a step prompt: front matter, then each message with the sections in it. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { DocumentSymbol, Range, SymbolKind } from 'vscode-languageserver-types';
import type { Range as Offsets, SectionNode, TemplateNode } from '../../engine/prompts/template.ts';
import { asLabel } from '../sentence.ts';
import type { PromptDocument } from './document.ts';

export function promptSymbols(document: TextDocument, { prompt }: PromptDocument): DocumentSymbol[] {
  const range = ({ start, end }: Offsets) =>
    Range.create(document.positionAt(start), document.positionAt(end));
  const sections = (nodes: readonly TemplateNode[]): DocumentSymbol[] =>
    nodes.filter((node) => node.kind === 'section').map(section);
  const section = (node: SectionNode): DocumentSymbol => {
    const name = asLabel(`${node.inverted ? '^' : '#'}${node.name.text}`);
    return DocumentSymbol.create(
      name,
      undefined,
      SymbolKind.Array,
      range(node),
      range(node.open),
      sections(node.children),
    );
  };
  const { frontMatter, environment, split } = prompt;
  const top =
    frontMatter === null
      ? []
      : [
          DocumentSymbol.create(
            'front matter',
            asLabel([environment, split].filter(Boolean).join(', ')) || undefined,
            SymbolKind.Module,
            range(frontMatter),
            range({ start: frontMatter.start, end: Math.min(frontMatter.start + 3, frontMatter.end) }),
          ),
        ];
  const blocks = prompt.blocks.map(({ role, start, end, line, template }) =>
    DocumentSymbol.create(
      role,
      undefined,
      SymbolKind.String,
      range({ start, end }),
      range(line),
      sections(template.children),
    ),
  );
  return [...top, ...blocks];
}
