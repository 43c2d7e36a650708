/** An environment of tool calls in the real editor: its prompt, its task, and its panel. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { Episode, patience } from './episode.ts';
import { Preview, textOf } from './preview.ts';
import { Workbench } from './workbench.ts';

const project = path.resolve(import.meta.dirname, '../../..');
const prompt = fs.readFileSync(path.join(project, 'prompts/serving/serving.step.md'), 'utf8');

describe.skipIf(whyNoWorkbench())('serving', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await Workbench.open(
      { 'workbench.colorTheme': 'Default Dark Modern' },
      { files: { 'serve.step.md': prompt } },
    );
    await workbench.page.setViewportSize({ width: 1600, height: 1000 });
  });
  afterAll(() => workbench?.close());

  const lens = (text: string) => workbench.editor.locator('.codelens-decoration a', { hasText: text });

  test('the prompt is previewed on a task', async () => {
    await workbench.openFile('serve.step.md');
    await workbench.page.keyboard.press('Control+B');
    await workbench.runCommand('Hopscope: Preview to the Side');
    const preview = new Preview(workbench);
    await preview.text('user').waitFor({ timeout: 50_000 });
    await expect.poll(() => textOf(preview.text('user')), patience).toMatch(/Current timestamp: 12/);
    await workbench.screenshot('serving, preview');
    await workbench.closeEditors();
  });

  test('the panel shows calls, what they changed, and what holds', async () => {
    await workbench.openPath('serve.step.md');
    await lens('Step Episode').click({ timeout: 50_000 });
    const episode = new Episode(workbench);
    await episode.find();
    await episode.choose('oracle');
    await episode.button('Step').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/1/);
    await workbench.screenshot('serving, panel, first call');
    for (let turn = 2; turn <= 8 && !/^Over/.test(await episode.standing()); turn++) {
      await episode.button('Step').click();
      await expect.poll(() => episode.standing(), patience).toMatch(new RegExp(`^Over|${turn}`));
    }
    expect(await episode.standing()).toMatch(/^Over: finished/);
    await workbench.screenshot('serving, panel, over');
    await episode.frame.getByRole('heading', { name: /Hidden policy/ }).scrollIntoViewIfNeeded();
    await workbench.screenshot('serving, panel, hidden policy');
    expect(await episode.violations()).toEqual([]);
  });
});
