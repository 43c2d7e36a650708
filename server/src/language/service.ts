/**
 * The language service: what the editor may ask, without a connection. Each feature is a pure function of a document
 * and the engine in a file of its own; this is the one object that callers hold. Ranges are of the document's
 * present text. A cancelled request may return less than everything: its caller must not use the result.
 */
import type { CancellationToken } from 'vscode-jsonrpc';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Environment } from '../engine/environments/environment.ts';
import type { Part } from '../engine/environments/view.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import type { EnvironmentInfo, InstanceLocation, InstanceSelector } from '../protocol.ts';
import { diagnostics } from './diagnostics.ts';
import { documentSymbols } from './document-symbols.ts';
import type { Features } from './features.ts';
import { foldingRanges } from './folding-ranges.ts';
import { createInstances } from './instances.ts';

/** Answers for every language; with nothing where a language does not have the feature. */
export interface LanguageService extends Required<Features> {
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

  const problems: Features = {
    diagnostics: (document, settings, token) => diagnostics(document, environments, settings, token),
  };
  const instanceFeatures: Features = {
    documentSymbols: (document, _, token) => documentSymbols(document, partsOf(document, token)),
    foldingRanges: (document, token) => foldingRanges(document, partsOf(document, token)),
  };
  const languages: ReadonlyMap<string, Features> = new Map([
    ['hopscope-prompt', problems],
    ['hopscope-episode', problems],
    ['hopscope-instance', instanceFeatures],
    ['markdown', problems],
  ]);
  const none: Features = {};
  const of = ({ languageId }: TextDocument): Features => languages.get(languageId) ?? none;

  return Object.freeze<LanguageService>({
    codeActions: (document, range, settings, token) =>
      of(document).codeActions?.(document, range, settings, token) ?? [],
    codeLenses: (document, settings, token) => of(document).codeLenses?.(document, settings, token) ?? [],
    completion: (document, position, settings, token) =>
      of(document).completion?.(document, position, settings, token) ?? [],
    definition: (document, position, token) => of(document).definition?.(document, position, token) ?? [],
    diagnostics: (document, settings, token) => of(document).diagnostics?.(document, settings, token) ?? [],
    documentHighlights: (document, position, token) =>
      of(document).documentHighlights?.(document, position, token) ?? [],
    documentLinks: (document, token) => of(document).documentLinks?.(document, token) ?? [],
    documentSymbols: (document, settings, token) =>
      of(document).documentSymbols?.(document, settings, token) ?? [],
    foldingRanges: (document, token) => of(document).foldingRanges?.(document, token) ?? [],
    formatting: (document, range, token) => of(document).formatting?.(document, range, token) ?? [],
    hover: (document, position, settings, token) =>
      of(document).hover?.(document, position, settings, token) ?? null,
    inlayHints: (document, range, settings, token) =>
      of(document).inlayHints?.(document, range, settings, token) ?? [],
    references: (document, position, token) => of(document).references?.(document, position, token) ?? [],
    semanticTokens: (document, settings, token) =>
      of(document).semanticTokens?.(document, settings, token) ?? [],

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
