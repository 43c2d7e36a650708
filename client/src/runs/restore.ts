/** "Restore Prompt": the step prompt that a run was played with, whatever has become of the file since. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { RunRow } from '../../../server/src/protocol.ts';
import { ask } from '../language-client.ts';
import { placeFor } from './places.ts';

/** Scheme of step prompts as they are in run folders. */
const scheme = 'hopscope-run';

/** Gives such documents their text. */
export function registerRunPrompts(client: LanguageClient): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query }) {
      const prompt = await ask(client, 'hopscope/runPrompt', { uri: query });
      if (!prompt.ok) throw new Error(prompt.error);
      return prompt.value.text;
    },
  });
}

interface WayItem extends vscode.QuickPickItem {
  readonly way: 'compare' | 'put back' | 'open';
}

/** Asks what to do with it and does it. @param given when nothing is to be asked. */
export async function restorePrompt(
  client: LanguageClient,
  row: RunRow,
  given?: WayItem['way'],
): Promise<vscode.TextDocument | undefined> {
  const prompt = await ask(client, 'hopscope/runPrompt', { uri: row.uri });
  if (!prompt.ok) {
    void vscode.window.showErrorMessage(prompt.error);
    return undefined;
  }
  const { name, path: file, text } = prompt.value;
  const document = file === null ? undefined : await existing(row, file);
  const way = given ?? (await askWay(document, text));
  if (way === undefined) return undefined;
  if (way === 'open' || !document) {
    const opened = await vscode.workspace.openTextDocument({ language: 'hopscope-prompt', content: text });
    await vscode.window.showTextDocument(opened, { preview: false });
    return opened;
  }
  if (way === 'compare') {
    const then = vscode.Uri.from({ scheme, path: `/${name}.step.md`, query: row.uri });
    await vscode.commands.executeCommand('vscode.diff', then, document.uri, `${name}: run ${row.id} and now`);
    return document;
  }
  // An edit, so that one can undo it; saving is left to the person.
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

async function existing({ uri }: RunRow, file: string): Promise<vscode.TextDocument | undefined> {
  const base = placeFor(vscode.Uri.parse(uri))?.base;
  if (base === undefined) return undefined;
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(path.resolve(base, file)));
  } catch {
    return undefined; // it has gone, or is on another machine
  }
}

async function askWay(
  document: vscode.TextDocument | undefined,
  text: string,
): Promise<WayItem['way'] | undefined> {
  if (!document) return 'open';
  const name = vscode.workspace.asRelativePath(document.uri);
  if (document.getText() === text) {
    void vscode.window.showInformationMessage(`${name} is what the run was played with.`);
    return undefined;
  }
  const items: WayItem[] = [
    { label: '$(compare-changes) Compare', detail: `With ${name} as it is now.`, way: 'compare' },
    { label: '$(discard) Put Back', detail: `Into ${name}; not saved, and can be undone.`, way: 'put back' },
    { label: '$(new-file) Open', detail: 'As a new file, which leaves the other alone.', way: 'open' },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Restore Prompt',
    placeHolder: 'The file has changed since the run',
  });
  return picked?.way;
}
