import assert from 'node:assert/strict';
import { appendFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { suite, suiteSetup, suiteTeardown, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { oracleReplies, writeRunFolder } from '../../support/run-folders.ts';
import { closeAll, eventually } from './kit.ts';

/** The labels of all open tabs. */
function tabs(): string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
}

/** Waits for a tab whose label begins so. */
function tab(label: string): Promise<string> {
  return eventually(() => tabs().find((it) => it.startsWith(label)));
}

suite('results', () => {
  let parent: string;
  let first: vscode.Uri;
  let second: vscode.Uri;

  suiteSetup(() => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    parent = path.join(folder.uri.fsPath, 'results-runs');
    const indices = [0, 1, 2];
    const write = (id: string, prompt: string, model: string) =>
      vscode.Uri.file(
        writeRunFolder(parent, {
          ...{ id, split: 'train', indices, prompt, model },
          replies: (instance) =>
            instance.id.endsWith('1') && model === 'first'
              ? [oracleReplies(instance)[0] ?? '', 'ACTION: ANSWER unknown']
              : oracleReplies(instance),
        }),
      );
    first = write('0000000a', 'user:\n{{question}}\n', 'first');
    second = write('0000000b', 'user:\nPlease! {{question}}\n', 'second');
  });
  teardown(async () => {
    await closeAll();
  });
  suiteTeardown(() => rmSync(parent, { recursive: true, force: true }));

  test('of a run have one panel, however it is pointed at', async () => {
    await vscode.commands.executeCommand('hopscope.openResults', first);
    await tab('Results p · first');
    await vscode.commands.executeCommand('hopscope.openResults', first.toString());
    await vscode.commands.executeCommand('hopscope.openResults', vscode.Uri.joinPath(first, 'steps.jsonl'));
    await vscode.commands.executeCommand('hopscope.openResults', { run: { uri: first.toString() } });
    assert.equal(tabs().filter((label) => label.startsWith('Results')).length, 1);
    await vscode.commands.executeCommand('hopscope.openResults', second);
    await tab('Results p · second');
  });

  test('of two runs are compared on one page', async () => {
    const runs = [first.toString(), second];
    await vscode.commands.executeCommand('hopscope.compareRuns', runs);
    await vscode.commands.executeCommand('hopscope.compareRuns', runs);
    await tab('Comparison');
    assert.equal(tabs().filter((label) => label === 'Comparison').length, 1);
  });

  for (const [name, target] of [
    ['one run', ['file:///x']],
    ['nothing', undefined],
    ['something else', [{ a: 1 }, 7, null]],
  ] as const) {
    test(`of ${name} are not compared`, async () => {
      // A message that waits for a person is not waited for.
      void vscode.commands.executeCommand('hopscope.compareRuns', target);
      await vscode.commands.executeCommand('hopscope.openResults', first);
      await tab('Results');
      assert.ok(!tabs().includes('Comparison'));
    });
  }

  test('are published as tests', async () => {
    const published = await vscode.commands.executeCommand<number>('hopscope.publishTests', first);
    assert.equal(published, 3);
    assert.equal(await vscode.commands.executeCommand<number>('hopscope.publishTests', undefined), 0);
  });

  test('have episodes that are documents', async () => {
    const address = first.with({
      scheme: 'hopscope-results',
      path: '/hs1-train-1.episode',
      query: JSON.stringify({ run: first.toString(), task: 1 }),
    });
    const document = await vscode.workspace.openTextDocument(address);
    assert.equal(document.languageId, 'hopscope-episode');
    assert.match(document.getText(), /=== step 2\nACTION: ANSWER unknown\n/);
    await vscode.window.showTextDocument(document);
    // It is played again like any other transcript.
    const hints = await eventually(async () => {
      const range = new vscode.Range(0, 0, document.lineCount, 0);
      const found = await vscode.commands.executeCommand<vscode.InlayHint[]>(
        'vscode.executeInlayHintProvider',
        document.uri,
        range,
      );
      return found.length > 0 ? found : undefined;
    });
    assert.ok(hints.length > 0);
  });

  for (const query of ['', '7', '{"run":1,"task":2}', '{"run":"file:///nowhere","task":0}']) {
    test(`have no document at ${query || 'nothing'}`, async () => {
      const address = vscode.Uri.from({ scheme: 'hopscope-results', path: '/x.episode', query });
      await assert.rejects(async () => vscode.workspace.openTextDocument(address));
    });
  }

  test('of a run that goes on are still there', async () => {
    await vscode.commands.executeCommand('hopscope.openResults', second);
    await tab('Results p · second');
    appendFileSync(vscode.Uri.joinPath(second, 'steps.jsonl').fsPath, '{"type":"begin"');
    await vscode.commands.executeCommand('hopscope.restartServer');
    await vscode.commands.executeCommand('hopscope.openResults', second);
    assert.equal(tabs().filter((label) => label.startsWith('Results')).length, 1);
  });
});
