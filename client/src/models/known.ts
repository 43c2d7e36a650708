/** What endpoints said they have is passed on to the language server, which completes `model:` with it. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Notifications } from '../../../server/src/protocol.ts';

const method: keyof Notifications = 'hopscope/knownModels';

const listed = new vscode.EventEmitter<readonly string[]>();

/** Call with the names of the models that an endpoint has listed. */
export function tellModels(models: readonly string[]): void {
  listed.fire(models);
}

/** Sends them on until it is disposed of. */
export function passOnModels(client: LanguageClient): vscode.Disposable {
  return listed.event((models) => {
    const params: Notifications[typeof method] = { models };
    void client.sendNotification(method, params);
  });
}
