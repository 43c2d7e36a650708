/**
 * The language service: what the editor may ask, without a connection. Each feature is a pure function of a document
 * and the engine in a file of its own; this is the one object that callers hold. Ranges are of the document's
 * present text. A cancelled request may return less than everything: its caller must not use the result.
 */
import type { CancellationToken } from 'vscode-jsonrpc';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic, DocumentSymbol, FoldingRange } from 'vscode-languageserver-types';
import type { Environment } from '../engine/environments/environment.ts';
import type { Part } from '../engine/environments/view.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import type { EnvironmentInfo, InstanceLocation, InstanceSelector } from '../protocol.ts';
import { diagnostics } from './diagnostics.ts';
import { documentSymbols } from './document-symbols.ts';
import { foldingRanges } from './folding-ranges.ts';
import { createInstances } from './instances.ts';
import type { DocumentSettings } from './settings.ts';

export interface LanguageService {
  /** Problems of transcripts, step prompts, and fenced transcripts of Markdown files. */
  diagnostics(document: TextDocument, settings: DocumentSettings, token: CancellationToken): Diagnostic[];
  /** The outline of an instance document. */
  documentSymbols(document: TextDocument, token: CancellationToken): DocumentSymbol[];
  /** Sections and chunks of an instance document. */
  foldingRanges(document: TextDocument, token: CancellationToken): FoldingRange[];

  /** What there is to open. */
  environments(): readonly EnvironmentInfo[];
  /** The address of one instance, or why there is none. */
  locateInstance(selector: InstanceSelector): Checked<InstanceLocation>;
  /** The text of the instance at `uri`. */
  readInstance(uri: string): Checked<string>;
}

/** @param environments what is known of: the engine's registry, or a test's own. */
export function createLanguageService(environments: readonly Environment[]): LanguageService {
  const instances = createInstances(environments);

  /** Parts of an instance document; none when its text is not what its address says, so that no range can be off. */
  function partsOf(document: TextDocument, token: CancellationToken): readonly Part[] {
    if (document.languageId !== 'hopscope-instance' || token.isCancellationRequested) return [];
    const opened = instances.open(document.uri);
    if (!opened.ok) return [];
    const { text, parts } = opened.value.view;
    return document.getText() === text ? parts : [];
  }

  return Object.freeze<LanguageService>({
    diagnostics: (document, settings, token) => diagnostics(document, environments, settings, token),
    documentSymbols: (document, token) => documentSymbols(document, partsOf(document, token)),
    foldingRanges: (document, token) => foldingRanges(document, partsOf(document, token)),
    environments: () => instances.environments(),
    locateInstance: (selector) => forPeople(instances.locate(selector)),
    readInstance(uri) {
      const opened = instances.open(uri);
      return forPeople(opened.ok ? accept(opened.value.view.text) : opened);
    },
  });
}

/** Errors of the engine fit into any sentence; a message box wants a whole one. */
function forPeople<T>(checked: Checked<T>): Checked<T> {
  if (checked.ok) return checked;
  // A name such as n_hops stays as it is.
  const sentence = checked.error.replace(
    /^[a-z]+(?=[ ,])/,
    (word) => word.charAt(0).toUpperCase() + word.slice(1),
  );
  return refuse(/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);
}
