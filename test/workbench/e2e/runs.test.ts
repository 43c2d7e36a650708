/** Runs as a person begins, watches, stops and goes on with them, and where the key of their endpoint does not turn up. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { type Answer, type ModelServer, startModelServer } from '../../support/model-server.ts';
import { Workbench } from './workbench.ts';

const patience = { timeout: 15_000 };
const key = 'sk-page-1a2b3c4d5e6f';
const wrong: Answer = { said: { text: 'ACTION: ANSWER nothing' } };

const themes = {
  'Default Light Modern': 'vs',
  'Default High Contrast': 'hc-black',
  'Default Dark Modern': 'vs-dark',
} as const;

describe.skipIf(whyNoWorkbench())('a person', () => {
  let workbench: Workbench;
  let server: ModelServer;
  /** Requests that may be answered from now on; the others wait. */
  let allowed = Number.POSITIVE_INFINITY;
  const waiting: (() => void)[] = [];

  beforeAll(async () => {
    server = await startModelServer(
      async () => {
        if (allowed-- <= 0) await new Promise<void>((resolve) => waiting.push(resolve));
        return wrong;
      },
      { key, models: ['small-model', 'large-model'] },
    );
    workbench = await Workbench.open(
      {
        'workbench.colorTheme': 'Default Dark Modern',
        'hopscope.endpoint.baseUrl': server.baseUrl,
        'files.simpleDialog.enable': true,
      },
      {
        files: {
          'short.step.md':
            '---\nformat: 1\nenvironment: navigator\n---\nuser:\n{{question}} {{map_text}} {{held_text}}\n',
          'prices.json': '{ "small-*": { "input": 1, "output": 2 } }',
        },
      },
    );
    await workbench.openFile('terse.step.md');
    await workbench.page.locator('.activitybar .action-item a[aria-label^="Hopscope"]').click();
    // Room for the runs.
    await workbench.page.locator('.pane-header', { hasText: 'Instances' }).click();
  });
  afterAll(async () => {
    await workbench?.close();
    await server?.close();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await workbench.screenshot(`failed runs ${task.name}`);
  });

  const pane = () =>
    workbench.page.locator('.pane', { has: workbench.page.locator('.pane-header', { hasText: 'Runs' }) });
  const runs = () => pane().locator('.monaco-list-row');
  const notice = (text: string | RegExp) =>
    workbench.page.locator('.notification-list-item', { hasText: text });
  const status = () => workbench.page.locator('.statusbar-item', { hasText: /\d+ of \d+/ });

  /** Writes settings of the workspace. */
  function save(settings: Readonly<Record<string, unknown>>): void {
    const file = path.join(workbench.folder, '.vscode/settings.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(settings));
  }

  function release(): void {
    allowed = Number.POSITIVE_INFINITY;
    for (const go of waiting.splice(0)) go();
  }

  /** Runs a command of the palette. A panel that opens meanwhile takes the focus, and closes the palette. */
  async function command(title: string): Promise<void> {
    const attempt = async () => {
      await workbench.page.locator('.sidebar .composite.title h2').click();
      await workbench.page.keyboard.press('F1');
      try {
        await workbench.quickInput.fill(`>${title}`, { timeout: 2000 });
        await workbench.quickRows.filter({ hasText: title }).first().click({ timeout: 2000 });
        return true;
      } catch {
        return false;
      }
    };
    await expect.poll(attempt, { timeout: 30_000 }).toBe(true);
  }

  /** Shows the step prompt, whatever panels have come before it. */
  async function showPrompt(): Promise<void> {
    const isShown = async () => {
      await workbench.page.locator('.tabs-container .tab', { hasText: 'terse.step.md' }).click();
      return workbench.tab('terse.step.md').isVisible();
    };
    await expect.poll(isShown, patience).toBe(true);
    await workbench.line('QUESTION').click();
  }

  /** Answers how many instances to play. */
  async function count(number: number): Promise<void> {
    await expect.poll(() => workbench.quickMessage.textContent(), patience).toContain('How many instances');
    await workbench.quickInput.fill(String(number));
    await workbench.page.keyboard.press('Enter');
  }

  async function pick(text: string): Promise<void> {
    await workbench.quickRows.filter({ hasText: text }).first().click();
  }

  /** What a row says, its description included. */
  async function says(row: Locator): Promise<string> {
    return (
      (await row
        .first()
        .textContent()
        .catch(() => '')) ?? ''
    ).replace(/\s+/g, ' ');
  }

  /** Right after a reload the workbench does not know yet that the folder is trusted: a menu shows what was known then. */
  async function menu(row: Locator, entry: string): Promise<void> {
    const item = workbench.page.locator('.monaco-menu .action-item:not(.disabled)', { hasText: entry });
    const isOffered = async () => {
      await workbench.page.keyboard.press('Escape');
      await row.first().click({ button: 'right' });
      await workbench.page.locator('.monaco-menu .action-item').first().waitFor();
      return item.first().isVisible();
    };
    await expect.poll(isOffered, patience).toBe(true);
    await item.first().hover();
    await workbench.page.keyboard.press('Enter');
  }

  test('is told how to begin', async () => {
    await pane().locator('.welcome-view-content', { hasText: 'No runs yet' }).waitFor();
    await pane().locator('.monaco-button', { hasText: 'Run Eval…' }).waitFor();
    await workbench.screenshot('runs none');
  });

  test('keeps a key for an origin', async () => {
    await command('Hopscope: Set API Key…');
    const field = workbench.page.locator('.quick-input-widget input[type=password]');
    await field.fill('two words');
    await expect.poll(() => workbench.quickMessage.textContent(), patience).toContain('A key has no blanks');
    await field.fill(key);
    await expect
      .poll(() => workbench.quickMessage.textContent(), patience)
      .toContain(`sent to ${server.origin} only`);
    await workbench.screenshot('runs key');
    await workbench.page.keyboard.press('Enter');
    await notice(`The API key for ${server.origin} is kept.`).waitFor();
    await command('Notifications: Clear All Notifications');
  });

  test('selects a model that the endpoint lists', async () => {
    await command('Hopscope: Select Model…');
    await workbench.quickRows.filter({ hasText: 'Scripted Policies' }).waitFor();
    await workbench.screenshot('runs endpoints');
    await pick(server.baseUrl);
    await workbench.quickRows.filter({ hasText: 'large-model' }).waitFor();
    await workbench.screenshot('runs models');
    await pick('small-model');
  });

  test('runs an eval, sees it move and stops it', async () => {
    allowed = 1;
    await workbench.line('QUESTION').click();
    await command('Hopscope: Run Eval…');
    await workbench.quickRows.filter({ hasText: 'small-model' }).waitFor();
    await workbench.screenshot('runs who');
    await pick('small-model');
    await pick('train');
    await count(3);
    await notice('Eval terse · small-model · 3 of train').waitFor();
    await runs().filter({ hasText: 'running' }).filter({ hasText: '1/3' }).waitFor();
    await expect
      .poll(() => status().textContent(), patience)
      .toMatch(/1 of 3 · reward 0\.00 · [\d.]+\/(s|min)/);
    await workbench.screenshot('runs running');
    await notice('Eval terse').locator('a.monaco-button', { hasText: 'Cancel' }).click();
    await runs().filter({ hasText: 'stopped' }).waitFor();
    await notice(/Stopped/)
      .first()
      .waitFor();
    await expect.poll(() => status().count(), patience).toBe(0);
    expect(await says(runs().filter({ hasText: 'small-model' }))).toContain('1/3 · stopped');
    await workbench.screenshot('runs stopped');
    await command('Notifications: Clear All Notifications');
  });

  test('goes on with it', async () => {
    release();
    await menu(runs().filter({ hasText: 'small-model' }), 'Resume Run');
    await runs().filter({ hasText: '3/3' }).waitFor();
    await notice(/Done: reward 0\.00 ± 0\.00 · 3 of 3 scored/).waitFor();
    await workbench.screenshot('runs done');
    await command('Notifications: Clear All Notifications');
  });

  test('repeats it with one stroke of keys', async () => {
    await showPrompt();
    await workbench.page.keyboard.press('Control+Alt+Enter');
    await expect.poll(() => runs().filter({ hasText: '3/3' }).count(), patience).toBe(2);
    await notice(/Done: .*3 of 3 scored/).waitFor();
    // The results open beside, and whoever writes goes on.
    await workbench.page
      .locator('.editor-group-container:not(.active) .tab.active', { hasText: 'Results' })
      .waitFor();
    await expect.poll(() => workbench.tab('terse.step.md').count(), patience).toBe(1);
    await workbench.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    await command('Notifications: Clear All Notifications');
  });

  test('runs on the failures', async () => {
    await menu(runs().filter({ hasText: '3/3' }), 'Run on Failures…');
    await workbench.quickRows.filter({ hasText: 'All Failures' }).waitFor();
    await workbench.screenshot('runs failures');
    await pick('All Failures');
    await workbench.quickInput.fill('the hard ones');
    await workbench.page.keyboard.press('Enter');
    await runs().filter({ hasText: 'suite the hard ones' }).filter({ hasText: '3/3' }).waitFor();
    expect(fs.existsSync(path.join(workbench.folder, 'suites/the-hard-ones.suite.json'))).toBe(true);
    await command('Notifications: Clear All Notifications');
  });

  test('sees runs of the command line appear', async () => {
    execFileSync(
      process.execPath,
      [path.resolve('dist/cli.js'), 'eval', 'terse.step.md', '-p', 'random-reader', '-s', 'train', '-n', '2'],
      { cwd: workbench.folder, stdio: 'ignore' },
    );
    await runs().filter({ hasText: 'random-reader' }).filter({ hasText: '2/2' }).waitFor();
  });

  test('writes a note', async () => {
    await menu(runs().filter({ hasText: 'random-reader' }), 'Note and Tags of Run…');
    await workbench.quickInput.fill('only to see');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.locator('.quick-input-title', { hasText: '2 of 2' }).waitFor();
    await workbench.quickInput.fill('baseline, dull');
    await workbench.page.keyboard.press('Enter');
    await runs().filter({ hasText: '#baseline · #dull' }).waitFor();
  });

  test('compares two step prompts', async () => {
    await showPrompt();
    await command('Hopscope: Compare Two Prompts…');
    await pick('short');
    await pick('no-read');
    await pick('train');
    await count(2);
    await workbench.page
      .locator('.tabs-container .tab', { hasText: /Compar/ })
      .first()
      .waitFor();
    await expect
      .poll(() => runs().filter({ hasText: 'no-read' }).filter({ hasText: '2/2' }).count(), patience)
      .toBe(2);
    await workbench.screenshot('runs compared');
    await command('Notifications: Clear All Notifications');
  });

  test('exports a run', async () => {
    await menu(runs().filter({ hasText: 'random-reader' }), 'Export Run…');
    await pick('report.html');
    await pick('episodes.csv');
    await workbench.page.keyboard.press('Enter');
    const dialog = workbench.page.locator('.quick-input-widget', { hasText: 'Export Into' });
    await dialog.waitFor();
    // The dialog writes its default, the folder of the run, into the box some time after it has opened.
    await expect.poll(() => workbench.quickInput.inputValue(), patience).toContain('random-reader');
    await workbench.quickInput.fill(`${workbench.folder}/`);
    await dialog.locator('.monaco-button', { hasText: 'Export Here' }).click();
    await notice('The run is exported into').waitFor();
    expect(fs.readFileSync(path.join(workbench.folder, 'report.html'), 'utf8')).toContain('only to see');
    expect(fs.existsSync(path.join(workbench.folder, 'episodes.csv'))).toBe(true);
    await command('Notifications: Clear All Notifications');
  });

  test('spends nothing without having been asked', async () => {
    save({ 'hopscope.eval.pricesFile': 'prices.json' });
    await runs()
      .filter({ hasText: /3\/3 · \$0\.\d\d/ })
      .first()
      .waitFor();
    const before = server.count;
    await showPrompt();
    await command('Hopscope: Run Eval…');
    await pick('small-model');
    await pick('train');
    await count(2);
    await notice('Estimating').waitFor();
    await notice('Estimating').waitFor({ state: 'detached' });
    // The workbench of tests answers no to every dialog.
    expect(await notice('Eval terse').count()).toBe(0);
    expect(server.count).toBe(before);
    save({});
    await runs()
      .filter({ hasText: /3\/3 · \$/ })
      .first()
      .waitFor({ state: 'detached' });
    await command('Hopscope: Run Eval…');
    await pick('small-model');
    await pick('train');
    await count(2);
    await runs().filter({ hasText: 'small-model' }).filter({ hasText: '2/2' }).waitFor();
    await command('Notifications: Clear All Notifications');
  });

  test('closes the window on a run, and goes on with it later', async () => {
    allowed = 1;
    await command('Hopscope: Repeat Last Eval');
    await runs().filter({ hasText: '1/2' }).filter({ hasText: 'running' }).first().waitFor();
    await workbench.page.reload();
    await workbench.page.waitForSelector('.monaco-workbench .part.statusbar .statusbar-item');
    await runs().filter({ hasText: '1/2' }).filter({ hasText: 'stopped' }).waitFor();
    release();
    await menu(runs().filter({ hasText: 'stopped' }), 'Resume Run');
    await expect
      .poll(() => runs().filter({ hasText: 'small-model' }).filter({ hasText: '2/2' }).count(), patience)
      .toBe(2);
    await command('Notifications: Clear All Notifications');
  });

  test.each(Object.entries(themes))('finds everything in %s', async (theme, name) => {
    save({ 'workbench.colorTheme': theme });
    await workbench.page.locator(`.monaco-workbench.${name}`).waitFor();
    await workbench.screenshot(`runs ${theme}`);
    await workbench.page.setViewportSize({ width: 400, height: 800 });
    await runs().first().waitFor();
    await workbench.screenshot(`runs ${theme} 400`);
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  test('never sees the key again, nor does anybody else', async () => {
    const asked = server.requests.filter(({ headers }) => headers.authorization === `Bearer ${key}`);
    expect(asked.length).toBe(server.requests.length);
    expect(
      server.requests.filter(({ path: url, text }) => `${url} ${text}`.includes('1a2b3c4d5e6f')),
    ).toEqual([]);
    const found = [workbench.folder, workbench.data].flatMap((folder) => filesWith(folder, '1a2b3c4d5e6f'));
    expect(found).toEqual([]);
    expect(await workbench.page.locator('body').textContent()).not.toContain('1a2b3c4d5e6f');
  });

  test('takes the key away again', async () => {
    await command('Hopscope: Set API Key…');
    await pick('Remove the Key');
    await notice(`The API key for ${server.origin} is removed.`).waitFor();
    await command('Hopscope: Repeat Last Eval');
    await notice(/Check that the API key|API key/)
      .filter({ hasText: 'Set API Key…' })
      .or(notice('Not finished'))
      .first()
      .waitFor();
    await workbench.screenshot('runs without key');
  });
});

describe.skipIf(whyNoWorkbench())('where nothing is trusted', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    const settings = JSON.stringify({ 'hopscope.endpoint.baseUrl': 'http://somewhere.invalid/v1' });
    workbench = await Workbench.open({}, { isUntrusted: true, files: { '.vscode/settings.json': settings } });
  });
  afterAll(() => workbench?.close());

  test('the view says why there are no runs, and no command begins one', async () => {
    await workbench.page.locator('.activitybar .action-item a[aria-label^="Hopscope"]').click();
    await workbench.page
      .locator('.welcome-view-content', { hasText: 'they need a workspace that you trust' })
      .waitFor();
    await workbench.screenshot('runs untrusted');
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput.fill('>Hopscope: Run Eval');
    await expect.poll(() => workbench.quickRows.first().textContent(), patience).not.toContain('Run Eval');
    await workbench.page.keyboard.press('Escape');
  });
});

/** Files below a folder that hold a text. */
function filesWith(folder: string, text: string): string[] {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => fs.readFileSync(file).includes(text));
}
