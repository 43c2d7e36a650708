import assert from 'node:assert/strict';
import fs from 'node:fs';
import { suite, suiteTeardown, test } from 'mocha';
import * as vscode from 'vscode';
import { closeAll, eventually } from './kit.ts';

/** A file of the folder that is open. */
function inFolder(name: string): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return vscode.Uri.joinPath(folder.uri, name);
}

/** Everything that is said about a document, as `code |text|`. */
function said(document: vscode.TextDocument): string[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ source }) => source === 'hopscope')
    .map(({ code, range }) => `${String(code)} |${document.getText(range)}|`);
}

async function says(document: vscode.TextDocument, expected: readonly string[]): Promise<void> {
  const deadline = Date.now() + 10_000;
  const isSame = () => JSON.stringify(said(document)) === JSON.stringify(expected);
  await eventually(() => (isSame() || Date.now() > deadline ? true : undefined));
  assert.deepEqual(said(document), expected);
}

/** The position after `text`, which occurs in the document. */
function after(document: vscode.TextDocument, text: string): vscode.Position {
  const at = document.getText().indexOf(text);
  assert.notEqual(at, -1, text);
  return document.positionAt(at + text.length);
}

suite('transcripts', () => {
  let document: vscode.TextDocument;

  suiteTeardown(async () => {
    await closeAll();
  });

  test('are replayed, and a wrong step is marked', async () => {
    document = await vscode.workspace.openTextDocument(inFolder('too-much.episode'));
    await vscode.window.showTextDocument(document);
    await says(document, ['transcript.failed |=== step 2|', 'navigator.ceiling-exceeded |55|']);
  });

  test('show how full the working context is', async () => {
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider',
      document.uri,
      whole,
    );
    assert.deepEqual(
      hints.map(({ label }) => label),
      ['· 344/600 tokens · reward 0', '· 344/600 tokens · end, reward -0.5'],
    );
  });

  test('explain chunks and lead to them', async () => {
    const position = after(document, 'READ 2');
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      position,
    );
    const [content] = hovers.flatMap(({ contents }) => contents);
    assert.ok(content instanceof vscode.MarkdownString);
    assert.match(content.value, /^`\[28\] Project Register/);
    const [location] = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      position,
    );
    assert.ok(location);
    const instance = await vscode.workspace.openTextDocument(location.uri);
    assert.equal(instance.getText(location.range), '[28] (344 tokens)');
  });

  test('propose what can be read', async () => {
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      after(document, 'READ '),
      ' ',
    );
    const sorted = list.items.toSorted((a, b) => (a.sortText ?? '').localeCompare(b.sortText ?? ''));
    assert.deepEqual(sorted[0]?.label, {
      label: '28',
      description: 'Vermilion Kestrel – Vermilion Redstart (Project Register, 344 tokens)',
    });
  });

  test('are mended', async () => {
    const position = after(document, 'READ 5');
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(position, position),
    );
    const fix = actions.find(({ title }) => title === 'Compress before this read');
    assert.ok(fix?.edit);
    await vscode.workspace.applyEdit(fix.edit);
    assert.match(document.getText(), /COMPRESS 28 :: .*\n\n=== step 3\nACTION: READ 55\n/);
    await says(document, []);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  test('with hostile replies survive an edit and a save, whatever the line ends', async () => {
    const uri = inFolder('hostile.episode');
    const before = fs.readFileSync(uri.fsPath, 'utf8');
    const hostile = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(hostile);
    await says(hostile, []);
    await editor.edit((builder) => builder.insert(after(hostile, 'looks like a marker'), ', does it'));
    assert.ok(await hostile.save());
    const expected = before.replace('looks like a marker', 'looks like a marker, does it');
    assert.equal(fs.readFileSync(uri.fsPath, 'utf8'), expected);
    await editor.edit((builder) => builder.setEndOfLine(vscode.EndOfLine.CRLF));
    assert.ok(await hostile.save());
    assert.equal(fs.readFileSync(uri.fsPath, 'utf8'), expected.replaceAll('\n', '\r\n'));
    await says(hostile, []);
  });

  test('begin untitled, for the instance that is open', async () => {
    const instance = vscode.Uri.parse('hopscope:/navigator/train/17/hs1-train-17.hopscope-instance');
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(instance));
    const editor = await vscode.commands.executeCommand<vscode.TextEditor>('hopscope.newTranscript');
    assert.equal(editor.document.languageId, 'hopscope-episode');
    assert.ok(editor.document.isUntitled);
    assert.match(
      editor.document.getText(),
      /\ninstance: hs1-train-17\nsplit: train\nindex: 17\n---\n\n=== step 1\n$/,
    );
    assert.equal(editor.selection.active.line, editor.document.lineCount - 1);
  });
});
