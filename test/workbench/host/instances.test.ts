import assert from 'node:assert/strict';
import { suite, suiteTeardown, test } from 'mocha';
import * as vscode from 'vscode';
import { closeAll, eventually } from './kit.ts';

const address = vscode.Uri.parse('hopscope:/navigator/train/17/hs1-train-17.hopscope-instance');

suite('instances', () => {
  suiteTeardown(async () => {
    await closeAll();
  });

  test('open as read-only documents', async () => {
    const document = await vscode.workspace.openTextDocument(address);
    assert.equal(document.languageId, 'hopscope-instance');
    assert.match(document.getText(), /^hs1-train-17 \(navigator, train\)\n\nQuestion: What/);
    assert.equal(vscode.workspace.fs.isWritableFileSystem('hopscope'), false);
    const contents = new TextEncoder().encode('something else');
    await assert.rejects(Promise.resolve(vscode.workspace.fs.writeFile(address, contents)));
  });

  test('have an outline: section, chunk, entry', async () => {
    const document = await vscode.workspace.openTextDocument(address);
    await vscode.window.showTextDocument(document);
    const symbols = await eventually(async () => {
      const found = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
        'vscode.executeDocumentSymbolProvider',
        address,
      );
      return found?.length ? found : undefined;
    });
    const [heading, ...sections] = symbols;
    assert.equal(heading?.name, 'hs1-train-17');
    const registers = sections.filter(({ children }) => children[0]?.children.length);
    assert.equal(registers.length, 6);
    for (const section of registers) {
      assert.equal(document.getText(section.selectionRange), section.name);
      for (const chunk of section.children) {
        assert.match(document.getText(chunk.selectionRange), /^\[\d+\] \(\d+ tokens\)$/);
        for (const entry of chunk.children) assert.equal(document.getText(entry.selectionRange), entry.name);
      }
    }
  });

  test('fold by section and chunk', async () => {
    const ranges = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      'vscode.executeFoldingRangeProvider',
      address,
    );
    const document = await vscode.workspace.openTextDocument(address);
    const section = ranges.find(({ start }) =>
      document.lineAt(start).text.startsWith('# Personnel Directory'),
    );
    assert.ok(section);
    assert.ok(ranges.some(({ start, end }) => start > section.start && end <= section.end));
    for (const { end } of ranges) assert.notEqual(document.lineAt(end).text, '');
  });

  test('say why there is none', async () => {
    const old = vscode.Uri.parse('hopscope:/navigator/train/17/hs0-train-17.hopscope-instance');
    await assert.rejects(
      Promise.resolve(vscode.workspace.openTextDocument(old)),
      /hs0-train-17.*hs1-train-17/,
    );
    const nowhere = vscode.Uri.parse('hopscope:/navigator/nowhere/0/hs1-nowhere-0.hopscope-instance');
    await assert.rejects(Promise.resolve(vscode.workspace.openTextDocument(nowhere)), /nowhere/);
  });

  test('the command opens what was picked', async () => {
    const opened = vscode.commands.executeCommand<vscode.TextEditor | undefined>('hopscope.openInstance');
    const accept = () => vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    const editor = await Promise.race([
      opened,
      // Accepted again and again: nothing tells when a quick pick has come up.
      eventually(async () => {
        await accept();
        return vscode.window.activeTextEditor?.document.uri.path.includes('/train/0/')
          ? vscode.window.activeTextEditor
          : undefined;
      }),
    ]);
    assert.equal(editor?.document.uri.scheme, 'hopscope');
  });
});
