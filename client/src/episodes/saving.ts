/** Where episodes are saved, and what is opened beside them. */
import * as vscode from 'vscode';
import type { Checked, SavedRun } from '../../../server/src/protocol.ts';
import { placeFor, whyNoRuns } from '../runs/places.ts';
import { messageOf } from './stepping.ts';

/** Asks for a file and writes the transcript into it. Undefined when the person thought better of it. */
export async function saveTranscript(
  name: string,
  print: (target: string) => Promise<string | undefined>,
): Promise<{ readonly uri: vscode.Uri; readonly text: string } | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = `${name.replace(/[^\w.-]+/g, '_')}.episode`;
  const target = await vscode.window.showSaveDialog({
    title: 'Save Episode as Transcript',
    filters: { 'Hopscope transcripts': ['episode'] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, file) }),
  });
  const text = target && (await print(target.toString()));
  if (!target || text === undefined) return undefined;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  return { uri: target, text };
}

/** The address of the folder that runs are written to; the error is a sentence. */
export function runsFolder(): Checked<string> {
  const reason = whyNoRuns();
  if (reason !== undefined) return { ok: false, error: reason };
  const place = placeFor();
  if (place) return { ok: true, value: vscode.Uri.file(place.runs).toString() };
  return { ok: false, error: 'Runs are kept in a folder: open one first.' };
}

/** What a person is told of a branch that was added to the runs. */
export function savedRunText({ folder, isNew }: SavedRun): string {
  const name = folder.split(/[\\/]/).at(-1) ?? folder;
  return isNew ? `Added run ${name}.` : `This branch is among the runs already, in ${folder}.`;
}

/** Opens a document beside the panel. */
export async function openBeside(uri: string | null | undefined): Promise<void> {
  if (!uri) return;
  try {
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), {
      viewColumn: vscode.ViewColumn.Beside,
      preview: false,
    });
  } catch (error) {
    void vscode.window.showErrorMessage(messageOf(error));
  }
}
