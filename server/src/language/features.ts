/**
 * What the editor may ask about a document, as each language answers it. A language implements what it has; the
 * service looks the document's language up and answers the rest with nothing.
 *
 * Every feature is a pure function of the document's present text and what the service knows besides. None throws on
 * any text. After a cancellation a result may be less than everything: its caller must not use it.
 */
import type { CancellationToken } from 'vscode-jsonrpc';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  Diagnostic,
  DocumentHighlight,
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  Hover,
  InlayHint,
  Location,
  Position,
  Range,
  TextEdit,
} from 'vscode-languageserver-types';
import type { DocumentSettings } from './settings.ts';

export interface Features {
  diagnostics?(document: TextDocument, settings: DocumentSettings, token: CancellationToken): Diagnostic[];
  /** Edits that mend or improve what stands in `range`. */
  codeActions?(
    document: TextDocument,
    range: Range,
    settings: DocumentSettings,
    token: CancellationToken,
  ): CodeAction[];
  codeLenses?(document: TextDocument, settings: DocumentSettings, token: CancellationToken): CodeLens[];
  completion?(
    document: TextDocument,
    position: Position,
    settings: DocumentSettings,
    token: CancellationToken,
  ): CompletionItem[];
  definition?(document: TextDocument, position: Position, token: CancellationToken): Location[];
  documentHighlights?(
    document: TextDocument,
    position: Position,
    token: CancellationToken,
  ): DocumentHighlight[];
  documentLinks?(document: TextDocument, token: CancellationToken): DocumentLink[];
  documentSymbols?(
    document: TextDocument,
    settings: DocumentSettings,
    token: CancellationToken,
  ): DocumentSymbol[];
  foldingRanges?(document: TextDocument, token: CancellationToken): FoldingRange[];
  /** Edits that tidy `range`, or the whole document without one. */
  formatting?(document: TextDocument, range: Range | null, token: CancellationToken): TextEdit[];
  hover?(
    document: TextDocument,
    position: Position,
    settings: DocumentSettings,
    token: CancellationToken,
  ): Hover | null;
  inlayHints?(
    document: TextDocument,
    range: Range,
    settings: DocumentSettings,
    token: CancellationToken,
  ): InlayHint[];
  references?(document: TextDocument, position: Position, token: CancellationToken): Location[];
  /** Of `range`, or the whole document without one: numbers as the protocol encodes them, by the legend of semantic-tokens.ts. */
  semanticTokens?(
    document: TextDocument,
    range: Range | null,
    settings: DocumentSettings,
    token: CancellationToken,
  ): number[];
}
