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
export function builtInPrompt(
  extensionUri: vscode.Uri,
  environment: string,
): Promise<SessionPromptText | undefined> {
  if (!/^[a-z0-9-]+$/.test(environment)) return Promise.resolve(undefined);
  const file = vscode.Uri.joinPath(extensionUri, 'prompts', environment, `${environment}.step.md`);
  return readPrompt(file);
}

interface PromptItem extends vscode.QuickPickItem {
  readonly uri: vscode.Uri | null;
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
      .map((uri) => ({ label: nameOf(uri), description: vscode.workspace.asRelativePath(uri), uri })),
    { label: 'That come with Hopscope', kind: vscode.QuickPickItemKind.Separator, uri: null },
    ...shipped
      .filter(([name]) => name.endsWith('.step.md'))
      .map(([name]) => vscode.Uri.joinPath(folder, name))
      .map((uri) => ({ label: nameOf(uri), description: 'comes with Hopscope', uri })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Step Prompt of the Episode',
    placeHolder: `A step prompt for ${environment}`,
    matchOnDescription: true,
  });
  return picked?.uri ? readPrompt(picked.uri) : undefined;
}

/** Its file name without `.step.md`. */
function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/(\.step)?\.md$/, '');
}
