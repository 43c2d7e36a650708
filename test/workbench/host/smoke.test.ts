import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';

suite('extension', () => {
  test('is there and starts', async () => {
    const extension = vscode.extensions.getExtension('hopscope.hopscope');
    assert.ok(extension);
    await extension.activate();
    assert.ok(extension.isActive);
  });
  test('knows its languages', async () => {
    const languages = await vscode.languages.getLanguages();
    assert.ok(languages.includes('hopscope-episode'));
  });
});
