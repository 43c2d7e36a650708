/** Step prompts for episodes: of the workspace, and those that come with the extension. */
import * as vscode from 'vscode';
import type { SessionPromptText } from '../../../server/src/protocol.ts';

/** The text of a step prompt as its editor shows it, saved or not. Undefined when it cannot be read. */
export async function readPrompt(uri: vscode.Uri): Promise<SessionPromptText | undefined> {
  try {
    const document = findOpen(uri) ?? (await openSaved(uri));
    return document && { uri: uri.toString(), name: nameOf(uri), text: document.getText() };
  } catch {
    return undefined;
  }
}

function findOpen(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/** Asking for a document that was never saved would make an empty one. */
async function openSaved(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  return uri.scheme === 'untitled' ? undefined : vscode.workspace.openTextDocument(uri);
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

/** Opens a new document beside the panel with a text to change; the step prompt is that document from then on. */
export async function copyPrompt(content: string): Promise<SessionPromptText> {
  const document = await vscode.workspace.openTextDocument({ language: 'hopscope-prompt', content });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: false });
  return { uri: document.uri.toString(), name: nameOf(document.uri), text: content };
}

interface PromptItem extends vscode.QuickPickItem {
  readonly read?: () => Promise<SessionPromptText | 'copy' | undefined>;
}

/**
 * Asks for a step prompt.
 *
 * @param copied name of the one of which a copy is offered to be changed; null for none
 * @returns `copy` when that was chosen; undefined when the person thought better of it
 */
export async function pickPrompt(
  extensionUri: vscode.Uri,
  environment: string,
  copied: string | null,
): Promise<SessionPromptText | 'copy' | undefined> {
  const folder = vscode.Uri.joinPath(extensionUri, 'prompts', environment);
  const [found, shipped] = await Promise.all([
    vscode.workspace.findFiles('**/*.step.md', '**/node_modules/**', 500),
    Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []),
  ]);
  const files = [...found].sort((a, b) => (a.path < b.path ? -1 : 1));
  const known = new Set(files.map(String));
  const open = vscode.workspace.textDocuments
    .filter(({ languageId, uri }) => languageId === 'hopscope-prompt' && !known.has(uri.toString()))
    .map(({ uri }) => uri);
  const items: PromptItem[] = [
    ...(copied === null
      ? []
      : [
          {
            label: `$(edit) A Copy of ${copied}`,
            description: 'opens beside, to be changed',
            read: async () => 'copy' as const,
          },
        ]),
    ...group('Open', open, 'not in the folder', readPrompt),
    ...group('In the Folder', files, null, readPrompt),
    ...group(
      'That Come with Hopscope',
      shipped
        .filter(([name]) => name.endsWith('.step.md'))
        .map(([name]) => vscode.Uri.joinPath(folder, name)),
      'comes with Hopscope',
      readShipped,
    ),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Step Prompt of the Episode',
    placeHolder: `A step prompt for ${environment}`,
    matchOnDescription: true,
  });
  return picked?.read?.();
}

/** @param said beside each; its place in the folder when null */
function group(
  label: string,
  uris: readonly vscode.Uri[],
  said: string | null,
  read: (uri: vscode.Uri) => Promise<SessionPromptText | undefined>,
): PromptItem[] {
  if (uris.length === 0) return [];
  return [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...uris.map((uri) => ({
      label: nameOf(uri),
      description: said ?? vscode.workspace.asRelativePath(uri),
      read: () => read(uri),
    })),
  ];
}

/** Its file name without `.step.md`. */
export function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/(\.step)?\.md$/, '');
}
