/** Colours evidence, answer and distractors in instance documents while spoilers are shown. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Mark, MarkKind } from '../../../server/src/protocol.ts';
import { ask } from '../language-client.ts';
import { areSpoilersShown } from './spoilers.ts';

const KINDS: readonly MarkKind[] = ['answer', 'evidence', 'distractor'];

export function registerDecorations(client: LanguageClient): vscode.Disposable {
  const types = new Map(KINDS.map((kind) => [kind, createType(kind)] as const));

  async function decorate(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    if (document.languageId !== 'hopscope-instance') return;
    const { version } = document;
    const isAsked = areSpoilersShown();
    const marks = isAsked
      ? await ask(client, 'hopscope/instanceMarks', { uri: document.uri.toString() })
      : [];
    if (document.version !== version || areSpoilersShown() !== isAsked) return; // asked again meanwhile
    for (const [kind, type] of types) editor.setDecorations(type, rangesOf(marks, kind));
  }

  const decorateAll = () => {
    // A server that is gone leaves the colours as they are; it has told of itself.
    for (const editor of vscode.window.visibleTextEditors) decorate(editor).catch(() => {});
  };

  decorateAll();
  return vscode.Disposable.from(
    ...types.values(),
    vscode.window.onDidChangeVisibleTextEditors(decorateAll),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('hopscope.spoilers')) decorateAll();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.languageId === 'hopscope-instance') decorateAll();
    }),
  );
}

function rangesOf(marks: readonly Mark[], wanted: MarkKind): vscode.Range[] {
  return marks
    .filter(({ kind }) => kind === wanted)
    .map(
      ({ range: { start, end } }) => new vscode.Range(start.line, start.character, end.line, end.character),
    );
}

/** Told apart by the form of the border too, for those who do not see the colours. */
function createType(kind: MarkKind): vscode.TextEditorDecorationType {
  const border = { answer: '2px solid', evidence: '1px solid', distractor: '1px dashed' }[kind];
  return vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor(`hopscope.${kind}Background`),
    border,
    borderColor: new vscode.ThemeColor(`hopscope.${kind}Border`),
    borderRadius: '3px',
    overviewRulerColor: new vscode.ThemeColor(`hopscope.${kind}Border`),
    overviewRulerLane:
      kind === 'distractor' ? vscode.OverviewRulerLane.Right : vscode.OverviewRulerLane.Center,
  });
}
