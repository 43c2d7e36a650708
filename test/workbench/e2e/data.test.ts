/** An environment whose data are not here yet, as a person meets it: told what is missing, asked, and then at work. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { hasShared, sharedFolder } from '../../support/vectors.ts';
import { Episode, patience } from './episode.ts';
import { Preview, textOf, wordsOf } from './preview.ts';
import { Workbench } from './workbench.ts';

const prompt = fs.readFileSync('prompts/two-hop/two-hop.step.md', 'utf8');

describe.skipIf(whyNoWorkbench() !== undefined || !hasShared)('data from outside', () => {
  let workbench: Workbench;
  let preview: Preview;
  let cache: string;

  beforeAll(async () => {
    cache = fs.mkdtempSync(path.join(os.tmpdir(), 'e2e-cache-'));
    process.env['HOPSCOPE_CACHE'] = cache;
    delete process.env['HOPSCOPE_DATA'];
    workbench = await Workbench.open(
      {
        'workbench.colorTheme': 'Default Dark Modern',
        'files.autoSave': 'off',
        'files.simpleDialog.enable': true,
      },
      { files: { 'questions.step.md': prompt } },
    );
    await workbench.page.setViewportSize({ width: 1600, height: 900 });
    preview = new Preview(workbench);
  });
  afterAll(async () => {
    await workbench?.close();
    fs.rmSync(cache, { recursive: true, force: true });
  });

  const choice = (label: string) => workbench.quickRows.filter({ hasText: label });

  test('the preview says what is missing and offers to get it', async () => {
    await workbench.openFile('questions.step.md');
    await workbench.editor
      .locator('.codelens-decoration a', { hasText: 'Preview' })
      .click({ timeout: 50_000 }); // what comes first waits for the server, too
    await preview.button('Get Data').waitFor();
    expect(await wordsOf(preview.frame.locator('.notice'))).toContain('are not on this machine');
    await workbench.screenshot('data, missing');
  });

  test('nothing is fetched before a person has said so', async () => {
    await preview.button('Get Data').click();
    await choice('Fetch').waitFor();
    expect(await textOf(choice('Fetch'))).toContain('5.6 MB from mbalesni/synthetic-two-hop');
    await workbench.screenshot('data, asked for');
    await workbench.page.keyboard.press('Escape');
    await choice('Fetch').waitFor({ state: 'hidden' });
    expect(fs.readdirSync(cache)).toEqual([]);
  });

  test('a folder that has them is as good', async () => {
    await preview.button('Get Data').click();
    await choice('Choose Folder').click();
    await workbench.quickInput.fill(`${sharedFolder}/data/`);
    // What is in the folder is listed once it is the one that is meant.
    await workbench.quickRows.filter({ hasText: 'two-hop' }).first().waitFor();
    await workbench.page
      .locator('.quick-input-widget a.monaco-button', { hasText: 'Use This Folder' })
      .click();
    await preview.text('user').waitFor();
    expect(await textOf(preview.text('user'))).toMatch(/^Consider /);
    expect(await preview.button('Get Data').count()).toBe(0);
    await workbench.screenshot('data, preview');
  });

  test('an episode is one reply, scored beside the prior', async () => {
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Step Episode' }).first().click();
    const episode = new Episode(workbench);
    await episode.find();
    await episode.choose('perfect');
    await episode.button('Step').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^Over: answered.*reward 1, correct$/);
    // What was asked, what was said, and how it was scored, all of it from the data.
    const shown = episode.frame.locator('.card.prompt .message pre').last();
    await episode.unfold('prompt');
    await expect.poll(() => textOf(shown), patience).toMatch(/\?/);
    const question = (await textOf(episode.frame.locator('.task'))).trim();
    expect(await textOf(shown)).toContain(question);
    const reply = (await textOf(episode.reply())).trim();
    const hops = episode.frame.locator('.card', { hasText: 'Hops' }).first();
    expect(reply).toContain((await textOf(hops.locator('tbody tr').last().locator('td').last())).trim());
    expect(await wordsOf(hops)).toContain('right:');
    const scored = episode.frame.locator('.card', { has: episode.frame.locator('h2', { hasText: 'Score' }) });
    expect(await scored.first().locator('tbody tr').count()).toBeGreaterThan(1);
    expect((await scored.allTextContents()).join(' ')).toContain('prior');
    await workbench.screenshot('data, episode');
  });

  test('the panel is in order in other themes, with long replies, and where it is narrow', async () => {
    const episode = new Episode(workbench);
    await episode.find();
    await episode.button('Restart').click();
    await expect.poll(() => episode.standing(), patience).toBe('After step 0, 1 reply left.');
    await episode.act(`ANSWER${'-and-on'.repeat(20)}`);
    await expect.poll(() => episode.standing(), patience).toMatch(/^Over:/);
    const remark = textOf(episode.frame.locator('.card.reply'));
    expect(await remark).not.toContain('No problems');
    await episode.button('Restart').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 0\b/);
    await episode.choose('most-common');
    await episode.button('Step').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^Over:/);
    await workbench.screenshot('two hops, panel, two branches');
    expect(await episode.violationsInOtherThemes(workbench.folder)).toEqual([]);
    await workbench.runCommand('View: Close Editors in Other Groups');
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench.page.setViewportSize({ width: 320, height: 1000 });
    await episode.find();
    await expect
      .poll(() => episode.frame.locator('html').evaluate(({ clientWidth }) => clientWidth), patience)
      .toBeGreaterThan(200);
    const room = () =>
      episode.frame.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await expect.poll(room, patience).toBeLessThanOrEqual(0);
    await workbench.screenshot('two hops, panel, 320');
  });
});
