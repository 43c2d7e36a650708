/** What a person sees of a transcript: what is wrong, how full the context is, what a name means, what to do next. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { Workbench } from './workbench.ts';

const patience = { timeout: 15_000 };

describe.skipIf(whyNoWorkbench())('a transcript', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await Workbench.open({ 'workbench.colorTheme': 'Default Dark Modern' });
  });
  afterAll(() => workbench?.close());

  /** Puts the cursor right after `text`, which stands on one line of the editor. */
  async function clickAfter(text: string): Promise<void> {
    await workbench.page.keyboard.press('Escape');
    await workbench.runCommand('View: Focus Active Editor Group');
    await workbench.page.keyboard.press('Control+F');
    await workbench.page.locator('.find-widget .find-part textarea').fill(text);
    await workbench.page.keyboard.press('Enter');
    await workbench.page.keyboard.press('Escape');
    await workbench.page.keyboard.press('ArrowRight');
  }

  /** Picks from the menu of code actions. */
  async function pickAction(title: string): Promise<void> {
    const action = workbench.page.locator('.action-widget .monaco-list-row.action', { hasText: title });
    await action.waitFor();
    // The menu takes clicks only after the mouse has moved over it.
    await action.hover({ force: true });
    await action.click();
  }

  test('has a squiggle below the read that does not fit, and gauges behind its steps', async () => {
    await workbench.openFile('too-much.episode');
    await expect.poll(() => workbench.squiggled('error'), patience).toEqual(['55']);
    await workbench.line('=== step 1').filter({ hasText: '344/600' }).waitFor();
    const lines = await workbench.editor.locator('.view-line').allInnerTexts();
    const shown = lines.map((line) => line.replaceAll('\u00a0', ' '));
    expect(shown.find((line) => line.startsWith('=== step 1'))).toMatch(/344\/600 tokens · reward 0$/);
    expect(shown.find((line) => line.startsWith('=== step 2'))).toMatch(/· end, reward -0\.5$/);
    await workbench.page.keyboard.press('Control+Shift+M');
    const row = workbench.page
      .locator('.markers-panel .monaco-list-row', { hasText: 'ceiling-exceeded' })
      .last();
    await row.waitFor();
    expect(((await row.textContent()) ?? '').replace(/\s+/g, ' ')).toContain(
      'Chunk 55 does not fit: 344 + 444 = 788 tokens, and the ceiling is 600. The episode ends here.',
    );
    await workbench.screenshot('transcript problems');
    await workbench.page.keyboard.press('Control+Shift+M');
  });

  test('explains a chunk where the cursor stands', async () => {
    await clickAfter('READ 55');
    await workbench.runCommand('Show or Focus Hover');
    const hover = workbench.page.locator('.monaco-editor .monaco-hover .hover-contents', {
      hasText: 'Elif Sakamoto – Hedda Falkner',
    });
    await hover.first().waitFor();
    expect(await hover.first().textContent()).toContain(
      '444 tokens, does not fit into the 256 that are free',
    );
    await workbench.screenshot('transcript hover');
    await workbench.page.keyboard.press('Escape');
  });

  test('is mended by the fix for a read that does not fit', async () => {
    await clickAfter('READ 55');
    await workbench.page.keyboard.press('Control+.');
    const actions = workbench.page.locator('.action-widget .monaco-list-row.action');
    await actions.filter({ hasText: 'Compress before this read' }).waitFor();
    await workbench.screenshot('transcript fixes');
    await pickAction('Compress before this read');
    await workbench.line('ACTION: COMPRESS 28 :: Vermilion Kestrel').waitFor();
    await expect.poll(() => workbench.squiggled('error'), patience).toEqual([]);
    await workbench.line('=== step 3').filter({ hasText: '451/600' }).waitFor();
    await workbench.page.keyboard.press('Control+S');
    await expect
      .poll(() => fs.readFileSync(path.join(workbench.folder, 'too-much.episode'), 'utf8'), patience)
      .toMatch(/=== step 2\nTHOUGHT: .*\nACTION: COMPRESS .*\n\n=== step 3\nACTION: READ 55\n$/);
  });

  test('proposes markers, verbs and chunks', async () => {
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type('\n=');
    const rows = workbench.page.locator('.suggest-widget.visible .monaco-list-row');
    await rows.filter({ hasText: '=== step 4' }).first().waitFor();
    await workbench.page.keyboard.press('Enter');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.keyboard.type('ACTION: ');
    await rows.filter({ hasText: 'ANSWER' }).first().waitFor();
    await workbench.page.keyboard.type('REA');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.keyboard.type(' ');
    await rows.filter({ hasText: 'Project Register' }).first().waitFor();
    await workbench.screenshot('transcript completion');
    await workbench.page.keyboard.press('Escape');
    await workbench.line('ACTION: READ').last().waitFor();
  });

  test('leads to the chunk in the instance', async () => {
    await clickAfter('READ 28');
    await workbench.page.keyboard.press('F12');
    await workbench.tab('hs1-train-17').waitFor();
    await workbench.line('[28] (344 tokens)').waitFor();
    await workbench.screenshot('transcript definition');
    await workbench.page.keyboard.press('Control+F4');
  });

  test('with hostile replies is the same file after an edit, undone, and a save', async () => {
    const file = path.join(workbench.folder, 'hostile.episode');
    const before = fs.readFileSync(file, 'utf8');
    await workbench.openFile('hostile.episode');
    await workbench.line('=== step 4').filter({ hasText: '0.95' }).waitFor();
    expect(await workbench.squiggled('error')).toEqual([]);
    expect(await workbench.squiggled('warning')).toEqual([]);
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type('x');
    await workbench.page.keyboard.press('Control+S');
    await expect.poll(() => fs.readFileSync(file, 'utf8'), patience).toBe(`${before}x`);
    await workbench.page.keyboard.press('Backspace');
    await workbench.page.keyboard.press('Control+S');
    await expect.poll(() => fs.readFileSync(file, 'utf8'), patience).toBe(before);
    await workbench.screenshot('transcript hostile');
  });

  test('begins from the palette', async () => {
    await workbench.runCommand('Hopscope: New Transcript…');
    await workbench.quickRows.filter({ hasText: 'train' }).first().click();
    await workbench.quickInput.fill('17');
    await workbench.page.keyboard.press('Enter');
    await workbench.tab('Untitled-1').waitFor();
    await workbench.line('=== step 1').filter({ hasText: '0/600 tokens' }).waitFor();
    await workbench.page.keyboard.press('Control+.');
    await pickAction('Replace by the minimal episode from here');
    await workbench.line('ACTION: ANSWER 7401').waitFor();
    await workbench.line('=== step 4').filter({ hasText: 'end, reward 0.95' }).waitFor();
  });

  test.each(['Light Modern', 'Dark High Contrast', 'Dark Modern'])('can be read in %s', async (theme) => {
    await workbench.openFile('too-much.episode');
    await workbench.runCommand('Preferences: Color Theme');
    await workbench.quickInput.fill(theme);
    await workbench.quickRows.filter({ hasText: theme }).first().click();
    await workbench.line('=== step 1').filter({ hasText: '344/600' }).waitFor();
    await workbench.screenshot(`transcript in ${theme}`);
  });
});
