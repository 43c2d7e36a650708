/** Wires the editor's connection to the language service, and does nothing else. */
import { fileURLToPath } from 'node:url';
import {
  type CancellationToken,
  type ClientCapabilities,
  CodeLensRefreshRequest,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  type TextDocumentIdentifier,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { refuse } from '../engine/problem.ts';
import { environments } from '../host/data/environments.ts';
import { createInstanceFiles } from '../host/instance-files.ts';
import { makeInstance } from '../host/make-instance.ts';
import { openModelTokenizer } from '../host/model-tokenizer.ts';
import { createReportIds } from '../language/report-ids.ts';
import { createLanguageService } from '../language/service.ts';
import { createSettings, type DocumentSettings, SECTION } from '../language/settings.ts';
import type { Notifications, RequestMethod, RequestParams, RequestResult } from '../protocol.ts';
import { untilCancelled } from './cancellation.ts';
import { wireData } from './data.ts';
import { followDocuments } from './documents.ts';
import { wireEpisodes } from './episodes.ts';
import { wireInstances } from './instances.ts';
import { checkDocumentParams, checkParams, modelsIn } from './params.ts';
import { wireResults } from './results.ts';
import { wireRuns } from './runs.ts';

/** @param capabilities of the editor. */
export function wire(connection: Connection, { workspace }: ClientCapabilities): void {
  const documents = followDocuments(connection);
  const tokenizer = openModelTokenizer(new URL('model-tokenizer.js', import.meta.url));
  const worker = fileURLToPath(new URL('worker.js', import.meta.url));
  const files = createInstanceFiles(worker);
  const service = createLanguageService(environments, {
    tokenizer,
    files,
    make: (selector, signal) => makeInstance(worker, selector, signal),
    refresh(what) {
      if (what === 'everything') showAgain();
      else if (canRefresh.inlayHints) connection.languages.inlayHint.refresh();
    },
  });
  const reportIds = createReportIds();
  const settings = createSettings(
    workspace?.configuration
      ? (scopeUri) => connection.workspace.getConfiguration({ scopeUri, section: SECTION })
      : undefined,
  );
  const canRefresh = {
    codeLenses: workspace?.codeLens?.refreshSupport === true,
    diagnostics: workspace?.diagnostics?.refreshSupport === true,
    inlayHints: workspace?.inlayHint?.refreshSupport === true,
    semanticTokens: workspace?.semanticTokens?.refreshSupport === true,
  };

  connection.onInitialized(() => {
    const { client } = connection;
    if (workspace?.didChangeConfiguration?.dynamicRegistration) {
      void client.register(DidChangeConfigurationNotification.type, { section: SECTION });
    }
    if (workspace?.didChangeWatchedFiles?.dynamicRegistration) {
      const watchers = [{ globPattern: '**/*.{jsonl,ndjson}' }]; // files of instances
      void client.register(DidChangeWatchedFilesNotification.type, { watchers });
    }
  });

  const knownModels: keyof Notifications = 'hopscope/knownModels';
  connection.onNotification(knownModels, (params: unknown) => settings.learnModels(modelsIn(params)));

  connection.onDidChangeConfiguration(() => {
    settings.forgetAll();
    showAgain();
  });

  connection.onDidChangeWatchedFiles(({ changes }) => {
    const forgotten = changes.filter(({ uri }) => service.forgetInstances(uri));
    if (forgotten.length > 0) showAgain();
  });

  documents.onDidClose(({ document }) => {
    settings.forget(document.uri);
    service.prompts.forget(document.uri);
  });

  connection.onShutdown(() => tokenizer.close());

  connection.languages.diagnostics.on((params, token) =>
    untilCancelled(token, async (): Promise<DocumentDiagnosticReport> => {
      const document = documents.get(params.textDocument.uri);
      if (!document) return { kind: DocumentDiagnosticReportKind.Full, items: [] };
      const documentSettings = await settings.of(document.uri);
      const resultId = reportIds.of(document);
      if (params.previousResultId === resultId) {
        return { kind: DocumentDiagnosticReportKind.Unchanged, resultId };
      }
      await service.prepare(document);
      const items = service.diagnostics(document, documentSettings, token);
      return { kind: DocumentDiagnosticReportKind.Full, resultId, items };
    }),
  );

  connection.onCodeAction(
    about((document, { range }, token, settings) => service.codeActions(document, range, settings, token)),
  );
  connection.onCodeLens(
    about((document, _, token, settings) => service.codeLenses(document, settings, token)),
  );
  connection.onCompletion(
    about((document, { position }, token, settings) =>
      service.completion(document, position, settings, token),
    ),
  );
  connection.onDefinition(
    about((document, { position }, token) => service.definition(document, position, token)),
  );
  connection.onDocumentHighlight(
    about((document, { position }, token) => service.documentHighlights(document, position, token)),
  );
  connection.onDocumentLinks(about((document, _, token) => service.documentLinks(document, token)));
  connection.onDocumentSymbol(
    about((document, _, token, settings) => service.documentSymbols(document, settings, token)),
  );
  connection.onFoldingRanges(about((document, _, token) => service.foldingRanges(document, token)));
  connection.onDocumentFormatting(about((document, _, token) => service.formatting(document, null, token)));
  connection.onDocumentRangeFormatting(
    about((document, { range }, token) => service.formatting(document, range, token)),
  );
  connection.onHover(
    about((document, { position }, token, settings) => service.hover(document, position, settings, token)),
  );
  connection.languages.inlayHint.on(
    about((document, { range }, token, settings) => service.inlayHints(document, range, settings, token)),
  );
  connection.onReferences(
    about((document, { position }, token) => service.references(document, position, token)),
  );
  connection.languages.semanticTokens.on(
    about((document, _, token, settings) => ({
      data: service.semanticTokens(document, null, settings, token),
    })),
  );
  connection.languages.semanticTokens.onRange(
    about((document, { range }, token, settings) => ({
      data: service.semanticTokens(document, range, settings, token),
    })),
  );
  connection.onWorkspaceSymbol(({ query }, token) =>
    untilCancelled(token, async () => {
      const all = documents.all().filter(({ languageId }) => languageId === 'hopscope-instance');
      const [first] = all;
      if (!first) return [];
      await Promise.all(all.map((document) => service.prepare(document)));
      return service.workspaceSymbols(all, query, await settings.of(first.uri), token);
    }),
  );

  answer('hopscope/environments', () => service.environments());
  answer('hopscope/locateInstance', async (selector) => {
    await service.prepareInstance(selector);
    return service.locateInstance(selector);
  });
  answer('hopscope/newTranscript', async (selector) => {
    await service.prepareInstance(selector);
    return service.newTranscript(selector);
  });
  answer('hopscope/readInstance', async ({ uri }) => {
    const read = await service.loadInstance(uri);
    if (read.ok) setImmediate(() => service.anticipate(uri));
    return read;
  });
  wireData({ connection, answer, environments, changed: showAgain });
  wireInstances({ connection, answer, environments, lists: service.lists, files, script: worker });
  wireRuns({ answer, environments, script: worker });
  const endResults = wireResults({
    connection,
    answer,
    environments,
    script: new URL('results-thread.js', import.meta.url),
  });
  connection.onExit(endResults);
  wireEpisodes({ connection, answer, environments, instances: service.instances, tokenizer });
  answer('hopscope/heldChunks', async ({ uri, position }) => {
    const document = documents.get(uri);
    if (document?.languageId !== 'hopscope-episode') return refuse(notOpen(uri));
    await service.prepare(document);
    return service.heldChunks(document, position);
  });
  answer('hopscope/comparedTexts', async ({ uri, position }) => {
    const document = documents.get(uri);
    if (document?.languageId !== 'hopscope-episode') return refuse(notOpen(uri));
    await service.prepare(document);
    return service.comparedTexts(document, position);
  });
  answer('hopscope/instanceMarks', async ({ uri }, token) => {
    const document = documents.get(uri) ?? (await notYetOpen(uri));
    if (!document) return [];
    await service.prepare(document);
    return service.instanceMarks(document, token);
  });

  answer('hopscope/previewPrompt', async ({ uri, place, saved }) => {
    const document = documents.get(uri);
    if (!document)
      return { problems: [], isBroken: false, rendering: null, reason: notOpen(uri), missingData: null };
    await service.prepare(document);
    await service.prompts.prepare(document, place);
    return service.prompts.preview(document, place, saved, await settings.of(uri));
  });
  answer('hopscope/previewPieces', ({ uri, message, next }) =>
    service.prompts.previewPieces(uri, message, next),
  );
  answer('hopscope/promptTokens', async ({ uri }) => {
    const document = documents.get(uri);
    if (!document) return refuse(notOpen(uri));
    await service.prepare(document);
    return service.prompts.tokens(document);
  });
  answer('hopscope/previewedInstance', async ({ uri }) => {
    const document = documents.get(uri);
    if (!document) return refuse(notOpen(uri));
    await service.prepare(document);
    return service.prompts.instance(document);
  });
  answer('hopscope/promptRequest', async ({ uri }) => {
    const document = documents.get(uri);
    if (!document) return refuse(notOpen(uri));
    await service.prepare(document);
    return service.prompts.request(document);
  });

  /** Answers a request about an open document with a feature of its language; with null when it is not open. */
  function about<P extends { readonly textDocument: TextDocumentIdentifier }, R>(
    feature: (document: TextDocument, params: P, token: CancellationToken, settings: DocumentSettings) => R,
  ) {
    return (params: P, token: CancellationToken): Promise<R | null> =>
      untilCancelled(token, async () => {
        checkDocumentParams(params);
        const document = documents.get(params.textDocument.uri);
        if (!document) return null;
        await service.prepare(document);
        return feature(document, params, token, await settings.of(document.uri));
      });
  }

  /** An instance document of which the editor has not told: after a restart it may ask first. */
  async function notYetOpen(uri: string): Promise<TextDocument | undefined> {
    const read = await service.loadInstance(uri);
    return read.ok ? TextDocument.create(uri, 'hopscope-instance', 0, read.value) : undefined;
  }

  function notOpen(uri: string): string {
    return `${uri} is not open.`;
  }

  /** Has the editor ask again for what depends on more than texts. */
  function showAgain(): void {
    reportIds.invalidate();
    if (canRefresh.diagnostics) connection.languages.diagnostics.refresh();
    if (canRefresh.codeLenses) void connection.sendRequest(CodeLensRefreshRequest.type);
    if (canRefresh.inlayHints) connection.languages.inlayHint.refresh();
    if (canRefresh.semanticTokens) connection.languages.semanticTokens.refresh();
  }

  /** Registers the one handler of a request of ours. */
  function answer<M extends RequestMethod>(
    method: M,
    handler: (
      params: RequestParams<M>,
      token: CancellationToken,
    ) => RequestResult<M> | Promise<RequestResult<M>>,
  ): void {
    // Without any params, or with a list of them, the token comes in another place.
    connection.onRequest<unknown, unknown>(method, (...given: readonly unknown[]) => {
      const token = given.at(-1) as CancellationToken;
      const params = given.length === 2 ? given[0] : given.slice(0, -1);
      checkParams(method, params);
      return untilCancelled(token, () => handler(params as RequestParams<M>, token));
    });
  }
}
