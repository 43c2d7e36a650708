import assert from 'node:assert/strict';
import { suite, suiteTeardown, test } from 'mocha';
import * as vscode from 'vscode';
import { closeAll, eventually } from './kit.ts';

const address = vscode.Uri.parse('hopscope:/navigator/ood_test/3/hs1-ood_test-3.hopscope-instance');

/** Opens the instance and waits until the server knows it. */
async function open(): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(address);
  await vscode.window.showTextDocument(document);
  await eventually(async () => ((await lenses()).length > 1 ? true : undefined));
  return document;
}

async function lenses(): Promise<string[]> {
  const found = await vscode.commands.executeCommand<vscode.CodeLens[] | undefined>(
    'vscode.executeCodeLensProvider',
    address,
    100,
  );
  return (found ?? []).map(({ command }) => command?.title ?? '');
}

/** Where a name stands in the document, a character into it. */
function inside(document: vscode.TextDocument, text: string): vscode.Position {
  return document.positionAt(document.getText().indexOf(text) + 1);
}

suite('features of instances', () => {
  suiteTeardown(async () => {
    await closeAll();
  });

  test('hover, definition, references and highlights follow the links', async () => {
    const document = await open();
    const link = inside(document, 'Sanna Palermo [');
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      address,
      link,
    );
    const said = hovers.flatMap(({ contents }) =>
      contents.map((one) => (typeof one === 'string' ? one : one.value)),
    );
    assert.match(said.join('\n'), /Sanna Palermo.*person.*chunk 12[\s\S]*Evidence/);

    const [definition] = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
      'vscode.executeDefinitionProvider',
      address,
      link,
    );
    assert.ok(definition);
    const range = 'range' in definition ? definition.range : definition.targetRange;
    assert.match(document.lineAt(range.start.line).text, /^Sanna Palermo — /);

    const references = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      address,
      link,
    );
    const names = references.map((reference) => document.getText(reference.range));
    assert.ok(names.length > 1);
    assert.deepEqual(new Set(names), new Set(['Sanna Palermo']));
    const highlights = await vscode.commands.executeCommand<vscode.DocumentHighlight[]>(
      'vscode.executeDocumentHighlights',
      address,
      link,
    );
    assert.ok(highlights.length >= references.length);
  });

  test('a lens jumps to the next hop', async () => {
    const document = await open();
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      address,
      100,
    );
    const command = found.find((lens) => lens.command?.title.startsWith('hop 2 of 4 → '))?.command;
    assert.ok(command);
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
    const line = vscode.window.activeTextEditor?.selection.active.line ?? -1;
    assert.match(document.lineAt(line).text, /^Emergent Analytics — /);
  });

  test('semantic tokens, inlay hints and workspace symbols are there', async () => {
    const document = await open();
    const legend = await vscode.commands.executeCommand<vscode.SemanticTokensLegend>(
      'vscode.provideDocumentSemanticTokensLegend',
      address,
    );
    assert.ok(legend.tokenModifiers.includes('evidence'));
    const tokens = await vscode.commands.executeCommand<vscode.SemanticTokens>(
      'vscode.provideDocumentSemanticTokens',
      address,
    );
    assert.ok(tokens.data.length > 1000);
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider',
      address,
      whole,
    );
    assert.ok(hints.some(({ label }) => /^of 600, leaves \d+$/.test(String(label))));
    const symbols = await vscode.commands.executeCommand<vscode.SymbolInformation[]>(
      'vscode.executeWorkspaceSymbolProvider',
      'Sanna Palermo',
    );
    assert.ok(symbols.some(({ name }) => name === 'Sanna Palermo'));
  });

  test('spoilers are hidden by the command, and shown again', async () => {
    await open();
    assert.ok((await lenses()).some((title) => title.startsWith('answer: ')));
    await vscode.commands.executeCommand('hopscope.toggleSpoilers');
    await eventually(async () =>
      (await lenses()).some((title) => /hop|answer/.test(title)) ? undefined : true,
    );
    await vscode.commands.executeCommand('hopscope.toggleSpoilers');
    await eventually(async () =>
      (await lenses()).some((title) => title.startsWith('answer: ')) ? true : undefined,
    );
    const configuration = vscode.workspace.getConfiguration('hopscope');
    await configuration.update('spoilers', undefined, vscode.ConfigurationTarget.Global);
  });

  test('come back after the server was started anew', async () => {
    await open();
    await vscode.commands.executeCommand('hopscope.restartServer');
    await eventually(async () =>
      (await lenses()).some((title) => title.startsWith('hop 1 of 4')) ? true : undefined,
    );
  });
});
