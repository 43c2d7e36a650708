/** Step prompts for episodes: of the workspace, and those that come with the extension. */
import * as vscode from 'vscode';
import type { SessionPromptText } from '../../../server/src/protocol.ts';

/** The text of a step prompt as its editor shows it, saved or not. Undefined when it cannot be read. */
export async function readPrompt(uri: vscode.Uri): Promise<SessionPromptText | undefined> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return { uri: uri.toString(), name: nameOf(uri), text: document.getText() };
  } catch {
    return undefined;
  }
}

/** The one that comes with the extension for an environment; undefined when there is none. */
export async function builtInPrompt(
  extensionUri: vscode.Uri,
  environment: string,
): Promise<SessionPromptText | undefined> {
  if (!/^[a-z0-9-]+$/.test(environment)) return undefined;
  return readShipped(vscode.Uri.joinPath(extensionUri, 'prompts', environment, `${environment}.step.md`));
}

/** Without an address: nobody should edit the files of the extension, or name them in a transcript. */
async function readShipped(uri: vscode.Uri): Promise<SessionPromptText | undefined> {
  try {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    return { uri: null, name: nameOf(uri), text };
  } catch {
    return undefined;
  }
}

interface PromptItem extends vscode.QuickPickItem {
  readonly read: (() => Promise<SessionPromptText | undefined>) | null;
}

/** Asks for a step prompt; undefined when the person thought better of it. */
export async function pickPrompt(
  extensionUri: vscode.Uri,
  environment: string,
): Promise<SessionPromptText | undefined> {
  const found = await vscode.workspace.findFiles('**/*.step.md', '**/node_modules/**', 500);
  const folder = vscode.Uri.joinPath(extensionUri, 'prompts', environment);
  const shipped = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
  const items: PromptItem[] = [
    ...found
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map((uri) => ({
        label: nameOf(uri),
        description: vscode.workspace.asRelativePath(uri),
        read: () => readPrompt(uri),
      })),
    { label: 'That come with Hopscope', kind: vscode.QuickPickItemKind.Separator, read: null },
    ...shipped
      .filter(([name]) => name.endsWith('.step.md'))
      .map(([name]) => vscode.Uri.joinPath(folder, name))
      .map((uri) => ({
        label: nameOf(uri),
        description: 'comes with Hopscope',
        read: () => readShipped(uri),
      })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Step Prompt of the Episode',
    placeHolder: `A step prompt for ${environment}`,
    matchOnDescription: true,
  });
  return picked?.read?.();
}

/** Its file name without `.step.md`. */
export function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/(\.step)?\.md$/, '');
}
