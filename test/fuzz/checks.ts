/** What must hold of every answer, whatever the text: places lie in the document, edits can be made. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { TextDocument as Documents } from 'vscode-languageserver-textdocument';
import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  DocumentSymbol,
  FoldingRange,
  InlayHint,
  Location,
  Position,
  Range,
  TextEdit,
} from 'vscode-languageserver-types';
import { TOKEN_LEGEND } from '../../server/src/language/semantic-tokens.ts';

function demand(holds: boolean, what: string, detail: unknown): asserts holds {
  if (!holds) throw new Error(`${what}: ${JSON.stringify(detail)}`);
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character <= b.character);
}

function isInside(inner: Range, outer: Range): boolean {
  return isBefore(outer.start, inner.start) && isBefore(inner.end, outer.end);
}

/** A position that the document has, not one that is merely taken for the nearest. */
export function checkPosition(document: TextDocument, position: Position): void {
  const real = document.positionAt(document.offsetAt(position));
  const isReal = real.line === position.line && real.character === position.character;
  demand(isReal, 'a position outside of the document', position);
}

export function checkRange(document: TextDocument, range: Range): void {
  checkPosition(document, range.start);
  checkPosition(document, range.end);
  demand(isBefore(range.start, range.end), 'a range that runs backwards', range);
}

export function checkDiagnostics(document: TextDocument, diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) {
    checkRange(document, diagnostic.range);
    const { code, message, severity } = diagnostic;
    demand(/^[a-z-]+\.[a-z-]+$/.test(String(code)), 'a code of another form', diagnostic);
    demand(
      String(message).length > 0 && severity !== undefined,
      'a diagnostic without a message',
      diagnostic,
    );
  }
}

/** Edits of one answer, of which an editor makes all or none. */
export function checkEdits(document: TextDocument, edits: readonly TextEdit[]): string {
  for (const { range } of edits) checkRange(document, range);
  return Documents.applyEdits(document, [...edits]); // throws when they overlap
}

export function checkCodeActions(document: TextDocument, actions: readonly CodeAction[]): void {
  for (const action of actions) {
    demand(action.title.length > 0, 'an action without a title', action);
    const changes = Object.entries(action.edit?.changes ?? {});
    demand(changes.length > 0 || action.command !== undefined, 'an action that does nothing', action);
    for (const [uri, edits] of changes) {
      demand(uri === document.uri, 'an action on another document', action);
      checkEdits(document, edits);
    }
    checkDiagnostics(document, action.diagnostics ?? []);
  }
}

export function checkCompletion(
  document: TextDocument,
  at: Position,
  items: readonly CompletionItem[],
): void {
  for (const item of items) {
    const edit = item.textEdit;
    demand(edit !== undefined && 'range' in edit, 'a completion without a place', item);
    checkRange(document, edit.range);
    demand(isInside({ start: at, end: at }, edit.range), 'a completion somewhere else', item);
    demand(edit.range.start.line === edit.range.end.line, 'a completion over several lines', item);
    checkEdits(document, [edit, ...(item.additionalTextEdits ?? [])]);
  }
}

export function checkSymbols(
  document: TextDocument,
  symbols: readonly DocumentSymbol[],
  outer?: Range,
): void {
  for (const symbol of symbols) {
    checkRange(document, symbol.range);
    checkRange(document, symbol.selectionRange);
    demand(symbol.name.trim().length > 0, 'a symbol without a name', symbol);
    demand(isInside(symbol.selectionRange, symbol.range), 'a symbol whose name is elsewhere', symbol);
    demand(!outer || isInside(symbol.range, outer), 'a symbol outside of the one it is in', symbol);
    checkSymbols(document, symbol.children ?? [], symbol.range);
  }
}

export function checkFolding(document: TextDocument, ranges: readonly FoldingRange[]): void {
  for (const range of ranges) {
    const { startLine, endLine } = range;
    demand(0 <= startLine && startLine < endLine && endLine < document.lineCount, 'a fold of nothing', range);
  }
}

/** Editors ask for whole lines. */
export function checkHints(document: TextDocument, { start, end }: Range, hints: readonly InlayHint[]): void {
  for (const { position } of hints) {
    checkPosition(document, position);
    const isAsked = start.line <= position.line && position.line <= end.line;
    demand(isAsked, 'a hint that was not asked for', position);
  }
}

/** Places in the document; of those elsewhere only that they are well formed. */
export function checkLocations(document: TextDocument, locations: readonly Location[]): void {
  for (const { uri, range } of locations) {
    demand(URL.canParse(uri), 'an address that is none', uri);
    if (uri === document.uri) checkRange(document, range);
    else demand(isBefore(range.start, range.end), 'a range that runs backwards', range);
  }
}

/** Tokens are sorted, do not overlap, end in their lines, and are of the legend. */
export function checkTokens(document: TextDocument, data: readonly number[]): void {
  demand(data.length % 5 === 0, 'a part of a token', data.length);
  let line = 0;
  let end = 0;
  let start = 0;
  for (let i = 0; i < data.length; i += 5) {
    const [lines = 0, characters = 0, length = 0, type = -1, modifiers = -1] = data.slice(i, i + 5);
    demand(lines >= 0 && characters >= 0 && length > 0, 'a token that is not sorted', [i, lines, characters]);
    if (lines > 0) end = 0;
    start = lines > 0 ? characters : start + characters;
    line += lines;
    demand(start >= end, 'tokens that overlap', { line, start, end });
    end = start + length;
    checkPosition(document, { line, character: start });
    checkPosition(document, { line, character: end });
    demand(type in TOKEN_LEGEND.tokenTypes, 'a token of no type', type);
    demand(modifiers >> TOKEN_LEGEND.tokenModifiers.length === 0, 'a token of no modifiers', modifiers);
  }
}
