/** An environment of one step in the real editor: its prompt, its instance, its transcript, its panel, and the comparison. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { Episode, patience } from './episode.ts';
import { Preview, textOf } from './preview.ts';
import { Workbench } from './workbench.ts';

const project = path.resolve(import.meta.dirname, '../../..');
const prompt = fs.readFileSync(path.join(project, 'prompts/log-compression/log-compression.step.md'), 'utf8');

/** A line that the log does not have, a critical one, and another with a bullet. */
const transcript = `---
format: 1
environment: log-compression
instance: hs1-logs-train-line_num-1
---

=== step 1
Here is what went wrong:
error[E0308]: mismatched types in src/http/invoice.rs:182:14
- error[E0502]: cannot borrow \`parcel\` as mutable, src/http/refund.rs:214
`;

describe.skipIf(whyNoWorkbench())('log compression', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await Workbench.open(
      { 'workbench.colorTheme': 'Default Dark Modern' },
      { files: { 'logs.step.md': prompt, 'logs.episode': transcript } },
    );
    await workbench.page.setViewportSize({ width: 1600, height: 1000 });
  });
  afterAll(() => workbench?.close());

  const lens = (text: string) => workbench.editor.locator('.codelens-decoration a', { hasText: text });

  test('the prompt is previewed on a log', async () => {
    await workbench.openFile('logs.step.md');
    await workbench.page.keyboard.press('Control+B');
    await workbench.runCommand('Hopscope: Preview to the Side');
    const preview = new Preview(workbench);
    await preview.text('user').waitFor({ timeout: 50_000 });
    await expect.poll(() => textOf(preview.text('user')), patience).toMatch(/Compressed log:\s*$/);
    await workbench.screenshot('logs, preview');
    await workbench.closeEditors();
  });

  test('critical lines are marked in the log', async () => {
    await workbench.pickInstance('Log compression', 'train', 81);
    await lens('critical line 1 of').first().waitFor();
    await workbench.screenshot('logs, instance');
    await workbench.closeEditors();
  });

  test('a transcript tells what was lost, and the reply is compared with the log', async () => {
    await workbench.openPath('logs.episode');
    await expect.poll(() => workbench.squiggled('warning'), patience).not.toEqual([]);
    await workbench.screenshot('logs, transcript');
    await lens('compare with what it was made from').click();
    const diff = workbench.page.locator('.monaco-diff-editor');
    await diff.waitFor();
    await diff.locator('.view-line', { hasText: 'Here' }).first().waitFor();
    await workbench.screenshot('logs, comparison');
    await workbench.closeEditors();
  });

  test('the panel says line by line what became of it', async () => {
    await workbench.openPath('logs.step.md');
    await lens('Step Episode').click({ timeout: 50_000 });
    const episode = new Episode(workbench);
    await episode.find();
    await episode.choose('count-suffix');
    await episode.button('Step').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^Over: answered after 1 step/);
    await workbench.screenshot('logs, panel');
    await episode.frame.getByRole('heading', { name: 'Output' }).scrollIntoViewIfNeeded();
    await workbench.screenshot('logs, panel, lines');
    expect(await episode.violations()).toEqual([]);
    // Another branch, which keeps all, beside it, and something that did not work.
    await episode.button('Restart').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 0\b/);
    await episode.choose('reference');
    await episode.button('Step').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^Over: answered after 1 step/);
    await workbench.screenshot('logs, panel, two branches');
    expect(await episode.violationsInOtherThemes(workbench.folder)).toEqual([]);
    await workbench.screenshot('logs, panel, light');
    await workbench.closeEditors();
  });
});
