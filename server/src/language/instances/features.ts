/** What the editor may ask about an instance document. */
import type { CancellationToken } from 'vscode-jsonrpc';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { documentSymbols } from '../document-symbols.ts';
import type { Features } from '../features.ts';
import { foldingRanges } from '../folding-ranges.ts';
import { instanceDefinition, instanceHighlights, instanceReferences } from './definition.ts';
import { instanceHints } from './hints.ts';
import { instanceHover } from './hover.ts';
import { instanceLenses } from './lenses.ts';
import type { InstanceModel, InstanceModels } from './models.ts';
import { instanceTokens } from './tokens.ts';

export function instanceFeatures(models: InstanceModels): Features {
  /** What `feature` finds; `nothing` when the document is not what its address says. */
  function ask<R>(
    document: TextDocument,
    token: CancellationToken,
    nothing: R,
    feature: (model: InstanceModel) => R,
  ): R {
    const model = models.of(document, token);
    return model === undefined ? nothing : feature(model);
  }
  return {
    documentSymbols: (document, _, token) =>
      ask(document, token, [], ({ view }) => documentSymbols(document, view.parts)),
    foldingRanges: (document, token) =>
      ask(document, token, [], ({ view }) => foldingRanges(document, view.parts)),
    hover: (document, position, { spoilers }, token) =>
      ask(document, token, null, (model) => instanceHover(model, document.offsetAt(position), spoilers)),
    definition: (document, position, token) =>
      ask(document, token, [], (model) => instanceDefinition(model, document.offsetAt(position))),
    references: (document, position, token) =>
      ask(document, token, [], (model) => instanceReferences(model, document.offsetAt(position))),
    documentHighlights: (document, position, token) =>
      ask(document, token, [], (model) => instanceHighlights(model, document.offsetAt(position))),
    codeLenses: (document, { spoilers }, token) =>
      ask(document, token, [], (model) => instanceLenses(model, spoilers)),
    inlayHints: (document, { start, end }, { spoilers }, token) =>
      ask(document, token, [], (model) =>
        instanceHints(model, document.offsetAt(start), document.offsetAt(end), spoilers),
      ),
    semanticTokens: (document, range, { spoilers }, token) =>
      ask(document, token, [], (model) => {
        const start = range === null ? 0 : document.offsetAt(range.start);
        const end = range === null ? model.view.text.length : document.offsetAt(range.end);
        return instanceTokens(model, start, end, spoilers, token);
      }),
  };
}
