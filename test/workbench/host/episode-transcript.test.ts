/** The transcript beside a panel in a real extension host: what a person writes there stays. */
import assert from 'node:assert/strict';
import { suite, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { TranscriptBeside } from '../../../client/src/episodes/transcript.ts';
import { closeAll, eventually } from './kit.ts';

/** A panel with a branch that is followed when its text begins with OWN. */
class Panel {
  branch = 'OWN\n=== step 1\nA\n';
  readonly reasons: (string | null)[] = [];
  /** What came of texts to be followed; each is answered when it is called. */
  readonly asked: string[] = [];
  readonly beside = new TranscriptBeside({
    print: async () => this.branch,
    follow: async (text) => {
      this.asked.push(text);
      if (!text.startsWith('OWN')) return 'It is of no instance.';
      this.branch = text;
      return null;
    },
    go: async () => {},
    isOwn: (text) => text.startsWith('OWN'),
    stoodApart: (reason) => this.reasons.push(reason),
    remember: () => {},
  });

  async opened(): Promise<vscode.TextDocument> {
    await this.beside.open();
    return eventually(() =>
      vscode.workspace.textDocuments.find(
        (document) => document.isUntitled && document.getText() === this.branch,
      ),
    );
  }

  /** The panel takes a step. */
  async step(): Promise<void> {
    this.branch += '=== step 2\nB\n';
    await this.beside.show(2);
  }
}

async function write(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const end = document.positionAt(document.getText().length);
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  await vscode.workspace.applyEdit(edit);
}

suite('episode transcripts', () => {
  teardown(async () => {
    await closeAll();
  });

  test('a text that is not followed stays, whatever the panel does, and so does the notice', async () => {
    const panel = new Panel();
    const document = await panel.opened();
    await panel.step();
    await eventually(() => (document.getText() === panel.branch ? true : undefined));
    await write(document, 'My own notes.\n');
    await eventually(() => panel.reasons.at(-1) ?? undefined);
    await panel.step();
    await panel.step();
    assert.equal(document.getText(), 'My own notes.\n');
    assert.equal(panel.beside.apart, 'It is of no instance.');
    assert.deepEqual(panel.reasons, ['It is of no instance.']);
    // Mended, it is followed again, and follows.
    await write(document, 'OWN\nmended\n');
    await eventually(() => (panel.beside.apart === null ? true : undefined));
    await eventually(() => (panel.branch === 'OWN\nmended\n' ? true : undefined));
    await panel.step();
    await eventually(() => (document.getText() === panel.branch ? true : undefined));
    assert.deepEqual(panel.reasons, ['It is of no instance.', null]);
    panel.beside.dispose();
  });

  test('what is taken back is followed as before', async () => {
    const panel = new Panel();
    const document = await panel.opened();
    const before = document.getText();
    await write(document, 'Something else.\n');
    await eventually(() => panel.reasons.at(-1) ?? undefined);
    await write(document, before);
    assert.equal(panel.beside.apart, null);
    await panel.step();
    await eventually(() => (document.getText() === panel.branch ? true : undefined));
    panel.beside.dispose();
  });
});
