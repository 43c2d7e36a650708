/** Instances as a person sees them: marks, hovers, lenses, references and the view that lists them. */
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { smallInstance } from '../../support/small-instance.ts';
import type { ThemeName } from './themes.ts';
import { Workbench } from './workbench.ts';

const patience = { timeout: 15_000 };

const themes: readonly ThemeName[] = ['Default Dark Modern', 'Default Light Modern', 'Default High Contrast'];

function lens(workbench: Workbench, text: string | RegExp): Locator {
  return workbench.editor.locator('.codelens-decoration a', { hasText: text });
}

function rows(workbench: Workbench): Locator {
  return workbench.page.locator('.pane-body .tree-explorer-viewlet-tree-view .monaco-list-row');
}

/** What decorations write behind the text of lines. */
function decorationTexts(editor: Locator): Promise<string[]> {
  return editor.locator('.view-line span').evaluateAll((spans) =>
    spans.flatMap((span) => {
      const { content } = getComputedStyle(span, '::after');
      return content === 'none' || content === 'normal'
        ? []
        : [content.replace(/^"|"$/g, '').replaceAll('\u00a0', ' ')];
    }),
  );
}

/** Chooses an entry of a context menu. A menu takes no clicks in its first moments, but keys. */
async function openMenu(workbench: Workbench, target: Locator, entry: string): Promise<void> {
  await target.click({ button: 'right' });
  await workbench.page.locator('.monaco-menu .action-item', { hasText: entry }).first().hover();
  await workbench.page.keyboard.press('Enter');
}

async function texts(locator: Locator): Promise<readonly string[]> {
  return (await locator.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
}

describe.skipIf(whyNoWorkbench()).each(themes)('%s', (theme) => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await Workbench.open({ 'workbench.colorTheme': theme });
  });
  afterAll(() => workbench?.close());

  test('the view', async () => {
    await workbench.page.locator('.activitybar .action-item a[aria-label^="Hopscope"]').click();
    await rows(workbench).filter({ hasText: 'scale_test' }).waitFor();
    await rows(workbench).filter({ hasText: 'ood_test' }).locator('.monaco-tl-twistie').click();
    await rows(workbench).filter({ hasText: 'hs1-ood_test-3' }).first().click();
    await workbench.line('Question: What').waitFor();
    await workbench.screenshot(`instances view ${theme}`);
  });

  test('an instance with its evidence', async () => {
    await lens(workbench, 'hop 1 of 4: Jasmine Badger').click();
    await lens(workbench, 'hop 1 of 4 → Sanna Palermo, chunk 12').waitFor();
    await workbench.line('Jasmine Badger — ').waitFor();
    await workbench.screenshot(`instance evidence ${theme}`);
  });

  test('hover', async () => {
    const hover = workbench.page
      .locator('.monaco-hover:not(.hidden) .hover-contents', { hasText: 'Jasmine' })
      .first();
    const line = workbench.line('Jasmine Badger — ');
    const isShown = async () => {
      if (await hover.isVisible()) return true;
      // At the beginning of its line, where inlay hints that come late do not move it; from elsewhere, as lines may have moved
      // below the mouse, which stood still.
      await workbench.page.mouse.move(5, 5);
      await line.hover({ position: { x: 20, y: 9 } });
      return hover.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    };
    await expect.poll(isShown, patience).toBe(true);
    // It fades in; a picture of it should not.
    const opacity = () =>
      hover.evaluate((element) => getComputedStyle(element.closest('.monaco-hover') ?? element).opacity);
    await expect.poll(opacity, patience).toBe('1');
    await expect
      .poll(async () => (await texts(hover)).join(), patience)
      .toMatch(/project · chunk 19.*Lead → Sanna Palermo.*Evidence of hop 1 of 4/);
    await workbench.screenshot(`instance hover ${theme}`);
    await workbench.page.keyboard.press('Escape');
  });

  test('references', async () => {
    await workbench.line('Jasmine Badger — ').click({ position: { x: 20, y: 9 } });
    await workbench.runCommand('Go to References');
    const peek = workbench.page.locator('.peekview-widget .ref-tree .monaco-list-row');
    await peek.first().waitFor();
    await workbench.screenshot(`instance references ${theme}`);
    await workbench.page.keyboard.press('Escape');
  });
});

describe.skipIf(whyNoWorkbench())('with instances a person', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await Workbench.open({ 'workbench.colorTheme': 'Default Dark Modern' });
    await workbench.openFile('too-much.episode');
  });
  afterAll(() => workbench?.close());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await workbench.screenshot(`failed ${task.name}`);
  });

  const title = () => workbench.page.locator('.editor-group-container.active .editor-actions');
  const notices = () => workbench.page.locator('.notification-list-item-message');
  const view = () => workbench.page.locator('.activitybar .action-item a[aria-label^="Hopscope"]');

  /** Presses an action of the view; they show while the pointer is on it. */
  async function act(label: string): Promise<void> {
    await rows(workbench).first().hover();
    await workbench.page.locator(`.sidebar .pane-header.expanded a[aria-label^="${label}"]`).first().click();
  }

  /** Runs an entry of the context menu of a row of the view. */
  async function choose(row: string, entry: string): Promise<void> {
    await openMenu(workbench, rows(workbench).filter({ hasText: row }).first(), entry);
  }

  /** Saves a file of instances in the opened folder. */
  function save(name: string, instances: readonly object[]): string {
    const file = path.join(workbench.folder, name);
    fs.writeFileSync(file, instances.map((instance) => `${JSON.stringify(instance)}\n`).join(''));
    return file;
  }

  test('compares one with a transcript: what is held is marked, step by step', async () => {
    await workbench.runCommand('Hopscope: Compare with Transcript…');
    const instance = workbench.page.locator('.editor-group-container').last();
    await instance.locator('.view-line', { hasText: 'Question:' }).first().waitFor();
    await workbench.line('=== step 1').click();
    await expect.poll(() => decorationTexts(instance), patience).toContain('held after step 1');
    await workbench.screenshot('instance compared');
    await workbench.line('format: 1').click();
    await expect.poll(() => decorationTexts(instance), patience).toEqual([]);
    await workbench.closeEditors();
  });

  test('hides spoilers and shows them again', async () => {
    await workbench.openInstance('ood_test', 3);
    await lens(workbench, /^answer: 65,841$/).waitFor();
    await workbench.screenshot('instance heading');
    await lens(workbench, 'hide spoilers').click();
    await lens(workbench, 'show spoilers').waitFor();
    expect(await texts(workbench.editor.locator('.codelens-decoration'))).toEqual([
      expect.stringMatching(/^show spoilers ?\| ?compare with transcript…$/),
    ]);
    await workbench.screenshot('instance without spoilers');
    await workbench.runCommand('Go to Symbol in Editor');
    await workbench.quickInput.fill('@Jasmine Badger');
    await workbench.page.keyboard.press('Enter');
    await workbench.line('Jasmine Badger — ').waitFor();
    expect(await workbench.editor.locator('.view-overlays .cdr[class*="ced-"]').count()).toBe(0);
    await title().locator('a[aria-label^="Show Spoilers"]').click();
    await workbench.editor.locator('.view-overlays .cdr[class*="ced-"]').first().waitFor();
  });

  test('filters the view by hops and size', async () => {
    await view().click();
    await rows(workbench).filter({ hasText: 'scale_test' }).waitFor();
    await act('Filter Instances');
    await workbench.quickRows.filter({ hasText: '128,000 document tokens' }).click();
    await workbench.screenshot('instances filter');
    await workbench.page.keyboard.press('Enter');
    await rows(workbench).filter({ hasText: 'scale_test' }).locator('.monaco-tl-twistie').click();
    await rows(workbench).filter({ hasText: '128k' }).first().waitFor();
    const listed = await texts(rows(workbench).filter({ hasText: 'hs1-scale_test' }));
    for (const row of listed) expect(row).toMatch(/128k/);
    await workbench.screenshot('instances filtered');
    await act('Clear Filter');
    await rows(workbench).filter({ hasText: '32k' }).first().waitFor();
  });

  /** Goes on in the view, page by page, until a row is in sight. */
  async function pageDownTo(text: string): Promise<void> {
    const row = rows(workbench).filter({ hasText: text });
    const seen = async () => {
      if ((await row.count()) > 0) return true;
      await workbench.page.keyboard.press('PageDown');
      return false;
    };
    await expect.poll(seen, patience).toBe(true);
  }

  test('asks for more of a long list', async () => {
    await rows(workbench).filter({ hasText: 'hs1-scale_test-0' }).first().waitFor();
    await rows(workbench).filter({ hasText: 'hs1-scale_test-0' }).first().click();
    // Further environments follow below.
    await pageDownTo('more…');
    await rows(workbench).filter({ hasText: 'more…' }).click();
    await rows(workbench).filter({ hasText: 'hs1-scale_test-100' }).waitFor();
    await pageDownTo('hs1-scale_test-149');
    expect(await rows(workbench).filter({ hasText: 'more…' }).count()).toBe(0);
    await workbench.page.keyboard.press('Home');
    await rows(workbench).filter({ hasText: 'Navigator' }).first().waitFor();
  });

  test('validates and audits a split', async () => {
    await choose('id_test', 'Audit');
    await notices().filter({ hasText: 'id_test: Audit of 300 instances' }).waitFor({ timeout: 50_000 });
    await workbench.screenshot('instances audited');
    await workbench.page.locator('.notification-list-item a', { hasText: 'Show Details' }).first().click();
    await workbench.page.locator('.output-view .view-line', { hasText: 'pos_global' }).first().waitFor();
    await workbench.screenshot('instances audit details');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand('View: Close Panel').catch(() => {});
  });

  test('stops an examination', async () => {
    await choose('train', 'Validate');
    const notice = workbench.page.locator('.notification-list-item', { hasText: 'Validating train' });
    await notice.locator('a.monaco-button', { hasText: 'Cancel' }).click();
    await notice.waitFor({ state: 'detached' });
  });

  test('opens a file of instances made elsewhere, and is told when it is gone', async () => {
    const file = save('mine.jsonl', [smallInstance, { ...smallInstance, id: 'train-other', n_hops: 5 }]);
    await workbench.runCommand('View: Show Explorer');
    const row = workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'mine.jsonl' });
    await openMenu(workbench, row, 'Show in Instances View');
    await rows(workbench).filter({ hasText: 'train-other' }).waitFor();
    await rows(workbench).filter({ hasText: 'train-small' }).click();
    await workbench.line('train-small (navigator, train)').waitFor();
    await lens(workbench, 'hop 1 of 2: Coral Gull').waitFor();
    await workbench.screenshot('instances of a file');

    save('mine.jsonl', [{ ...smallInstance, question: 'What is the badge number of project Coral Gull?' }]);
    await workbench.line('Question: What is the badge number').waitFor();
    await rows(workbench).filter({ hasText: 'train-other' }).waitFor({ state: 'detached' });

    fs.rmSync(file);
    await notices().filter({ hasText: 'mine.jsonl is gone; its open instances stay as they are.' }).waitFor();
    await workbench.line('Question: What is the badge number').waitFor();
    await workbench.screenshot('instances of a file that is gone');
  });

  test('finds one by its id', async () => {
    await workbench.runCommand('Hopscope: Open Instance by Id…');
    await workbench.quickInput.fill('hs0-train-1');
    await expect
      .poll(() => workbench.quickMessage.textContent(), patience)
      .toContain('There is no instance hs0-train-1');
    await workbench.quickInput.fill('hs1-train-5-h4');
    await expect
      .poll(() => workbench.quickMessage.textContent(), patience)
      .toContain('Of a generated instance');
    await workbench.page.keyboard.press('Enter');
    await workbench.tab('hs1-train-5-h4').waitFor();
    await workbench.line('Hops: 4').waitFor();
  });

  test('searches all open instances', async () => {
    await workbench.page.keyboard.press('Control+T');
    await workbench.quickInput.fill('#Sanna Palermo');
    await workbench.quickRows.filter({ hasText: 'evidence of hop 2' }).first().waitFor();
    await workbench.screenshot('instances search');
    await workbench.page.keyboard.press('Escape');
  });
});
