/**
 * "Compare with Transcript": an instance and a transcript side by side. Whenever both are to be seen, the chunks that the
 * agent holds after the step at the transcript's cursor are marked in the instance; once they are compared, the instance
 * moves along from step to step.
 */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { ask } from '../language-client.ts';

/** Milliseconds of rest before a moved cursor is followed. */
const REST = 60;

export function registerCompare(client: LanguageClient): vscode.Disposable {
  const chunkType = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('hopscope.heldBackground'),
    borderColor: new vscode.ThemeColor('hopscope.heldBorder'),
    borderStyle: 'solid',
    borderWidth: '0 0 0 3px',
    overviewRulerColor: new vscode.ThemeColor('hopscope.heldBorder'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  const labelType = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 2em' },
  });
  let timer: NodeJS.Timeout | undefined;
  let transcript: vscode.Uri | undefined;
  /** Transcript and step that the instance moved to last; only transcripts that were compared move it. */
  let along: { readonly transcript: string; step: number } | undefined;

  /** The transcript whose cursor moved last, as long as it is to be seen; else any that is. */
  function followed(): vscode.TextEditor | undefined {
    const seen = vscode.window.visibleTextEditors.filter(({ document }) => isTranscript(document));
    return seen.find(({ document }) => document.uri.toString() === transcript?.toString()) ?? seen[0];
  }

  async function mark(): Promise<void> {
    const instances = vscode.window.visibleTextEditors.filter(({ document }) => isInstance(document));
    const editor = followed();
    if (instances.length === 0) return;
    const held = editor && (await heldAt(client, editor.document, editor.selection.active));
    for (const shown of instances) {
      const isPlayed = held?.ok === true && isSame(shown.document.uri, held.value.instance);
      const { chunks, step } = isPlayed ? held.value : { chunks: [], step: 0 };
      const ranges = chunks.map(({ range: { start, end } }) => {
        // Up to the last line of the chunk: the end is where the next one begins.
        return new vscode.Range(start.line, 0, Math.max(start.line, end.line - 1), 0);
      });
      shown.setDecorations(chunkType, ranges);
      const newest = ranges.at(-1);
      if (newest && along && along.transcript === editor?.document.uri.toString() && along.step !== step) {
        along.step = step;
        shown.revealRange(newest, vscode.TextEditorRevealType.AtTop);
      }
      shown.setDecorations(
        labelType,
        // Behind the chunk's header: the line above it ends in an inlay hint.
        ranges.map(({ start }) => ({
          range: shown.document.lineAt(start.line + 1).range,
          renderOptions: { after: { contentText: `held after step ${step}` } },
        })),
      );
    }
  }

  const markSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => mark().catch(() => {}), REST);
  };

  markSoon();
  return vscode.Disposable.from(
    chunkType,
    labelType,
    new vscode.Disposable(() => clearTimeout(timer)),
    vscode.window.onDidChangeVisibleTextEditors(markSoon),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor: { document } }) => {
      if (!isTranscript(document)) return;
      transcript = document.uri;
      markSoon();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (isTranscript(document) || isInstance(document)) markSoon();
    }),
    vscode.commands.registerCommand(
      'hopscope.compareWithTranscript',
      async (address?: string | vscode.Uri) => {
        const compared = await compare(client, address);
        if (!compared) return;
        transcript = compared;
        along = { transcript: compared.toString(), step: -1 };
        markSoon();
      },
    ),
  );
}

function isTranscript({ languageId }: vscode.TextDocument): boolean {
  return languageId === 'hopscope-episode';
}

function isInstance({ languageId }: vscode.TextDocument): boolean {
  return languageId === 'hopscope-instance';
}

function isSame(uri: vscode.Uri, address: string): boolean {
  return uri.toString() === vscode.Uri.parse(address).toString();
}

function heldAt(client: LanguageClient, { uri }: vscode.TextDocument, { line, character }: vscode.Position) {
  return ask(client, 'hopscope/heldChunks', { uri: uri.toString(), position: { line, character } });
}

/**
 * What is active stays where it is, the other one opens beside it.
 *
 * @param address of an instance or a transcript; the active editor's when absent.
 * @returns the transcript, or undefined when there is nothing to compare.
 */
async function compare(
  client: LanguageClient,
  address: string | vscode.Uri | undefined,
): Promise<vscode.Uri | undefined> {
  const given = typeof address === 'string' ? vscode.Uri.parse(address) : address;
  const uri = given ?? vscode.window.activeTextEditor?.document.uri;
  const document = uri && (await vscode.workspace.openTextDocument(uri));
  const fromTranscript = document !== undefined && isTranscript(document);
  const transcript = fromTranscript ? document.uri : await pickTranscript();
  if (!transcript) return undefined;
  const played = await vscode.workspace.openTextDocument(transcript);
  const held = await heldAt(client, played, new vscode.Position(0, 0));
  if (!held.ok) {
    void vscode.window.showErrorMessage(held.error);
    return undefined;
  }
  const instance = vscode.Uri.parse(held.value.instance);
  if (fromTranscript) {
    await show(instance, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
    return transcript;
  }
  if (document && isInstance(document) && !isSame(document.uri, held.value.instance)) {
    const sentence = `${nameOf(transcript)} was played on ${nameOf(instance)}, not on ${nameOf(document.uri)}.`;
    const open = `Open ${nameOf(instance)}`;
    if ((await vscode.window.showWarningMessage(sentence, open)) !== open) return undefined;
  }
  await show(instance, {});
  await show(transcript, { viewColumn: vscode.ViewColumn.Beside });
  return transcript;
}

function show(uri: vscode.Uri, options: vscode.TextDocumentShowOptions): Thenable<vscode.TextEditor> {
  return vscode.window.showTextDocument(uri, { preview: false, ...options });
}

interface TranscriptItem extends vscode.QuickPickItem {
  readonly uri: vscode.Uri;
}

/** Asks for a transcript: first those that are open, then those of the workspace. */
async function pickTranscript(): Promise<vscode.Uri | undefined> {
  const opened = vscode.workspace.textDocuments.filter(isTranscript).map(({ uri }) => uri);
  const known = new Set(opened.map(String));
  const found = await vscode.workspace.findFiles('**/*.episode', '**/node_modules/**', 1000);
  const others = found.filter((uri) => !known.has(uri.toString()));
  const item = (uri: vscode.Uri, description: string): TranscriptItem => ({
    label: nameOf(uri),
    description,
    detail: vscode.workspace.asRelativePath(uri),
    uri,
  });
  const items = [
    ...opened.map((uri) => item(uri, 'open')),
    ...others.sort((a, b) => (a.path < b.path ? -1 : 1)).map((uri) => item(uri, '')),
  ];
  if (items.length === 0) {
    void vscode.window.showInformationMessage('There is no transcript (*.episode) open or in the workspace.');
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Compare with Transcript',
    placeHolder: 'A transcript of this instance',
    matchOnDetail: true,
  });
  return picked?.uri;
}

function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.hopscope-instance$/, '');
}
