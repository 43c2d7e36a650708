/** "Export…": a run in the formats that other tools read, or as a page for people. */
import * as vscode from 'vscode';
import type { RunRow } from '../../../server/src/protocol.ts';
import { type Command, sentenceOf } from './command.ts';
import { placeFor } from './places.ts';

const formats = [
  { label: 'report.html', description: 'one page with everything, to hand to others', option: '--html' },
  { label: 'episodes.csv', description: 'a table of episodes', option: '--csv' },
  { label: 'traces.jsonl', description: 'an episode a line, every step a trace', option: '--traces' },
  { label: 'results.jsonl', description: 'the older format, with metadata.json', option: '--results' },
] as const;

/** @returns the folder with the files; undefined when the person thought better of it or it failed. */
export async function exportRun(command: Command, { uri }: RunRow): Promise<vscode.Uri | undefined> {
  const folder = vscode.Uri.parse(uri);
  const picked = await vscode.window.showQuickPick(formats, {
    title: 'Export Run',
    placeHolder: 'What to write',
    canPickMany: true,
  });
  if (!picked || picked.length === 0) return undefined;
  const [into] =
    (await vscode.window.showOpenDialog({
      title: 'Export Into',
      openLabel: 'Export Here',
      defaultUri: folder,
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (!into) return undefined;
  return writeExport(
    command,
    folder,
    into,
    picked.map(({ option }) => option),
  );
}

/** @param options which formats, as the headless command calls them. */
async function writeExport(
  command: Command,
  folder: vscode.Uri,
  into: vscode.Uri,
  options: readonly string[],
): Promise<vscode.Uri | undefined> {
  const prices = placeFor(folder)?.prices ?? null;
  const args = [
    'export',
    ...options,
    `--out=${into.fsPath}`,
    ...(prices === null ? [] : [`--prices=${prices}`]),
    '--',
    folder.fsPath,
  ];
  const ended = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: 'Exporting', cancellable: true },
    (_, token) => command.run({ args, cwd: into.fsPath }, token),
  );
  if (ended.code !== 0) {
    if (ended.code !== null) void vscode.window.showErrorMessage(sentenceOf(ended));
    return undefined;
  }
  void tell(into, options);
  return into;
}

async function tell(into: vscode.Uri, options: readonly string[]): Promise<void> {
  const page = vscode.Uri.joinPath(into, 'report.html');
  const open = options.includes('--html') ? ['Open Page'] : [];
  const answer = await vscode.window.showInformationMessage(
    `The run is exported into ${vscode.workspace.asRelativePath(into)}.`,
    ...open,
    'Show Folder',
  );
  if (answer === 'Open Page') await vscode.env.openExternal(page);
  else if (answer !== undefined) await vscode.commands.executeCommand('revealFileInOS', into);
}
