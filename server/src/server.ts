/**
 * The language server. It says at once what it can do, and loads what does it while the editor reads that. Speaks over
 * the channel it was started with: `--node-ipc` from the editor, `--stdio` from anything else.
 */
import {
  CodeActionKind,
  type ConnectionOptions,
  createConnection,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { TOKEN_LEGEND } from './language/semantic-tokens.ts';
import { standardStreams } from './server/transport.ts';

/** Resolves when everything is wired; undefined before the editor has introduced itself. */
let wired: Promise<void> | undefined;

const options: ConnectionOptions = {
  messageStrategy: {
    // What comes early waits, in its order.
    handleMessage: (message, next) => (wired === undefined ? next(message) : wired.then(() => next(message))),
  },
};

const streams = standardStreams();
const connection = streams
  ? createConnection(streams.reader, streams.writer, options)
  : createConnection(options);

const offered: InitializeResult = {
  serverInfo: { name: 'hopscope' },
  capabilities: {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
    diagnosticProvider: {
      identifier: 'hopscope',
      interFileDependencies: false,
      workspaceDiagnostics: false,
    },
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite] },
    codeLensProvider: {},
    completionProvider: { triggerCharacters: [' ', ',', '=', '{', '#', '^', '/'] },
    definitionProvider: true,
    documentFormattingProvider: true,
    documentHighlightProvider: true,
    documentLinkProvider: {},
    documentRangeFormattingProvider: true,
    documentSymbolProvider: true,
    foldingRangeProvider: true,
    hoverProvider: true,
    inlayHintProvider: true,
    referencesProvider: true,
    semanticTokensProvider: { legend: TOKEN_LEGEND, full: true, range: true },
    workspaceSymbolProvider: true,
  },
};

connection.onInitialize(({ capabilities }) => {
  wired = new Promise((resolve) => setImmediate(resolve)) // after the answer
    .then(() => import('./server/wiring.ts'))
    .then(({ wire }) => wire(connection, capabilities));
  // The editor tells of a server that ends, and starts another one.
  wired.catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
  return offered;
});

connection.listen();
