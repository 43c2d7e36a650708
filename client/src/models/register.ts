/** What a person can say about models: which one plays, and the key of its endpoint. */
import * as vscode from 'vscode';
import type { Command } from '../runs/command.ts';
import type { Keys } from './keys.ts';
import { selectModel } from './select-model.ts';
import { setApiKey } from './set-key.ts';
import { registerModelStatus } from './status.ts';

export function registerModels(command: Command, keys: Keys): vscode.Disposable {
  return vscode.Disposable.from(
    registerModelStatus(),
    vscode.commands.registerCommand('hopscope.selectModel', () => selectModel(command, activeScope())),
    vscode.commands.registerCommand('hopscope.setApiKey', (baseUrl?: unknown) =>
      setApiKey(command, keys, baseUrl),
    ),
  );
}

/** Settings may differ from folder to folder: those of the file that is looked at count. */
function activeScope(): vscode.Uri | undefined {
  return vscode.window.activeTextEditor?.document.uri;
}
