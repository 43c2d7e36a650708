/** An environment of many turns in the real editor: its prompt, its instance, its transcript and its panel. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { Episode, patience } from './episode.ts';
import { Preview, textOf } from './preview.ts';
import { Workbench } from './workbench.ts';

const project = path.resolve(import.meta.dirname, '../../..');
const prompt = fs
  .readFileSync(path.join(project, 'prompts/inventory/inventory.step.md'), 'utf8')
  .replace('options: {}', 'options: { n_chunks: 3, chunk_size: 120, distractors: 3 }');

/** A turn that finds nothing, one whose block is not closed, one without any. */
const transcript = `---
format: 1
environment: inventory
instance: hs1-inv-train-0-c3-w60-d3
---

=== step 1
<answer>none</answer>

=== step 2
I keep it all in mind.
<answer>waxed-sieve

=== step 3
<answer>waxed-sieve</answer>
`;

describe.skipIf(whyNoWorkbench())('inventory', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await Workbench.open(
      { 'workbench.colorTheme': 'Default Dark Modern' },
      { files: { 'stock.step.md': prompt, 'stock.episode': transcript } },
    );
    await workbench.page.setViewportSize({ width: 1600, height: 1000 });
  });
  afterAll(() => workbench?.close());

  const lens = (text: string) => workbench.editor.locator('.codelens-decoration a', { hasText: text });

  test('the prompt is previewed on a chunk', async () => {
    await workbench.openFile('stock.step.md');
    await workbench.page.keyboard.press('Control+B');
    await workbench.runCommand('Hopscope: Preview to the Side');
    const preview = new Preview(workbench);
    await preview.text('user').waitFor({ timeout: 50_000 });
    await expect.poll(() => textOf(preview.text('user')), patience).toMatch(/Chunk 1 of 3\./);
    await workbench.screenshot('inventory, preview');
    await workbench.closeEditors();
  });

  test('operations are marked in the instance', async () => {
    await workbench.pickInstance('Distributed Inventory', 'train', 0);
    await lens('operation 1 of 5').first().waitFor();
    await workbench.screenshot('inventory, instance');
    await workbench.closeEditors();
  });

  test('a transcript names the operations that were missed, and what is malformed', async () => {
    await workbench.openPath('stock.episode');
    await expect.poll(() => workbench.squiggled('error'), patience).not.toEqual([]);
    await workbench.screenshot('inventory, transcript');
    await workbench.closeEditors();
  });

  test('the panel shows what is carried beside what is true', async () => {
    await workbench.openPath('stock.step.md');
    await lens('Step Episode').click({ timeout: 50_000 });
    const episode = new Episode(workbench);
    await episode.find();
    await episode.choose('append-only');
    for (let turn = 1; turn <= 3; turn++) {
      await episode.button('Step').click();
      await expect
        .poll(() => episode.standing(), patience)
        .toMatch(turn === 3 ? /^Over: answered/ : new RegExp(`${turn}`));
    }
    await workbench.screenshot('inventory, panel');
    await episode.frame.getByRole('heading', { name: /Reported and true/ }).scrollIntoViewIfNeeded();
    await workbench.screenshot('inventory, panel, turns');
    expect(await episode.violations()).toEqual([]);
    await episode.button('Restart').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 0\b/);
    await episode.act('<answer>none</answer>');
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 1\b/);
    await episode.choose('append-only');
    await episode.button('Run to End').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^Over:/);
    expect(await episode.violationsInOtherThemes(workbench.folder)).toEqual([]);
    await workbench.screenshot('inventory, panel, light');
  });
});
