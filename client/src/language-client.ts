/** The connection to the language server, which runs in a process of its own. */
import type * as vscode from 'vscode';
import { ErrorCodes, LanguageClient, ResponseError, TransportKind } from 'vscode-languageclient/node';
import type { RequestMethod, RequestParams, RequestResult } from '../../server/src/protocol.ts';
import { dataVariables } from './data/folder.ts';
import { sealEnvironment } from './episodes/seal.ts';

/** Documents that the server is told about. Markdown may hold fenced transcripts. */
const DOCUMENTS = [
  { language: 'hopscope-episode' },
  { language: 'hopscope-prompt' },
  { language: 'hopscope-instance' },
  { language: 'markdown' },
];

/** A client that has not been started. `log` shows what the server writes, and the traffic if it is asked to. */
export function createLanguageClient(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): LanguageClient {
  const module = context.asAbsolutePath('dist/server.js');
  const transport = TransportKind.ipc;
  const env = { ...process.env, ...sealEnvironment, ...dataVariables() };
  return new LanguageClient(
    'hopscope', // also the prefix of the setting hopscope.trace.server, which the client library reads
    'Hopscope',
    {
      run: { module, transport, options: { env } },
      debug: { module, transport, options: { env, execArgv: ['--nolazy', '--inspect=6109'] } },
    },
    {
      documentSelector: DOCUMENTS,
      outputChannel: log,
      // Links in hovers that move the editor, and nothing else.
      markdown: { isTrusted: { enabledCommands: ['hopscope.reveal'] } },
    },
  );
}

/**
 * Sends one of our own requests. Starts the server if it is not running, unless it has ended too often.
 *
 * @throws Error that says so when the server has ended, and what to do
 */
export async function ask<M extends RequestMethod>(
  client: LanguageClient,
  method: M,
  params: RequestParams<M>,
  token?: vscode.CancellationToken,
): Promise<RequestResult<M>> {
  try {
    // A token that is undefined would be sent as a second parameter.
    if (token) return await client.sendRequest<RequestResult<M>>(method, params, token);
    return await client.sendRequest<RequestResult<M>>(method, params);
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const ended = endings.get(error.code);
    throw ended === undefined ? error : new Error(ended);
  }
}

const restart = 'run "Hopscope: Restart Language Server"';

/** What the connection answers in the place of a server that has ended. */
const endings: ReadonlyMap<number, string> = new Map([
  [ErrorCodes.ConnectionInactive, `The language server is not running: ${restart}, then try again.`],
  [
    ErrorCodes.PendingResponseRejected,
    `The language server ended while it was asked. It starts again by itself: try again, or ${restart}.`,
  ],
]);
