/** Notes and tags of a run, or of one of its episodes. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { ask } from '../language-client.ts';

/**
 * Asks for the note and the tags, with what is there to begin with.
 *
 * @param uri address of the run's folder
 * @param task the number of an episode in the plan of the run; null for the run itself
 * @returns whether something was written.
 */
export async function editNote(client: LanguageClient, uri: string, task: number | null): Promise<boolean> {
  const present = await ask(client, 'hopscope/runNote', { uri, task });
  if (!present.ok) {
    void vscode.window.showErrorMessage(present.error);
    return false;
  }
  const title = task === null ? 'Note on the Run' : `Note on Episode ${task}`;
  const text = await vscode.window.showInputBox({
    title: `${title} (1 of 2)`,
    prompt: 'Kept in notes.json of the run folder; no figure depends on it. Empty takes it away.',
    value: present.value.text,
    ignoreFocusOut: true,
  });
  if (text === undefined) return false;
  const tags = await vscode.window.showInputBox({
    title: `${title} (2 of 2)`,
    prompt: 'Tags, separated by commas.',
    placeHolder: 'baseline, to be repeated',
    value: present.value.tags.join(', '),
    ignoreFocusOut: true,
  });
  if (tags === undefined) return false;
  const note = { text, tags: tags.split(',') };
  const written = await ask(client, 'hopscope/annotateRun', { uri, task, note });
  if (!written.ok) void vscode.window.showErrorMessage(written.error);
  return written.ok;
}
