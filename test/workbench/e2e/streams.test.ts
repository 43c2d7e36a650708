/** Streams of learning methods as a person follows, reads, compares, begins and resumes them. Policies play: nobody is asked. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { wordsOf } from './preview.ts';
import { PageInEditor } from './results-page.ts';
import { Workbench } from './workbench.ts';

const patience = { timeout: 20_000 };
const project = path.resolve(import.meta.dirname, '../../..');
const prompt = fs.readFileSync(path.join(project, 'prompts/serving/serving.step.md'), 'utf8');
/** A method of somebody's own, whose words a page that takes them for markup would run. */
const own = `export default {
  start: () => [],
  context: () => '',
  update: (memory, block) => [...memory, '<img src=x onerror="document.body.dataset.owned=1">' + block.length],
};
`;

const themes = {
  'Default Light Modern': 'vscode-light',
  'Default High Contrast': 'vscode-high-contrast',
  'Default Dark Modern': 'vscode-dark',
} as const;

describe.skipIf(whyNoWorkbench())('streams', () => {
  let workbench: Workbench;
  let page: PageInEditor;
  /** Where they were played before they come into the folder. */
  let aside: string;

  /** Plays the small size without the editor. */
  function play(method: string): string {
    const args = ['eval', 'serving', '--size', 'mini', '--policy', 'remembering', '--method', method];
    execFileSync(process.execPath, [path.join(project, 'dist/cli.js'), ...args, '--out', aside], {
      cwd: aside,
    });
    return path.join(aside, 'remembering');
  }

  const outputs = () => path.join(workbench.folder, 'outputs/remembering');

  beforeAll(async () => {
    aside = fs.mkdtempSync(path.join(os.tmpdir(), 'streams-'));
    play('rag');
    workbench = await Workbench.open(
      { 'workbench.colorTheme': 'Default Dark Modern', 'editor.minimap.enabled': false },
      // The folder is there from the beginning: what comes in folders that have just been made may go unnoticed for a while.
      { files: { 'serve.step.md': prompt, 'mine.mjs': own, 'outputs/remembering/.keep': '' } },
    );
    page = new PageInEditor(workbench);
    await workbench.page.locator('.activitybar .action-item a[aria-label^="Hopscope"]').click();
    await workbench.page.locator('.pane-header', { hasText: 'Instances' }).click();
  });
  afterAll(async () => {
    await workbench?.close();
    fs.rmSync(aside, { recursive: true, force: true });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await workbench.screenshot(`failed streams ${task.name}`);
  });

  const pane = () =>
    workbench.page.locator('.pane', { has: workbench.page.locator('.pane-header', { hasText: 'Runs' }) });
  const rows = (text: string | RegExp) => pane().locator('.monaco-list-row', { hasText: text });

  async function says(row: Locator): Promise<string> {
    const label = await row
      .first()
      .getAttribute('aria-label', { timeout: 1000 })
      .catch(() => '');
    return (label ?? '').replace(/\s+/g, ' ');
  }

  async function pick(text: string): Promise<void> {
    await workbench.quickRows.filter({ hasText: text }).first().click();
  }

  async function setTheme(theme: keyof typeof themes): Promise<void> {
    const settings = path.join(workbench.folder, '.vscode/settings.json');
    fs.mkdirSync(path.dirname(settings), { recursive: true });
    fs.writeFileSync(settings, JSON.stringify({ 'workbench.colorTheme': theme }));
    await page.frame.locator(`body.${themes[theme]}`).waitFor();
  }

  const section = (name: string) => page.frame.getByRole('region', { name, exact: true });

  test('one that the command plays is followed', async () => {
    const [retail, banking, pitch] = ['retail', 'banking', 'pitch'].map((it) => `mini_${it}_rag.jsonl`);
    const from = (name = '') => path.join(aside, 'remembering', name);
    const to = (name = '') => path.join(outputs(), name);
    const lines = fs.readFileSync(from(retail), 'utf8').split('\n');
    fs.mkdirSync(outputs(), { recursive: true });
    fs.writeFileSync(`${to(retail)}.lock`, JSON.stringify({ pid: process.pid, host: os.hostname() }));
    fs.writeFileSync(to(retail), `${lines.slice(0, 11).join('\n')}\n`);
    const row = rows('remembering · rag');
    await expect
      .poll(() => says(row), patience)
      .toMatch(/^remembering · rag, running, .*10\/120 · running · mini, 3 streams/);
    fs.appendFileSync(to(retail), `${lines.slice(11).join('\n')}`);
    await expect
      .poll(() => says(row), patience)
      .toMatch(/running, hidden \d+\.\d, fully specified 100\.0 · 40\/120/);
    await workbench.screenshot('streams running');
    fs.rmSync(`${to(retail)}.lock`);
    for (const name of [banking, pitch]) fs.copyFileSync(from(name), to(name));
    await expect
      .poll(() => says(row), patience)
      .toMatch(/done, hidden \d+\.\d, fully specified 100\.0 · 120\/120/);
    await row.locator('.monaco-tl-twistie').click();
    await expect
      .poll(() => says(rows('mini_retail · window 1')), patience)
      .toMatch(/\d rules? changed · hidden \d+\.\d, fully specified 100\.0 · 20\/20/);
  });

  test('its page shows scores, windows, curves and what was learnt', async () => {
    await rows('remembering · rag').first().click();
    await section('Scores').waitFor();
    await workbench.page.keyboard.press('Control+B');
    const scores = await wordsOf(section('Scores'));
    expect(scores).toContain('Avg. H – Not all of its settings are here');
    expect(scores).toMatch(/retail \d+\.\d \(10\) 100\.0 \(6\)/);
    expect(scores).toMatch(/pitch \d+\.\d \(16\) –/);
    expect(await wordsOf(section('Windows'))).toMatch(/Window 1 \d rules? changed 12\/12 ?\d+\.\d 8\/8/);
    expect(await wordsOf(section('Where this comes from'))).toMatch(
      /made by hopscope \d.*phrases; scores of other/,
    );
    expect(await wordsOf(section('Published results'))).toContain('read them as a scale');
    await section('Learning curve of mini_retail').locator('svg').waitFor();
    const learnt = section('What was learnt');
    await learnt.locator('summary', { hasText: 'mini_retail, window 0, after block 1' }).click();
    await learnt.locator('pre', { hasText: 'the episode at 1, score' }).waitFor();
    expect(await page.violations()).toEqual([]);
    await workbench.screenshot('streams page');
  });

  test.each(Object.keys(themes) as (keyof typeof themes)[])('the page looks right in %s', async (theme) => {
    await setTheme(theme);
    expect(await page.violations()).toEqual([]);
    await workbench.screenshot(`streams ${theme}`);
    await section('Learning curve of mini_retail').scrollIntoViewIfNeeded();
    await workbench.screenshot(`streams curves ${theme}`);
    await section('Scores').scrollIntoViewIfNeeded();
  });

  test('all is in sight at 400 pixels', async () => {
    await workbench.page.setViewportSize({ width: 400, height: 860 });
    const widths = () =>
      page.frame.locator('html').evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    await expect.poll(async () => (await widths()).clientWidth, patience).toBeLessThanOrEqual(400);
    const { scrollWidth, clientWidth } = await widths();
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    await workbench.screenshot('streams 400');
    await section('Learning curve of mini_retail').scrollIntoViewIfNeeded();
    await workbench.screenshot('streams 400 curves');
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  test('an episode is told step by step and opens as a transcript', async () => {
    await page.frame.getByRole('tab', { name: 'Episodes' }).click();
    await page.frame.getByRole('searchbox').fill('mini_retail_test-0');
    await expect.poll(() => page.found(), patience).toMatch(/^1 episode,/);
    await page.row(0).click();
    await page.details.locator('.step').first().waitFor();
    expect(await wordsOf(page.details)).not.toContain('is not to be had as it was');
    await workbench.screenshot('streams episode');
    await page.button('Open as transcript').click();
    await workbench.line('=== step 1').waitFor();
    await workbench.closeEditors();
  });

  test('is begun from the editor, with a method of one’s own', async () => {
    await workbench.openPath('serve.step.md');
    await workbench.runCommand('Hopscope: Run Eval…');
    await pick('remembering');
    await pick('Streams with a learning method');
    await workbench.quickRows.filter({ hasText: 'refusals' }).first().waitFor();
    await workbench.screenshot('streams methods');
    await pick('A file of your own');
    await pick('mine.mjs');
    await workbench.quickRows.filter({ hasText: 'mini_retail' }).first().waitFor();
    await workbench.screenshot('streams sizes');
    await pick('mini_retail, mini_banking');
    const learnt = section('What was learnt');
    await learnt.locator('summary').first().click();
    await learnt.locator('pre', { hasText: '<img src=x' }).first().waitFor();
    expect(await page.frame.locator('body').getAttribute('data-owned')).toBeNull();
    await workbench.screenshot('streams own method');
    await workbench.page.locator('.activitybar .action-item a[aria-label^="Hopscope"]').click();
    await expect
      .poll(() => says(rows('remembering · mine.mjs')), patience)
      .toMatch(/done, hidden .* 120\/120/);
  });

  test('one that was broken off is gone on with', async () => {
    const file = path.join(play('refusals'), 'mini_retail_refusals.jsonl');
    const kept = fs.readFileSync(file, 'utf8').split('\n').slice(0, 16);
    fs.writeFileSync(path.join(outputs(), path.basename(file)), `${kept.join('\n')}\n`);
    const row = rows('remembering · refusals');
    await expect.poll(() => says(row), patience).toMatch(/stopped, .*\/120 · stopped/);
    await row.first().hover();
    await row.getByRole('button', { name: 'Resume Run' }).click();
    await expect.poll(() => says(row), patience).toMatch(/done, hidden .* 120\/120/);
    await workbench.tab('Results remembering · refusals').waitFor();
    await workbench.closeEditors();
  });

  test('a file that breaks off says so', async () => {
    fs.writeFileSync(path.join(outputs(), 'mini_pitch_torn.jsonl'), '{"config": {"scenario": "mini_pi');
    await expect.poll(() => rows('mini_pitch_torn').count(), patience).toBe(1);
    expect(await wordsOf(rows('mini_pitch_torn'))).toContain('breaks off in its first line');
    fs.rmSync(path.join(outputs(), 'mini_pitch_torn.jsonl'));
    await expect.poll(() => rows('mini_pitch_torn').count(), patience).toBe(0);
  });

  test('two methods are compared on the same test tasks', async () => {
    await rows('remembering · rag').first().click();
    // A page that goes while it is loading can keep the next one waiting where all pages have one origin.
    await section('Scores').waitFor();
    await rows('remembering · refusals')
      .first()
      .click({ modifiers: ['Control'] });
    await rows('remembering · refusals').first().click({ button: 'right' });
    await workbench.page.locator('.monaco-menu .action-item', { hasText: 'Compare Runs' }).first().hover();
    await workbench.page.keyboard.press('Enter');
    await page.frame.locator('h1', { hasText: '48 instances compared' }).waitFor();
    await workbench.page.keyboard.press('Control+B');
    const asked = await wordsOf(page.frame.getByRole('region', { name: 'Asked differently' }));
    expect(asked).toMatch(/method ?(rag ?refusals|refusals ?rag)/);
    expect(await page.violations()).toEqual([]);
    await workbench.screenshot('streams compared');
  });
});
