import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import manifest from '../../../package.json' with { type: 'json' };

suite('extension', () => {
  test('starts', async () => {
    const extension = vscode.extensions.getExtension(`${manifest.publisher}.${manifest.name}`);
    assert.ok(extension);
    await extension.activate();
    assert.ok(extension.isActive);
  });

  test('every command it contributes is there', async () => {
    const known = await vscode.commands.getCommands(true);
    for (const { command } of manifest.contributes.commands) assert.ok(known.includes(command), command);
  });
});
