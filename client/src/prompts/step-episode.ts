/** "Step Episode": a transcript of the instance on which a step prompt is previewed, beside the prompt. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { ask } from '../language-client.ts';
import { showTranscript } from '../new-transcript.ts';
import { promptUri } from './previews.ts';

/** @param target the address of a prompt, from a lens; otherwise that of the active editor is meant. */
export async function stepEpisode(
  client: LanguageClient,
  target: unknown,
): Promise<vscode.TextEditor | undefined> {
  const uri = promptUri(target)?.toString();
  if (uri === undefined) return undefined;
  const instance = await ask(client, 'hopscope/previewedInstance', { uri });
  if (!instance.ok) {
    void vscode.window.showErrorMessage(instance.error);
    return undefined;
  }
  return showTranscript(client, instance.value, vscode.ViewColumn.Beside);
}
