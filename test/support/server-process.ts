/** The language server as its own process, spoken to over its standard streams as any editor would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { DocumentDiagnosticReport, InitializeResult } from 'vscode-languageserver';
import type { RequestMethod, RequestParams, RequestResult } from '../../server/src/protocol.ts';
import { bundled } from './bundles.ts';

/** What the client tells about itself unless a test says otherwise. */
const CAPABILITIES = {
  workspace: { configuration: true, diagnostics: { refreshSupport: true } },
  textDocument: { diagnostic: {}, documentSymbol: { hierarchicalDocumentSymbolSupport: true } },
};

export class ServerProcess {
  readonly connection: MessageConnection;
  /** The `hopscope` section that the server is told when it asks. */
  settings: unknown = {};
  /** The same for documents whose addresses begin with a folder's. */
  readonly folderSettings = new Map<string, unknown>();
  /** How often the server asked for diagnostics to be pulled again. */
  refreshes = 0;
  readonly #child: ChildProcess;
  #errors = '';

  private constructor(child: ChildProcess, connection: MessageConnection) {
    this.#child = child;
    this.connection = connection;
    child.stderr?.on('data', (data) => {
      this.#errors += data;
    });
    connection.onRequest('workspace/configuration', ({ items }: { items: { scopeUri?: string }[] }) =>
      items.map(({ scopeUri = '' }) => {
        const folder = [...this.folderSettings.keys()].find((address) => scopeUri.startsWith(address));
        return folder === undefined ? this.settings : this.folderSettings.get(folder);
      }),
    );
    connection.onRequest('workspace/diagnostic/refresh', () => {
      this.refreshes++;
      return null;
    });
    connection.onRequest('client/registerCapability', () => null);
  }

  /**
   * Starts the server as the present sources have it, without a word to it.
   *
   * @param nodeArguments go before the script.
   */
  static async spawn(nodeArguments: readonly string[] = []): Promise<ServerProcess> {
    const script = path.join(await bundled('server', 'worker'), 'server.js');
    const child = spawn(process.execPath, [...nodeArguments, script, '--stdio']);
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const server = new ServerProcess(child, connection);
    connection.listen();
    return server;
  }

  /** A server that has been initialized. */
  static async start(capabilities: object = CAPABILITIES): Promise<ServerProcess> {
    const server = await ServerProcess.spawn();
    await server.initialize(capabilities);
    return server;
  }

  /** Of the server's process. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async initialize(capabilities: object = CAPABILITIES): Promise<InitializeResult> {
    const result = await this.connection.sendRequest<InitializeResult>('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities,
    });
    await this.connection.sendNotification('initialized', {});
    return result;
  }

  /** Ends the server as an editor does; the result is its exit code and what it wrote to standard error. */
  async stop(): Promise<{ readonly code: number | null; readonly errors: string }> {
    const exit = once(this.#child, 'exit');
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const [code] = await exit;
    this.connection.dispose();
    return { code, errors: this.#errors };
  }

  /** Sends bytes that need not be a message. */
  write(bytes: string): void {
    this.#child.stdin?.write(bytes);
  }

  /** Sends bytes after which the server is to end by itself; the result is as that of {@link stop}. */
  async end(bytes: string): Promise<{ readonly code: number | null; readonly errors: string }> {
    const closed = once(this.#child, 'close');
    this.write(bytes);
    const [code] = await closed;
    this.connection.dispose();
    return { code, errors: this.#errors };
  }

  open(uri: string, languageId: string, text: string): Promise<void> {
    return this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text },
    });
  }

  diagnostics(uri: string, previousResultId?: string): Promise<DocumentDiagnosticReport> {
    return this.connection.sendRequest('textDocument/diagnostic', {
      textDocument: { uri },
      identifier: 'hopscope',
      ...(previousResultId === undefined ? {} : { previousResultId }),
    });
  }

  /** Sends one of our own requests. */
  ask<M extends RequestMethod>(method: M, params: RequestParams<M>): Promise<RequestResult<M>> {
    return this.connection.sendRequest<RequestResult<M>>(method, params);
  }
}
