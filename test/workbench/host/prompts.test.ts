import assert from 'node:assert/strict';
import { suite, suiteTeardown, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { closeAll, eventually, showUntitled } from './kit.ts';

const prompt = `---
format:   1
environment: navigator
---
user:
{{question}} {{map_text}} {{held_text}}
`;

/** The labels of all open tabs. */
function tabs(): string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
}

/** Waits for a tab whose label is `label`. */
function tab(label: string): Promise<true> {
  return eventually(() => (tabs().includes(label) ? true : undefined));
}

suite('step prompts', () => {
  teardown(async () => {
    await closeAll();
  });
  suiteTeardown(async () => {
    await closeAll();
  });

  test('front matter is formatted', async () => {
    const document = await showUntitled('hopscope-prompt', prompt);
    await eventually(async () => {
      await vscode.commands.executeCommand('editor.action.formatDocument');
      return document.getText() === prompt.replace('format:   1', 'format: 1') ? true : undefined;
    });
  });

  test('lenses name commands that there are', async () => {
    const document = await showUntitled('hopscope-prompt', prompt);
    const lenses = await eventually(async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
      );
      return found.length > 0 ? found : undefined;
    });
    const known = await vscode.commands.getCommands(true);
    for (const { command } of lenses) assert.ok(command && known.includes(command.command), command?.command);
    assert.deepEqual(
      lenses.map(({ command }) => command?.title.replace(/^\$\(.*?\) /, '')),
      ['Preview', 'Step Episode', 'Run Eval (20)'],
    );
  });

  test('a definition opens the documentation', async () => {
    const document = await showUntitled('hopscope-prompt', prompt);
    const at = document.positionAt(prompt.indexOf('map_text') + 3);
    const found = await eventually(async () => {
      const locations = await vscode.commands.executeCommand<vscode.Location[]>(
        'vscode.executeDefinitionProvider',
        document.uri,
        at,
      );
      return locations[0];
    });
    const page = await vscode.workspace.openTextDocument(found.uri);
    assert.equal(page.lineAt(found.range.start.line).text, '### map_text');
    assert.equal(page.languageId, 'markdown');
  });

  test('one preview is opened for a prompt, and closes with its tab', async () => {
    const document = await showUntitled('hopscope-prompt', prompt);
    const name = `Preview ${document.uri.path}`;
    await vscode.commands.executeCommand('hopscope.previewPrompt');
    await tab(name);
    await vscode.commands.executeCommand('hopscope.previewPrompt', document.uri.toString());
    assert.equal(tabs().filter((label) => label === name).length, 1);
  });

  test('the preview follows a file that is renamed', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const before = vscode.Uri.joinPath(folder.uri, 'before.step.md');
    const after = vscode.Uri.joinPath(folder.uri, 'after.step.md');
    await vscode.workspace.fs.writeFile(before, new TextEncoder().encode(prompt));
    await vscode.window.showTextDocument(before);
    await vscode.commands.executeCommand('hopscope.previewPrompt');
    await tab('Preview before.step.md');
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(before, after);
    assert.ok(await vscode.workspace.applyEdit(edit));
    await tab('Preview after.step.md');
    await vscode.workspace.fs.delete(after);
  });

  test('stepping opens the previewed instance in an episode panel', async () => {
    const document = await showUntitled('hopscope-prompt', prompt);
    await vscode.commands.executeCommand('hopscope.stepEpisode', document.uri.toString());
    await tab(`hs1-train-0 · ${document.uri.path}`);
  });

  test('models of the settings are offered', async () => {
    const configuration = vscode.workspace.getConfiguration('hopscope');
    await configuration.update('models', ['a-model'], vscode.ConfigurationTarget.Global);
    const document = await showUntitled('hopscope-prompt', '---\nmodel: \n---\n');
    await eventually(async () => {
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        new vscode.Position(1, 7),
      );
      return items.some(({ label }) => label === 'a-model') ? true : undefined;
    });
    await configuration.update('models', undefined, vscode.ConfigurationTarget.Global);
  });
});
