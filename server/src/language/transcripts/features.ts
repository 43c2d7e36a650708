/** What the editor may ask about a transcript. */
import type { CancellationToken } from 'vscode-jsonrpc';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Position } from 'vscode-languageserver-types';
import type { Environment } from '../../engine/environments/environment.ts';
import type { Checked } from '../../engine/problem.ts';
import type { HeldChunks, TextsBeside } from '../../protocol.ts';
import type { Features } from '../features.ts';
import type { Instances } from '../instances/instances.ts';
import { createInstanceModel, type InstanceModel } from '../instances/models.ts';
import { transcriptActions } from './actions.ts';
import { type Analysis, createAnalyses } from './analysis.ts';
import { comparedTexts } from './compared.ts';
import { transcriptCompletion } from './completion.ts';
import { transcriptDiagnostics } from './diagnostics.ts';
import { transcriptFolding } from './folding.ts';
import { heldChunks } from './held.ts';
import { transcriptHints } from './hints.ts';
import { transcriptDefinition, transcriptHover } from './hover.ts';
import type { TranscriptInstance } from './instance.ts';
import { transcriptLenses } from './lenses.ts';
import { transcriptLinks } from './links.ts';
import { transcriptSymbols } from './symbols.ts';
import { transcriptTokens } from './tokens.ts';

/** What of a transcript must be read before it is asked about. */
export interface TranscriptFeatures extends Features {
  prepare(document: TextDocument): Promise<void>;
  /** What the agent holds after the step at a position. */
  heldChunks(document: TextDocument, position: Position): Checked<HeldChunks>;
  /** What the reply of the step at a position was made from, and what it is. */
  comparedTexts(document: TextDocument, position: Position): Checked<TextsBeside>;
}

export function transcriptFeatures(
  environments: readonly Environment[],
  instances: Instances,
): TranscriptFeatures {
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
  const models = new WeakMap<TranscriptInstance, InstanceModel>();

  function modelOf({ played }: Analysis): InstanceModel | undefined {
    if (played === undefined) return undefined;
    const known = models.get(played);
    if (known !== undefined) return known;
    const document = TextDocument.create(played.uri, 'hopscope-instance', 1, played.view.text);
    const model = createInstanceModel(document, played);
    models.set(played, model);
    return model;
  }

  return {
    prepare: (document) => analyses.prepare(document),
    heldChunks(document, position) {
      const analysis = analyses.of(document);
      return heldChunks(document.offsetAt(position), analysis, modelOf(analysis));
    },
    comparedTexts: (document, position) => comparedTexts(document.offsetAt(position), analyses.of(document)),
    codeLenses: (document, _, token) =>
      ask(document, token, [], (analysis) => transcriptLenses(document, analysis)),
    codeActions: (document, range, { spoilers }, token) =>
      ask(document, token, [], (analysis) => transcriptActions(document, range, analysis, spoilers)),
    completion: (document, position, { spoilers, models }, token) =>
      ask(document, token, [], (analysis) =>
        transcriptCompletion(document, document.offsetAt(position), analysis, spoilers, models),
      ),
    definition: (document, position, token) =>
      ask(document, token, [], (analysis) =>
        transcriptDefinition(document.offsetAt(position), analysis, modelOf(analysis)),
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
        const model = modelOf(analysis);
        return transcriptHover(document, document.offsetAt(position), analysis, model, spoilers);
      }),
    inlayHints: (document, range, _, token) =>
      ask(document, token, [], (analysis) => transcriptHints(document, range, analysis)),
    semanticTokens: (document, range, { spoilers }, token) =>
      ask(document, token, [], (analysis) => {
        const model = modelOf(analysis);
        const start = range === null ? 0 : document.offsetAt(range.start);
        const end = range === null ? analysis.text.length : document.offsetAt(range.end);
        if (model === undefined) return [];
        return transcriptTokens(document, start, end, analysis, model, spoilers, token);
      }),
  };
}
