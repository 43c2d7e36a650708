/** "Hopscope: New Transcript…": an untitled transcript of an instance, with its first step still to be written. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { RequestParams } from '../../server/src/protocol.ts';
import { ask } from './language-client.ts';
import { pickInstance } from './open-instance.ts';

/**
 * Of the instance in the active editor, or of one that is asked for.
 *
 * @returns the editor, or undefined when the person thought better of it.
 */
export async function newTranscript(
  client: LanguageClient,
  memory: vscode.Memento,
): Promise<vscode.TextEditor | undefined> {
  const active = vscode.window.activeTextEditor?.document;
  const instance =
    active?.languageId === 'hopscope-instance'
      ? { uri: active.uri.toString() }
      : await pickInstance(client, memory, 'New Transcript');
  return instance && showTranscript(client, instance);
}

/** Opens an untitled transcript of that instance, with the cursor where its first reply is to be written. */
async function showTranscript(
  client: LanguageClient,
  instance: RequestParams<'hopscope/newTranscript'>,
  viewColumn: vscode.ViewColumn = vscode.ViewColumn.Active,
): Promise<vscode.TextEditor | undefined> {
  const made = await ask(client, 'hopscope/newTranscript', instance);
  if (!made.ok) {
    void vscode.window.showErrorMessage(made.error);
    return undefined;
  }
  const document = await vscode.workspace.openTextDocument({
    language: 'hopscope-episode',
    content: made.value,
  });
  const editor = await vscode.window.showTextDocument(document, { preview: false, viewColumn });
  const end = document.lineAt(document.lineCount - 1).range.end;
  editor.selection = new vscode.Selection(end, end);
  return editor;
}
