import assert from 'node:assert/strict';
import { suite, suiteTeardown, test } from 'mocha';
import * as vscode from 'vscode';
import { closeAll, hasProblems, showUntitled } from './kit.ts';

/** A transcript in which only the reply may be wrong; the reply begins on line 6, counted from 0. */
function transcript(reply: string): string {
  return `---\nformat: 1\nenvironment: navigator\ninstance: hs1-train-17\n---\n=== step 1\n${reply}\n`;
}

suite('languages', () => {
  suiteTeardown(async () => {
    await closeAll();
  });

  test('files are known by their names', async () => {
    const languages: Readonly<Record<string, string>> = {
      'play.episode': 'hopscope-episode',
      'terse.step.md': 'hopscope-prompt',
      'notes.md': 'markdown',
    };
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    for (const [name, language] of Object.entries(languages)) {
      const uri: vscode.Uri = vscode.Uri.joinPath(folder.uri, name);
      const document: vscode.TextDocument = await vscode.workspace.openTextDocument(uri);
      assert.equal(document.languageId, language, name);
    }
  });

  test('a transcript has its problems, and loses them when they are mended', async () => {
    const document = await showUntitled('hopscope-episode', transcript('ACTION: READ S1'));
    await hasProblems(document, ['error action.read-needs-chunk |S1|']);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(6, 13, 6, 15), '7');
    await vscode.workspace.applyEdit(edit);
    await hasProblems(document, []);
  });

  test('ranges are right with CRLF', async () => {
    const document = await showUntitled('hopscope-episode', transcript('ACTION: FETCH 3'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((builder) => builder.setEndOfLine(vscode.EndOfLine.CRLF));
    await hasProblems(document, ['error action.unknown-verb |FETCH|']);
  });

  test('a fenced transcript in Markdown is checked, unless the setting says no', async () => {
    const document = await showUntitled(
      'markdown',
      'ACTION: READ\n\n```hopscope-episode\nACTION: READ\n```\n',
    );
    await hasProblems(document, ['error action.no-ids |READ|']);
    const configuration = vscode.workspace.getConfiguration('hopscope');
    await configuration.update('markdown.checkTranscripts', false, vscode.ConfigurationTarget.Global);
    await hasProblems(document, []);
    await configuration.update('markdown.checkTranscripts', undefined, vscode.ConfigurationTarget.Global);
    await hasProblems(document, ['error action.no-ids |READ|']);
  });

  test('problems come back after the server was started anew', async () => {
    const document = await showUntitled('hopscope-episode', transcript('ACTION: ANSWER'));
    await hasProblems(document, ['error action.empty-answer |ANSWER|']);
    await vscode.commands.executeCommand('hopscope.restartServer');
    await hasProblems(document, ['error action.empty-answer |ANSWER|']);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(6, 14), ' 5');
    await vscode.workspace.applyEdit(edit);
    await hasProblems(document, []);
  });
});
