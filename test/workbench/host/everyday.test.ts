/** What happens to files and servers on any day: renamed, deleted, large, without a name, killed. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { suite, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { smallInstance } from '../../support/small-instance.ts';
import { closeAll, eventually, hasProblems, showUntitled } from './kit.ts';

const front = '---\nformat: 1\nenvironment: navigator\ninstance: hs1-train-17\n---\n';
const wrong = `${front}=== step 1\nACTION: READ S1\n`;
const said = ['error action.read-needs-chunk |S1|'];

/** A file of the folder that is open; made with `text` if that is given. */
async function file(name: string, text?: string): Promise<vscode.Uri> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uri = vscode.Uri.joinPath(folder.uri, name);
  if (text !== undefined) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

async function show(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

/** What is said about an address, whether or not it is open. */
function codesOf(uri: vscode.Uri): string[] {
  return vscode.languages.getDiagnostics(uri).map(({ code }) => String(code));
}

async function replace(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const start = document.getText().indexOf(from);
  assert.notEqual(start, -1);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + from.length));
  edit.replace(document.uri, range, to);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** The language server's process: a child of the extension host, in which these tests run. Linux only. */
function serverProcess(): number | undefined {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const parent = /^PPid:\s+(\d+)$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return parent === String(process.pid) && /\/dist\/server\.js\0/.test(command);
      } catch {
        return false; // it ended while we looked
      }
    });
}

suite('everyday', () => {
  teardown(async () => {
    await closeAll();
  });

  test('problems go with a file that is renamed while it is open', async () => {
    const before = await file('before.episode', wrong);
    const after = await file('after.episode');
    await hasProblems(await show(before), said);
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(before, after, { overwrite: true });
    assert.ok(await vscode.workspace.applyEdit(edit));
    await hasProblems(await vscode.workspace.openTextDocument(after), said);
    await eventually(() => (codesOf(before).length === 0 ? true : undefined));
  });

  test('a file that gets a name of another language is another language', async () => {
    const text = await file('draft.txt', wrong);
    const transcript = await file('draft.episode');
    const plain = await show(text);
    assert.equal(plain.languageId, 'plaintext');
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(text, transcript, { overwrite: true });
    assert.ok(await vscode.workspace.applyEdit(edit));
    await hasProblems(await show(transcript), said);
  });

  test('a language that is chosen by hand counts', async () => {
    const document = await show(await file('chosen.txt', wrong));
    await vscode.languages.setTextDocumentLanguage(document, 'hopscope-episode');
    await eventually(() => (codesOf(document.uri).length > 0 ? true : undefined));
    const chosen = await vscode.workspace.openTextDocument(document.uri);
    await hasProblems(chosen, said);
    await vscode.languages.setTextDocumentLanguage(chosen, 'plaintext');
    await eventually(() => (codesOf(document.uri).length === 0 ? true : undefined));
  });

  test('problems of a file that is deleted while it is open go with its editor', async () => {
    const uri = await file('deleted.episode', wrong);
    await hasProblems(await show(uri), said);
    await vscode.workspace.fs.delete(uri);
    await closeAll();
    await eventually(() => (codesOf(uri).length === 0 ? true : undefined));
  });

  test('a document without a file is checked, and told that it has no folder', async () => {
    const text = wrong.replace('hs1-train-17', 'train-1\ninstances: mine.jsonl');
    const document = await showUntitled('hopscope-episode', text);
    await eventually(() =>
      codesOf(document.uri).includes('transcript.unknown-instance') ? true : undefined,
    );
    await hasProblems(document, said);
    const prompt = await showUntitled('hopscope-prompt', 'user:\n{{questoin}}\n');
    await eventually(() => (codesOf(prompt.uri).includes('front-matter.missing-block') ? true : undefined));
  });

  test('a transcript follows when the file of its instance comes', async () => {
    const text = wrong.replace('hs1-train-17', 'train-small\ninstances: small.jsonl').replace('S1', '99');
    const document = await show(await file('small.episode', text));
    await eventually(() =>
      codesOf(document.uri).includes('transcript.unknown-instance') ? true : undefined,
    );
    await file('small.jsonl', `${JSON.stringify(smallInstance)}\n`);
    await eventually(() => (codesOf(document.uri).includes('navigator.no-such-chunk') ? true : undefined));
  });

  test('a transcript of more than a megabyte is checked as it is typed', async () => {
    const thought = 'THOUGHT: Vermilion Kestrel must be in chunk 28, and what I hold is all I know.\n';
    const text = `${front}=== step 1\n${thought.repeat(20_000)}ACTION: READ 28\n\n=== step 2\nACTION: READ S1\n`;
    assert.ok(text.length > 1_500_000);
    const document = await show(await file('large.episode', text));
    await hasProblems(document, said);
    await replace(document, 'READ S1', 'FETCH 1');
    await hasProblems(document, ['error action.unknown-verb |FETCH|']);
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    assert.equal(symbols.filter(({ name }) => /^\d/.test(name)).length, 2);
    await vscode.workspace.saveAll();
  });

  test('everything comes back when the server is killed', async function () {
    if (process.platform !== 'linux') this.skip();
    const document = await showUntitled('hopscope-episode', `${front}=== step 1\nACTION: READ 28\n`);
    const hover = async () => {
      const at = new vscode.Position(6, 14);
      const found = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        at,
      );
      return found.length > 0 ? true : undefined;
    };
    await eventually(hover);
    const pid = await eventually(serverProcess);
    process.kill(pid, 'SIGKILL');
    const next = await eventually(() => {
      const now = serverProcess();
      return now === pid ? undefined : now;
    });
    assert.notEqual(next, pid);
    // Text that was opened and typed before the new server came is known to it.
    await replace(document, 'READ 28', 'READ S1');
    await hasProblems(document, said);
    await replace(document, 'READ S1', 'READ 28');
    await hasProblems(document, []);
    await eventually(hover);
  });
});
