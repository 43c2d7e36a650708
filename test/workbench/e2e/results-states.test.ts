/** Results that are out of the ordinary: very many, none at all, of other programs, gone, and as tests. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { wordsOf } from './preview.ts';
import { manyEpisodes, PageInEditor, writeRuns } from './results-page.ts';
import { Workbench } from './workbench.ts';

const patience = { timeout: 15_000 };

describe.skipIf(whyNoWorkbench())('results', () => {
  let workbench: Workbench;
  let page: PageInEditor;
  let runs: ReturnType<typeof writeRuns>;

  beforeAll(async () => {
    workbench = await Workbench.open(
      {
        'editor.minimap.enabled': false,
        'workbench.colorTheme': 'Default Dark Modern',
        'explorer.compactFolders': false,
      },
      { files: { 'many/traces.jsonl': manyEpisodes(10_000) } },
    );
    runs = writeRuns(workbench.folder);
    page = new PageInEditor(workbench);
  });
  afterAll(() => workbench?.close());

  /** Opens a run by a file of its folder, from the menu of the explorer. */
  async function openFromExplorer(folder: string, file: string): Promise<void> {
    await workbench.page.keyboard.press('Control+Shift+E');
    const rows = workbench.page.locator('.explorer-folders-view .monaco-list-row');
    const row = rows.filter({ hasText: file }).last();
    await rows.filter({ hasText: folder }).first().click();
    await workbench.page.keyboard.press('ArrowRight'); // opens it, if the click has not
    await row.waitFor();
    await row.click({ button: 'right' });
    await workbench.page.locator('.monaco-menu .action-item', { hasText: 'Open Results' }).first().hover();
    await workbench.page.keyboard.press('Enter');
  }

  test('of 10,000 episodes are scrolled through, a few rows at a time on the page', async () => {
    await openFromExplorer('many', 'traces.jsonl');
    await expect.poll(() => page.found(), { timeout: 30_000 }).toBe('10,000 episodes');
    await workbench.screenshot('results of another program');
    await page.frame.locator('.table').focus();
    await workbench.page.keyboard.press('End');
    await expect.poll(() => wordsOf(page.row(9999)), patience).toContain('i-9999');
    expect(await page.rows.count()).toBeLessThan(80);
    // However far and fast one scrolls, rows come in time and none is blank in the end.
    const slowest = await page.frame.locator('.table').evaluate(async (table) => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      let longest = 0;
      for (let at = 0; at < 120; at++) {
        const before = performance.now();
        table.scrollTop = (table.scrollHeight * at) / 120;
        await frame();
        longest = Math.max(longest, performance.now() - before);
      }
      return longest;
    });
    console.log(`longest frame while scrolling: ${slowest.toFixed(0)} ms`);
    await expect
      .poll(
        () => page.rows.evaluateAll((rows) => rows.filter((it) => it.textContent?.includes('…')).length),
        patience,
      )
      .toBe(0);
    await page.frame.getByRole('searchbox').fill('i-77');
    await expect.poll(() => page.found(), patience).toMatch(/^111 episodes/);
    await expect.poll(() => wordsOf(page.row(0)), patience).toContain('1 step · ');
    await page.row(0).click();
    await page.details.locator('pre', { hasText: 'READ 1' }).waitFor();
    await page.details.getByText('steps are shown without what they did').waitFor();
    expect(await page.button('Step through').count()).toBe(0);
    await workbench.screenshot('results of many');
  });

  test('of a run that has gone say so', async () => {
    await page.openFromView('careful');
    await expect.poll(() => page.found(), patience).toBe('24 episodes');
    const aside = `${runs.second}-aside`;
    fs.renameSync(runs.second, aside);
    await workbench.runCommand('Hopscope: Restart Language Server');
    await page.frame.getByText('There is no run').waitFor();
    await workbench.screenshot('results gone');
    fs.renameSync(aside, runs.second);
    await workbench.runCommand('Hopscope: Restart Language Server');
    await expect.poll(() => page.found(), { timeout: 30_000 }).toBe('24 episodes');
  });

  test('of a run that has not begun say so', async () => {
    const file = path.join(runs.second, 'steps.jsonl');
    const text = fs.readFileSync(file);
    fs.writeFileSync(file, '');
    await page.frame.getByText('No episode of the run has begun.').waitFor();
    expect(await page.violations()).toEqual([]);
    await workbench.screenshot('results empty');
    fs.writeFileSync(file, text);
    await expect.poll(() => page.found(), patience).toBe('24 episodes');
  });

  test('of a finished run are tests that say why they failed', async () => {
    fs.writeFileSync(path.join(runs.first, 'metadata.json'), '{}');
    await workbench.page.locator('.activitybar .action-item a[aria-label^="Testing"]').click();
    const items = workbench.page.locator('.test-explorer .monaco-list-row');
    await items.filter({ hasText: 'p · hasty' }).first().waitFor();
    await items.filter({ hasText: 'p · hasty' }).first().click();
    await workbench.page.keyboard.press('ArrowRight');
    await items.filter({ hasText: 'hs1-id_test-1' }).first().waitFor();
    expect(await wordsOf(items.filter({ hasText: 'gave-up at step 2' }).first())).toContain('hs1-id_test-');
    await workbench.screenshot('results as tests');
    await items.filter({ hasText: 'gave-up at step 2' }).first().dblclick();
    await workbench.line('=== step 2').waitFor();
    await expect
      .poll(() => workbench.page.locator('.statusbar-item', { hasText: /^Ln \d+/ }).textContent(), patience)
      .not.toContain('Ln 1,');
    await workbench.screenshot('results test failure');
  });
});
