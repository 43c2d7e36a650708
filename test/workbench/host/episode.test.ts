/** Episode panels in a real extension host: from what they open, and what they are called. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { suite, suiteTeardown, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import type { Played } from '../../../client/src/runs/active.ts';
import type { EvalChoice } from '../../../client/src/runs/choice.ts';
import { closeAll, eventually, showUntitled } from './kit.ts';

const [folder] = vscode.workspace.workspaceFolders ?? [];
const base = folder?.uri.fsPath ?? '';
const outputs = path.join(base, 'outputs');
const instance = 'hopscope:/navigator/train/3/hs1-train-3.hopscope-instance';

function labels(): string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
}

/** Waits for a tab whose label is `label`. */
function tab(label: string): Promise<true> {
  return eventually(() => (labels().includes(label) ? true : undefined));
}

const open = (target?: unknown) => vscode.commands.executeCommand('hopscope.openEpisode', target);

suite('episodes', () => {
  teardown(async () => {
    await closeAll();
  });
  suiteTeardown(() => fs.rmSync(outputs, { recursive: true, force: true }));

  test('open from the address of an instance, and from a row of the Instances view', async () => {
    await open(instance);
    await tab('hs1-train-3 · navigator');
    await closeAll();
    await open({ kind: 'instance', row: { uri: instance } });
    await tab('hs1-train-3 · navigator');
  });

  test('open from the transcript in the active editor', async () => {
    await showUntitled(
      'hopscope-episode',
      '---\nformat: 1\nenvironment: navigator\ninstance: hs1-train-0\n---\n\n=== step 1\nACTION: READ 1\n',
    );
    await open();
    await tab('hs1-train-0');
  });

  test('open from an episode of a run', async () => {
    const choice: EvalChoice = {
      prompts: [path.join(base, 'terse.step.md')],
      agent: { policy: 'oracle' },
      instances: { split: 'train' },
      count: 2,
    };
    const played = await vscode.commands.executeCommand<Played>('hopscope.runEval', undefined, choice);
    const [run = ''] = played.folders;
    await open({ run: vscode.Uri.file(run).toString(), task: 1 });
    await eventually(() => (labels().some((label) => label.startsWith('hs1-train-1')) ? true : undefined));
  });

  test('several are open side by side', async () => {
    await open(instance);
    await open(instance);
    await eventually(() =>
      labels().filter((label) => label === 'hs1-train-3 · navigator').length === 2 ? true : undefined,
    );
  });

  test('what is nothing is told of and opens nothing', async () => {
    const before = labels().length;
    await open({ run: vscode.Uri.file('/nowhere').toString(), task: 0 });
    // A panel says why there is nothing to see.
    await eventually(() => (labels().length === before + 1 ? true : undefined));
    assert.ok(labels().includes('Episode 0'));
  });
});
