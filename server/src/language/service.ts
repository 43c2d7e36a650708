/**
 * The language service: what the editor may ask, without a connection. Each feature is a pure function of a document
 * and the engine in a file of its own; this is the one object that callers hold. Ranges are of the document's
 * present text. A cancelled request may return less than everything: its caller must not use the result.
 */
import type { CancellationToken } from 'vscode-jsonrpc';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Position, SymbolInformation } from 'vscode-languageserver-types';
import type { Environment } from '../engine/environments/environment.ts';
import { accept, type Checked } from '../engine/problem.ts';
import type {
  EnvironmentInfo,
  HeldChunks,
  InstanceLocation,
  InstanceSelector,
  Mark,
  TextsBeside,
} from '../protocol.ts';
import { diagnostics } from './diagnostics.ts';
import { readDocumentationPage } from './documentation-pages.ts';
import type { Features } from './features.ts';
import { instanceFeatures } from './instances/features.ts';
import {
  createInstances,
  type FileInstances,
  type Instances,
  noFiles,
  type OpenInstance,
} from './instances/instances.ts';
import { createInstanceLists, type InstanceLists } from './instances/list.ts';
import { createMaker, type MakeElsewhere } from './instances/making.ts';
import { instanceMarks } from './instances/marks.ts';
import { createInstanceModels } from './instances/models.ts';
import { instanceSearch } from './instances/search.ts';
import { type PromptFeatures, promptFeatures } from './prompts/features.ts';
import { createTokenCounts, type ModelTokenizer, noTokenizer } from './prompts/token-counts.ts';
import { forPeople } from './sentence.ts';
import type { DocumentSettings } from './settings.ts';
import { transcriptFeatures } from './transcripts/features.ts';
import { newTranscript } from './transcripts/new-transcript.ts';

/** Answers for every language; with nothing where a language does not have the feature. */
export interface LanguageService extends Required<Features> {
  /** What there is to open. */
  environments(): readonly EnvironmentInfo[];
  /** The address of one instance, or why there is none. */
  locateInstance(selector: InstanceSelector): Checked<InstanceLocation>;
  /** The text of the instance or the documentation page at `uri`. */
  readInstance(uri: string): Checked<string>;
  /** The same after reading the file that the instance is in, if it is in one. */
  loadInstance(uri: string): Promise<Checked<string>>;
  /** Call when an instance's text has been handed out: what is asked about it next is made ready. */
  anticipate(uri: string): void;
  /** To be awaited before any feature is asked about a document: what it needs may be in another file. */
  prepare(document: TextDocument): Promise<void>;
  /** To be awaited before asking for an instance by what names it: it may have to be made elsewhere. */
  prepareInstance(selector: InstanceSelector | { readonly uri: string }): Promise<void>;
  /** Call when a file was made, changed or taken away. Tells whether instances were looked for in it. */
  forgetInstances(file: string): boolean;
  /** Instances by their addresses, for what plays on them. */
  readonly instances: Instances;
  /** Lists of instances. */
  readonly lists: InstanceLists;
  /** The text of a transcript of one instance whose first step is still to be written. */
  newTranscript(selector: InstanceSelector | { readonly uri: string }): Checked<string>;
  /** What to decorate in an instance document while spoilers are shown. */
  instanceMarks(document: TextDocument, token: CancellationToken): readonly Mark[];
  /** What the agent of a transcript holds after the step at a position. */
  heldChunks(document: TextDocument, position: Position): Checked<HeldChunks>;
  /** What the reply of the step at a position of a transcript was made from, and what it is. */
  comparedTexts(document: TextDocument, position: Position): Checked<TextsBeside>;
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
  readonly files: FileInstances;
  /** Makes instances that may take their time; without it they are made at once, whatever they take. */
  readonly make?: MakeElsewhere;
  /** Called when the editor should ask again: for inlay hints, or for everything it shows of documents. */
  refresh(what: 'hints' | 'everything'): void;
}

const noHost: Omit<ServiceHost, 'make'> = { tokenizer: noTokenizer, files: noFiles, refresh: () => {} };

/**
 * @param environments what is known of: the engine's registry, or a test's own.
 * @param given what is left out does nothing.
 */
export function createLanguageService(
  environments: readonly Environment[],
  given: Partial<ServiceHost> = {},
): LanguageService {
  const host: ServiceHost = { ...noHost, ...given };
  const maker = createMaker(environments, host.make);
  const instances = createInstances(environments, host.files, maker);
  const models = createInstanceModels(instances);

  function readPage(uri: string): Checked<string> | null {
    const page = readDocumentationPage(uri, environments);
    return page === null ? null : accept(page);
  }

  const prompts = promptFeatures({
    environments,
    maker,
    counts: createTokenCounts(host.tokenizer),
    refresh: (what) => host.refresh(what),
  });
  const transcripts = transcriptFeatures(environments, instances);
  const markdown: Features = {
    diagnostics: (document, settings, token) => diagnostics(document, environments, settings, token),
  };
  const languages: ReadonlyMap<string, Features> = new Map([
    ['hopscope-prompt', prompts],
    ['hopscope-episode', transcripts],
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

    instanceMarks(document, token) {
      const model = models.of(document, token);
      return model === undefined ? [] : instanceMarks(model);
    },
    heldChunks: (document, position) => transcripts.heldChunks(document, position),
    comparedTexts: (document, position) => transcripts.comparedTexts(document, position),
    workspaceSymbols(documents, query, { spoilers }, token) {
      const opened = documents.flatMap((document) => models.of(document, token) ?? []);
      return instanceSearch(opened, query, spoilers, token);
    },
    environments: () => instances.environments(),
    locateInstance: (selector) => forPeople(instances.locate(selector)),
    prompts,
    newTranscript: (selector) => forPeople(newTranscript(selector, instances)),
    anticipate: (uri) => models.anticipate(uri),
    async prepare(document) {
      if (document.languageId === 'hopscope-episode') await transcripts.prepare(document);
      else if (document.languageId === 'hopscope-prompt') await prompts.prepare(document);
      else await models.prepare(document);
    },
    async prepareInstance(selector) {
      if ('uri' in selector) await instances.load(selector.uri);
      else await maker.prepare(selector, JSON.stringify(selector));
    },
    forgetInstances: (file) => instances.forget(file),
    instances,
    lists: createInstanceLists(environments, instances, host.files),
    readInstance: (uri) => readPage(uri) ?? textOf(instances.open(uri)),
    loadInstance: async (uri) => readPage(uri) ?? textOf(await instances.load(uri)),
  });
}

function textOf(opened: Checked<OpenInstance>): Checked<string> {
  return forPeople(opened.ok ? accept(opened.value.view.text) : opened);
}
