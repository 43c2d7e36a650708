/** The outline of an instance document: section > chunk > entry. */

import type { TextDocument } from 'vscode-languageserver-textdocument';
import { DocumentSymbol, Range, SymbolKind } from 'vscode-languageserver-types';
import type { Part, PartKind } from '../engine/environments/view.ts';

const SYMBOL_KINDS: Readonly<Record<PartKind, SymbolKind>> = {
  heading: SymbolKind.File,
  section: SymbolKind.Class,
  chunk: SymbolKind.Struct,
  entry: SymbolKind.Field,
};

/** `parts` of the text that `document` holds, as symbols. */
export function documentSymbols(document: TextDocument, parts: readonly Part[]): DocumentSymbol[] {
  return parts.map((part) =>
    DocumentSymbol.create(
      part.name,
      part.detail || undefined,
      SYMBOL_KINDS[part.kind],
      Range.create(document.positionAt(part.start), document.positionAt(part.end)),
      Range.create(document.positionAt(part.nameStart), document.positionAt(part.nameEnd)),
      documentSymbols(document, part.children),
    ),
  );
}
