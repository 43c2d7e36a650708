/**
 * The language service: what the editor may ask, without a connection. Each feature is a pure function of a document
 * and the engine in a file of its own; this is the one object that callers hold. Ranges are of the document's
 * present text. A cancelled request may return less than everything: its caller must not use the result.
 */
import type { CancellationToken } from 'vscode-jsonrpc';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { SymbolInformation } from 'vscode-languageserver-types';
import type { Environment } from '../engine/environments/environment.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import type { EnvironmentInfo, InstanceLocation, InstanceSelector, Mark } from '../protocol.ts';
import { diagnostics } from './diagnostics.ts';
import { readDocumentationPage } from './documentation-pages.ts';
import type { Features } from './features.ts';
import { instanceFeatures } from './instance-features.ts';
import { instanceMarks } from './instance-marks.ts';
import { createInstanceModels } from './instance-models.ts';
import { instanceSearch } from './instance-search.ts';
import { createInstances } from './instances.ts';
import { newTranscript } from './new-transcript.ts';
import { type PromptFeatures, promptFeatures } from './prompt-features.ts';
import { asSentence } from './sentence.ts';
import type { DocumentSettings } from './settings.ts';
import { createTokenCounts, type ModelTokenizer, noTokenizer } from './token-counts.ts';
import { transcriptFeatures } from './transcript-features.ts';

/** Answers for every language; with nothing where a language does not have the feature. */
export interface LanguageService extends Required<Features> {
  /** What there is to open. */
  environments(): readonly EnvironmentInfo[];
  /** The address of one instance, or why there is none. */
  locateInstance(selector: InstanceSelector): Checked<InstanceLocation>;
  /** The text of the instance or the documentation page at `uri`. */
  readInstance(uri: string): Checked<string>;
  /** The text of a transcript of one instance whose first step is still to be written. */
  newTranscript(selector: InstanceSelector | { readonly uri: string }): Checked<string>;
  /** What to decorate in an instance document; nothing while spoilers are hidden. */
  instanceMarks(
    document: TextDocument,
    settings: DocumentSettings,
    token: CancellationToken,
  ): readonly Mark[];
  /** Entities and sections of instance documents whose names match `query`. */
  workspaceSymbols(
    documents: readonly TextDocument[],
    query: string,
    settings: DocumentSettings,
    token: CancellationToken,
  ): SymbolInformation[];
  /** What only step prompts can be asked. */
  readonly prompts: Omit<PromptFeatures, keyof Features>;
}

/** What the service needs of its host. */
export interface ServiceHost {
  readonly tokenizer: ModelTokenizer;
  /** Called when the editor should ask again: for inlay hints, or for everything it shows of documents. */
  refresh(what: 'hints' | 'everything'): void;
}

const noHost: ServiceHost = { tokenizer: noTokenizer, refresh: () => {} };

/** @param environments what is known of: the engine's registry, or a test's own. */
export function createLanguageService(
  environments: readonly Environment[],
  host: ServiceHost = noHost,
): LanguageService {
  const instances = createInstances(environments);
  const models = createInstanceModels(instances);

  const prompts = promptFeatures({
    environments,
    counts: createTokenCounts(host.tokenizer),
    locate: (selector) => instances.locate(selector),
    refresh: (what) => host.refresh(what),
  });
  const markdown: Features = {
    diagnostics: (document, settings, token) => diagnostics(document, environments, settings, token),
  };
  const languages: ReadonlyMap<string, Features> = new Map([
    ['hopscope-prompt', prompts],
    ['hopscope-episode', transcriptFeatures(environments, instances, models)],
    ['hopscope-instance', instanceFeatures(models)],
    ['markdown', markdown],
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
    semanticTokens: (document, range, settings, token) =>
      of(document).semanticTokens?.(document, range, settings, token) ?? [],

    instanceMarks(document, { spoilers }, token) {
      const model = spoilers ? models.of(document, token) : undefined;
      return model === undefined ? [] : instanceMarks(model);
    },
    workspaceSymbols(documents, query, { spoilers }, token) {
      const opened = documents.flatMap((document) => models.of(document, token) ?? []);
      return instanceSearch(opened, query, spoilers, token);
    },
    environments: () => instances.environments(),
    locateInstance: (selector) => forPeople(instances.locate(selector)),
    prompts,
    newTranscript: (selector) => forPeople(newTranscript(selector, instances)),
    readInstance(uri) {
      const page = readDocumentationPage(uri, environments);
      if (page !== null) return accept(page);
      const opened = instances.open(uri);
      return forPeople(opened.ok ? accept(opened.value.view.text) : opened);
    },
  });
}

function forPeople<T>(checked: Checked<T>): Checked<T> {
  return checked.ok ? checked : refuse(asSentence(checked.error));
}
