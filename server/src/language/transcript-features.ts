/** What the editor may ask about a transcript. */
import type { CancellationToken } from 'vscode-jsonrpc';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Environment } from '../engine/environments/environment.ts';
import type { Features } from './features.ts';
import type { InstanceModel, InstanceModels } from './instance-models.ts';
import type { Instances } from './instances.ts';
import { transcriptActions } from './transcript-actions.ts';
import { type Analysis, createAnalyses } from './transcript-analysis.ts';
import { transcriptCompletion } from './transcript-completion.ts';
import { transcriptDiagnostics } from './transcript-diagnostics.ts';
import { transcriptFolding } from './transcript-folding.ts';
import { transcriptHints } from './transcript-hints.ts';
import { transcriptDefinition, transcriptHover } from './transcript-hover.ts';
import type { TranscriptInstance } from './transcript-instance.ts';
import { transcriptLinks } from './transcript-links.ts';
import { transcriptSymbols } from './transcript-symbols.ts';
import { transcriptTokens } from './transcript-tokens.ts';

export function transcriptFeatures(
  environments: readonly Environment[],
  instances: Instances,
  models: InstanceModels,
): Features {
  const analyses = createAnalyses(environments, instances);

  /** What `feature` finds; `nothing` when nobody waits for it any more. */
  function ask<R>(
    document: TextDocument,
    token: CancellationToken,
    nothing: R,
    feature: (analysis: Analysis) => R,
  ): R {
    return token.isCancellationRequested ? nothing : feature(analyses.of(document));
  }

  /** Documents of the instances that were played, as an editor would open them; kept as long as the instances. */
  const documents = new WeakMap<TranscriptInstance, TextDocument>();

  function modelOf({ played }: Analysis, token: CancellationToken): InstanceModel | undefined {
    if (played === undefined) return undefined;
    const { uri, view } = played;
    const document = documents.get(played) ?? TextDocument.create(uri, 'hopscope-instance', 1, view.text);
    documents.set(played, document);
    return models.of(document, token);
  }

  return {
    codeActions: (document, range, { spoilers }, token) =>
      ask(document, token, [], (analysis) => transcriptActions(document, range, analysis, spoilers)),
    completion: (document, position, { spoilers }, token) =>
      ask(document, token, [], (analysis) =>
        transcriptCompletion(document, document.offsetAt(position), analysis, spoilers),
      ),
    definition: (document, position, token) =>
      ask(document, token, [], (analysis) =>
        transcriptDefinition(document.offsetAt(position), analysis, modelOf(analysis, token)),
      ),
    diagnostics: (document, { spoilers }, token) =>
      ask(document, token, [], (analysis) => transcriptDiagnostics(document, analysis, spoilers)),
    documentLinks: (document, token) =>
      ask(document, token, [], (analysis) => transcriptLinks(document, analysis)),
    documentSymbols: (document, _, token) =>
      ask(document, token, [], (analysis) => transcriptSymbols(document, analysis)),
    foldingRanges: (document, token) =>
      ask(document, token, [], (analysis) => transcriptFolding(document, analysis)),
    hover: (document, position, { spoilers }, token) =>
      ask(document, token, null, (analysis) => {
        const model = modelOf(analysis, token);
        return transcriptHover(document, document.offsetAt(position), analysis, model, spoilers);
      }),
    inlayHints: (document, range, _, token) =>
      ask(document, token, [], (analysis) => transcriptHints(document, range, analysis)),
    semanticTokens: (document, range, { spoilers }, token) =>
      ask(document, token, [], (analysis) => {
        const model = modelOf(analysis, token);
        const start = range === null ? 0 : document.offsetAt(range.start);
        const end = range === null ? analysis.text.length : document.offsetAt(range.end);
        if (model === undefined) return [];
        return transcriptTokens(document, start, end, analysis, model, spoilers, token);
      }),
  };
}
