/** The connection to the language server, which runs in a process of its own. */
import type * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
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

/** Sends one of our own requests. Starts the server if it is not running. */
export function ask<M extends RequestMethod>(
  client: LanguageClient,
  method: M,
  params: RequestParams<M>,
  token?: vscode.CancellationToken,
): Promise<RequestResult<M>> {
  // A token that is undefined would be sent as a second parameter.
  if (token) return client.sendRequest<RequestResult<M>>(method, params, token);
  return client.sendRequest<RequestResult<M>>(method, params);
}
