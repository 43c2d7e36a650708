/** Where episodes are saved, and what is opened beside them. */
import * as vscode from 'vscode';
import type { Checked, SavedRun } from '../../../server/src/protocol.ts';
import { placeFor, whyNoRuns } from '../runs/places.ts';
import type { SessionLink } from './session-link.ts';
import { messageOf } from './stepping.ts';
import type { TranscriptBeside } from './transcript.ts';

/** Asks for a file and writes the transcript into it. Undefined when the person thought better of it. */
async function saveTranscript(
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
function runsFolder(): Checked<string> {
  const reason = whyNoRuns();
  if (reason !== undefined) return { ok: false, error: reason };
  const place = placeFor();
  if (place) return { ok: true, value: vscode.Uri.file(place.runs).toString() };
  return { ok: false, error: 'Runs are kept in a folder: open one first.' };
}

interface Kept {
  /** What a file is called; the id of the instance. */
  readonly name: string | undefined;
  readonly link: SessionLink;
  readonly transcript: TranscriptBeside;
}

/**
 * Puts the episode where it is kept without its panel: a transcript, the clipboard, or a run.
 *
 * @returns what to tell the person; undefined when that was told, or the person thought better of it
 */
export async function keepElsewhere(
  how: 'save' | 'copy' | 'saveRun',
  { name = 'episode', link, transcript }: Kept,
): Promise<Checked<string> | undefined> {
  switch (how) {
    case 'save': {
      const saved = await saveTranscript(name, (target) => link.print('transcript', target));
      if (!saved) return undefined;
      transcript.wasSaved(saved.uri, saved.text);
      return { ok: true, value: `Saved ${vscode.workspace.asRelativePath(saved.uri)}.` };
    }
    case 'copy': {
      const report = await link.print('report', null);
      if (report === undefined) return undefined;
      await vscode.env.clipboard.writeText(report);
      return { ok: true, value: 'Copied the episode as Markdown.' };
    }
    case 'saveRun': {
      const parent = runsFolder();
      if (!parent.ok) return parent;
      const saved = await link.saveRun(parent.value);
      return saved && { ok: true, value: savedRunText(saved) };
    }
  }
}

/** What a person is told of a branch that was added to the runs. */
function savedRunText({ folder, isNew }: SavedRun): string {
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
