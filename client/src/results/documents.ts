/** Episodes of runs as documents, read when somebody opens them: for tests and for comparing. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { ask } from '../language-client.ts';

/** Scheme of transcripts of episodes in run folders. */
const scheme = 'hopscope-results';

/** The document of an episode. @param name as its tab shows it. */
export function transcriptUri(run: string, task: number, name: string): vscode.Uri {
  const file = name.replace(/[^\p{L}\p{N}._-]/gu, '-');
  return vscode.Uri.from({ scheme, path: `/${file}.episode`, query: JSON.stringify({ run, task }) });
}

/** Gives such documents their text. */
export function registerTranscripts(client: LanguageClient): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query }) {
      const episode = readQuery(query);
      if (!episode) throw new Error('This address is of no episode.');
      const made = await ask(client, 'hopscope/results/transcript', { ...episode, step: null });
      if (!made.ok) throw new Error(made.error);
      return made.value.text;
    },
  });
}

function readQuery(query: string): { readonly run: string; readonly task: number } | undefined {
  try {
    const value: unknown = JSON.parse(query);
    if (typeof value !== 'object' || value === null || !('run' in value) || !('task' in value))
      return undefined;
    const { run, task } = value;
    return typeof run === 'string' && typeof task === 'number' ? { run, task } : undefined;
  } catch {
    return undefined;
  }
}

/** The document of a run's step prompt. */
export function promptDocumentUri(run: string, name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: 'hopscope-run', path: `/${name}.step.md`, query: run });
}

/**
 * Opens an episode as a transcript of one's own, with the cursor at a step.
 *
 * @param step from 1; null for the one that shows the cause
 */
export async function openTranscript(
  client: LanguageClient,
  run: string,
  task: number,
  step: number | null,
): Promise<vscode.TextEditor | undefined> {
  const made = await ask(client, 'hopscope/results/transcript', { run, task, step });
  if (!made.ok) {
    void vscode.window.showErrorMessage(made.error);
    return undefined;
  }
  const { text, line } = made.value;
  const document = await vscode.workspace.openTextDocument({ language: 'hopscope-episode', content: text });
  const at = new vscode.Position(line, 0);
  const editor = await vscode.window.showTextDocument(document, {
    preview: false,
    selection: new vscode.Range(at, at),
  });
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
  return editor;
}
