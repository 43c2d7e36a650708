/** What is said when the language server has ended: what to do, and not the words of the connection. */
import { expect, test, vi } from 'vitest';

vi.mock('vscode', () => ({ workspace: {}, EventEmitter: class {} }));
// The real one asks an editor for its version when it is loaded.
vi.mock('vscode-languageclient/node', async () => {
  const { ErrorCodes, ResponseError } = await import('vscode-jsonrpc');
  return { ErrorCodes, ResponseError, LanguageClient: class {}, TransportKind: {} };
});

import { ErrorCodes, type LanguageClient, ResponseError } from 'vscode-languageclient/node';
import { ask } from '../../client/src/language-client.ts';

function failing(error: Error): LanguageClient {
  const client: Pick<LanguageClient, 'sendRequest'> = { sendRequest: () => Promise.reject(error) };
  return client as LanguageClient;
}

test.each([
  [
    ErrorCodes.ConnectionInactive,
    'Client is not running',
    /is not running: run "Hopscope: Restart Language Server"/,
  ],
  [ErrorCodes.PendingResponseRejected, 'Pending response rejected', /ended while it was asked\. .*try again/],
  [ErrorCodes.InternalError, 'It went wrong.', /^It went wrong\.$/],
])('%i', async (code, words, said) => {
  await expect(ask(failing(new ResponseError(code, words)), 'hopscope/data', null)).rejects.toThrow(said);
});

test('other errors stay as they are', async () => {
  const error = new Error('else');
  await expect(ask(failing(error), 'hopscope/data', null)).rejects.toBe(error);
});
