/** The results of runs as a person sees them: figures, table, details, transcripts, comparisons and tests. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { textOf, wordsOf } from './preview.ts';
import { PageInEditor, writeRuns } from './results-page.ts';
import { Workbench } from './workbench.ts';

const patience = { timeout: 15_000 };

const themes = {
  'Default Light Modern': 'vscode-light',
  'Default High Contrast': 'vscode-high-contrast',
  'Default High Contrast Light': 'vscode-high-contrast-light',
  'Default Dark Modern': 'vscode-dark',
} as const;

/** Settings that leave the room to the editors. */
const roomy = { 'editor.minimap.enabled': false, 'workbench.colorTheme': 'Default Dark Modern' };

describe.skipIf(whyNoWorkbench())('results', () => {
  let workbench: Workbench;
  let page: PageInEditor;
  let runs: ReturnType<typeof writeRuns>;

  beforeAll(async () => {
    workbench = await Workbench.open(roomy);
    runs = writeRuns(workbench.folder);
    page = new PageInEditor(workbench);
    await page.openFromView('hasty');
    await workbench.page.keyboard.press('Control+B');
  });
  afterAll(() => workbench?.close());

  async function setTheme(theme: keyof typeof themes): Promise<void> {
    const settings = path.join(workbench.folder, '.vscode/settings.json');
    fs.mkdirSync(path.dirname(settings), { recursive: true });
    fs.writeFileSync(settings, JSON.stringify({ 'workbench.colorTheme': theme }));
    await page.frame.locator(`body.${themes[theme]}`).waitFor();
  }

  test('figures say what they stand for', async () => {
    const tiles = page.frame.locator('.tile');
    await tiles.first().waitFor();
    const text = await wordsOf(page.frame.locator('.tiles'));
    expect(text).toContain('Reward per episode');
    expect(text).toContain('Reward, weighted by steps');
    for (const tile of (await tiles.allTextContents()).slice(0, 3)) {
      expect(tile).toContain('24 requested / 22 scored / 2 errored');
    }
    expect(await page.found()).toBe('24 episodes');
    expect(await wordsOf(page.row(0))).toMatch(/hs1-id_test-0 \d Correct 0\.9\d\d \d+ \/ \d+/);
    await workbench.screenshot('results');
  });

  test('the table is sorted', async () => {
    await page.button('Reward').click();
    await expect.poll(() => wordsOf(page.row(0)), patience).toContain('Wrong 0.000');
    await page.button('Reward').click();
    await expect.poll(() => wordsOf(page.row(0)), patience).toContain('Correct 0.9');
    await expect
      .poll(() => page.frame.locator('[aria-sort="descending"]').textContent(), patience)
      .toContain('Reward');
    await expect.poll(() => wordsOf(page.row(23)), patience).toContain('Errored');
  });

  test('the table is filtered', async () => {
    await page.choose('Cause', /gave-up/);
    await expect.poll(() => page.found(), patience).toMatch(/^5 episodes, 5 scored, reward 0\.000$/);
    await page.frame.getByRole('searchbox').fill('id_test-13');
    await expect.poll(() => page.found(), patience).toMatch(/^1 episode,/);
    await page.frame.getByRole('searchbox').fill('nowhere');
    await page.frame.getByText('No episode is like that').waitFor();
    await workbench.screenshot('results nothing found');
    await page.button('Clear filters').click();
    await expect.poll(() => page.found(), patience).toBe('24 episodes');
    await page.choose('Outcome', /Errored/);
    await expect.poll(() => page.found(), patience).toBe('2 episodes');
    await page.button('Clear filters').click();
    await page.choose('Hops', /^2/);
    await expect.poll(() => page.found(), patience).toMatch(/^\d+ episodes, \d+ scored/);
    await page.button('Clear filters').click();
  });

  test('keys lead through the table, into an episode and back', async () => {
    await page.button('Instance').click();
    await page.frame.locator('.table').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) {
      await workbench.page.keyboard.press(key);
    }
    await expect.poll(() => wordsOf(page.frame.locator('.row.chosen')), patience).toContain('hs1-id_test-1 ');
    await workbench.page.keyboard.press('Enter');
    await expect.poll(() => page.frame.locator(':focus').textContent(), patience).toBe('hs1-id_test-1');
    await workbench.page.keyboard.press('Escape');
    await expect
      .poll(() => page.frame.locator(':focus').getAttribute('aria-label'), patience)
      .toBe('Episodes');
    await workbench.page.keyboard.press('End');
    await expect.poll(() => wordsOf(page.frame.locator('.row.chosen')), patience).toContain('hs1-id_test-23');
    await workbench.page.keyboard.press('Home');
    await expect.poll(() => wordsOf(page.frame.locator('.row.chosen')), patience).toContain('hs1-id_test-0 ');
  });

  test('an episode is told step by step', async () => {
    await page.row(1).click();
    const step = page.details.locator('.step.decisive');
    await step.waitFor();
    expect(await wordsOf(page.details.locator('.cause'))).toMatch(/^gave-up, step 2 /);
    expect(await wordsOf(step.locator('h3'))).toBe('Step 2 · ANSWER unknown Cause seen here');
    expect(await textOf(step.locator('pre').last())).toContain('<img src=x onerror=');
    expect(await page.frame.locator('.details img, .details b').count()).toBe(0);
    const first = page.details.locator('.step').first();
    expect(await wordsOf(first)).toMatch(/tokens in use/);
    await first.locator('summary', { hasText: 'Prompt, 2 messages' }).click();
    await first.locator('pre', { hasText: 'Answer.' }).waitFor();
    await first.locator('pre', { hasText: 'What' }).first().waitFor();
    await workbench.screenshot('results episode');
  });

  test('axe finds nothing grave', async () => {
    expect(await page.violations()).toEqual([]);
    await page.frame.getByRole('tab', { name: 'Figures' }).click();
    await page.frame.locator('.lines').waitFor(patience);
    expect(await page.violations()).toEqual([]);
    await workbench.screenshot('results figures');
    await page.frame.getByRole('tab', { name: 'Episodes' }).click();
  });

  test('a cause leads from its plot to its episodes', async () => {
    await page.frame.getByRole('tab', { name: 'Figures' }).click();
    await page.button('gave-up').click();
    await expect.poll(() => page.found(), patience).toMatch(/^5 episodes/);
    await page.button('Clear filters').click();
  });

  test.each(Object.keys(themes) as (keyof typeof themes)[])('looks right in %s', async (theme) => {
    await setTheme(theme);
    await page.row(1).click();
    await page.details.locator('.step').first().waitFor();
    expect(await page.violations()).toEqual([]);
    await workbench.screenshot(`results ${theme}`);
    await page.frame.getByRole('tab', { name: 'Figures' }).click();
    await page.frame.locator('.lines').waitFor();
    await workbench.screenshot(`results figures ${theme}`);
    await page.frame.getByRole('tab', { name: 'Episodes' }).click();
  });

  test('is there again after a reload, with what was looked at', async () => {
    await page.choose('Cause', /gave-up/);
    await page.row(1).click();
    await page.details.locator('h2', { hasText: 'hs1-id_test-5' }).waitFor();
    const reloaded = workbench.page.waitForEvent('load');
    await workbench.runCommand('Developer: Reload Window');
    await reloaded;
    await workbench.page.waitForSelector('.monaco-workbench .part.statusbar .statusbar-item');
    const heading = page.details.locator('h2', { hasText: 'hs1-id_test-5' });
    await expect.poll(() => heading.count(), { timeout: 30_000 }).toBe(1);
    await expect.poll(() => page.found(), patience).toMatch(/^5 episodes/);
    await page.button('Clear filters').click();
  });

  test('all is in sight at 400 pixels', async () => {
    await workbench.page.setViewportSize({ width: 400, height: 860 });
    await expect
      .poll(() => page.frame.locator('html').evaluate(({ clientWidth }) => clientWidth), patience)
      .toBeLessThanOrEqual(400);
    const widths = await page.frame
      .locator('html')
      .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    expect(widths.scrollWidth).toBeLessThanOrEqual(widths.clientWidth);
    await workbench.screenshot('results 400 episode');
    await page.button('Back to the table').click();
    await page.frame.locator('.table.narrow').waitFor();
    await workbench.screenshot('results 400');
    await page.frame.getByRole('tab', { name: 'Figures' }).click();
    await workbench.screenshot('results 400 figures');
    await page.frame.getByRole('tab', { name: 'Episodes' }).click();
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  test('notes are kept and found', async () => {
    await page.frame.locator('.table:not(.narrow)').waitFor();
    await page.frame.getByRole('searchbox').fill('id_test-2');
    await page.row(0).click();
    await page.details.locator('summary', { hasText: 'Add a note' }).click();
    await page.details.getByRole('textbox', { name: 'Note', exact: true }).fill('Answers too early');
    await page.details.getByRole('textbox', { name: /Tags/ }).fill('early, odd');
    await page.button('Save note').click();
    await page.frame.getByRole('searchbox').fill('odd early');
    await expect.poll(() => page.found(), patience).toMatch(/^1 episode,/);
    const kept: unknown = JSON.parse(fs.readFileSync(path.join(runs.first, 'notes.json'), 'utf8'));
    expect(kept).toMatchObject({ episodes: { 2: { text: 'Answers too early', tags: ['early', 'odd'] } } });
    await page.button('Clear filters').click();
  });

  test('the panel follows a run that goes on', async () => {
    const instance = {
      id: 'late',
      hash: 'sha256:late',
      split: 'id_test',
      index: 999,
      groups: {},
      minSteps: 2,
    };
    const line = { type: 'begin', task: 999, attempt: 1, rollout: 0, instance };
    fs.appendFileSync(path.join(runs.first, 'steps.jsonl'), `${JSON.stringify(line)}\n`);
    await expect.poll(() => page.found(), patience).toBe('25 episodes');
  });

  test('a failed episode opens as a transcript at its decisive step', async () => {
    await page.frame.getByRole('searchbox').fill('id_test-13');
    await expect.poll(() => page.found(), patience).toMatch(/^1 episode,/);
    await page.row(0).click();
    await page.details.locator('h2', { hasText: 'hs1-id_test-13' }).waitFor();
    await page.button('Open as transcript').click();
    await workbench.line('=== step 2').waitFor();
    const line = await workbench.editor.locator('.line-numbers.active-line-number').textContent();
    const lines = await workbench.editor.locator('.view-line').allTextContents();
    expect(Number(line)).toBeGreaterThan(10);
    expect(lines.join('\n').replace(/\u00a0/g, ' ')).toContain('=== step 2');
    await expect
      .poll(() => workbench.page.locator('.statusbar-item', { hasText: /^Ln \d+/ }).textContent(), patience)
      .toContain(`Ln ${line},`);
    await workbench.screenshot('results transcript');
  });

  test('two prompts are compared', async () => {
    await workbench.page.locator('.activitybar .action-item a[aria-label^="Hopscope"]').click();
    await page.inView('hasty').first().click();
    await page
      .inView('careful')
      .first()
      .click({ modifiers: ['Control'] });
    await page.inView('careful').first().click({ button: 'right' });
    await workbench.page.locator('.monaco-menu .action-item', { hasText: 'Compare Runs' }).first().hover();
    await workbench.page.keyboard.press('Enter');
    await page.frame.locator('h1', { hasText: 'instances compared' }).waitFor();
    await workbench.page.keyboard.press('Control+B');
    expect(await wordsOf(page.frame.locator('h1'))).toBe('22 instances compared');
    const differences = page.frame.getByRole('region', { name: 'Differences' });
    expect(await wordsOf(differences)).toMatch(/Reward 0\.\d+ 0\.\d+ [+−]0\.\d+ .* to /);
    expect(await wordsOf(page.frame.getByRole('region', { name: 'Warnings' }))).toContain(
      'failed at the provider',
    );
    expect(await page.violations()).toEqual([]);
    await workbench.screenshot('comparison');
    const flip = page.frame.locator('.flips details').first();
    await flip.locator('summary').click();
    await flip.getByText('They part at step').waitFor();
    await workbench.screenshot('comparison flip');
    await flip.getByRole('button', { name: 'Open side by side' }).click();
    await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: '=== step' }).first().waitFor();
    await workbench.screenshot('comparison side by side');
    await workbench.page.keyboard.press('Control+W');
    await page.button('Compare the prompts').click();
    await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: 'Read' }).first().waitFor();
    await workbench.screenshot('comparison prompts');
    await workbench.page.keyboard.press('Control+W');
  });

  test.each(Object.keys(themes) as (keyof typeof themes)[])(
    'the comparison looks right in %s',
    async (theme) => {
      await setTheme(theme);
      expect(await page.violations()).toEqual([]);
      await workbench.screenshot(`comparison ${theme}`);
    },
  );

  test('the comparison is in sight at 400 pixels', async () => {
    await workbench.page.setViewportSize({ width: 400, height: 860 });
    await expect
      .poll(() => page.frame.locator('html').evaluate(({ clientWidth }) => clientWidth), patience)
      .toBeLessThanOrEqual(400);
    await workbench.screenshot('comparison 400');
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });
});
