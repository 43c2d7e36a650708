/** From where an episode opens, how it looks in every kind of theme and room, and that keys and screen readers find all. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { Episode, patience } from './episode.ts';
import { textOf } from './preview.ts';
import { Workbench } from './workbench.ts';

/** Steps cost so much that a right answer is worth the least that it can be. */
const costly = `---
format: 1
environment: navigator
split: train
options: { reward: { beta: 0.9 } }
---
user:
{{question}}
`;

describe.skipIf(whyNoWorkbench())('the episode panel', () => {
  let workbench: Workbench;
  let episode: Episode;

  beforeAll(async () => {
    workbench = await Workbench.open(
      {
        'workbench.colorTheme': 'Default Dark Modern',
        'files.autoSave': 'off',
        'files.simpleDialog.enable': true,
        'workbench.activityBar.location': 'hidden',
        'editor.minimap.enabled': false,
      },
      { files: { 'costly.step.md': costly } },
    );
    episode = new Episode(workbench);
    await workbench.page.setViewportSize({ width: 1500, height: 1000 });
  });
  afterAll(() => workbench?.close());

  const closeAll = () => workbench.closeEditors();
  const tabs = () => workbench.page.locator('.tabs-container .tab .label-name').allInnerTexts();
  const titleButton = () =>
    workbench.page.locator('.editor-group-container.active .title .action-label[aria-label="Open Episode…"]');

  test('opens from an instance, and marks there what is held', async () => {
    await workbench.openFile('terse.step.md'); // commands are there once the extension is
    await workbench.closeEditors();
    await workbench.openInstance('train', 3);
    await workbench.page.keyboard.press('Control+B');
    await titleButton().click();
    await episode.find();
    expect(await tabs()).toEqual(['hs1-train-3.hopscope-instance', 'hs1-train-3 · navigator']);
    await episode.choose('oracle');
    await episode.button('Step').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 1\b/);
    // The decoration has a bar at its left.
    const marked = workbench.page.locator('.editor-instance .view-overlays [class*="ced-"][class*="ced-"]');
    await expect.poll(() => marked.count(), patience).toBeGreaterThan(0);
    await workbench.screenshot('episode beside its instance');
  });

  test('is saved as a transcript, which opens with the same steps', async () => {
    await episode.button('Run to End').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^Over:/);
    const steps = await episode.steps();
    const standing = await episode.standing();
    await episode.button('Save as Transcript').click();
    await workbench.quickInput.waitFor();
    await workbench.page.keyboard.press('Enter');
    await expect.poll(() => episode.standing(), patience).toBe('Saved hs1-train-3.episode.');
    const file = fs.readFileSync(path.join(workbench.folder, 'hs1-train-3.episode'), 'utf8');
    expect(file).toMatch(/\npolicy: oracle\n/);
    await closeAll();
    await workbench.openPath('hs1-train-3.episode');
    await titleButton().click();
    await episode.find();
    expect(await episode.steps()).toEqual(steps);
    expect(await episode.standing()).toBe(standing);
    await closeAll();
  });

  test('shows the least that a right answer is worth, however many steps it took', async () => {
    await workbench.openPath('costly.step.md');
    await workbench.runCommand('Hopscope: Step Episode');
    await episode.find();
    await episode.act('ACTION: DROP 999');
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 1\b/);
    await episode.choose('oracle');
    await episode.button('Run to End').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^Over: .*, reward 0\.5, correct$/);
    await closeAll();
  });

  test('opens from the palette', async () => {
    await workbench.runCommand('Hopscope: Open Episode…');
    await workbench.quickRows.filter({ hasText: 'train' }).first().click();
    await workbench.quickInput.fill('0');
    await workbench.page.keyboard.press('Enter');
    await episode.find();
    expect(await tabs()).toEqual(['hs1-train-0 · navigator']);
    await episode.choose('random-reader');
    await episode.button('Run to End').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^Over:/);
    await episode.goTo(2);
    await episode.act('ACTION: ANSWER nobody');
    await expect.poll(() => episode.standing(), patience).toMatch(/^Over: answered after 3/);
    await episode.goTo(2);
    await episode.unfold('prompt');
    await episode.frame.locator('.card.prompt .message').first().waitFor();
    await episode.frame.locator('.strip [role=option]').nth(5).click();
  });

  test('runs to the first problem', async () => {
    await episode.button('Restart').click();
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 0\b/);
    await episode.choose('random-reader');
    await episode.button('Run to Problem').click();
    await expect
      .poll(() => episode.frame.locator('.card.reply .notes li').count(), patience)
      .toBeGreaterThan(0);
    await episode.goTo(2);
  });

  test.each([
    'Default Light Modern',
    'Default High Contrast',
    'Default High Contrast Light',
    'Default Dark Modern',
  ] as const)('is in order for axe in %s, and looks well', async (theme) => {
    await episode.wear(theme, workbench.folder);
    await workbench.screenshot(`episode ${theme}`);
    expect(await episode.violations()).toEqual([]);
  });

  test.each([320, 2000])('has all in sight at %i pixels', async (width) => {
    await workbench.page.setViewportSize({ width, height: 1000 });
    const widths = () =>
      episode.frame
        .locator('html')
        .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    await expect.poll(async () => (await widths()).clientWidth, patience).toBeLessThanOrEqual(width);
    const { scrollWidth, clientWidth } = await widths();
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    await workbench.screenshot(`episode ${width}`);
    await workbench.page.setViewportSize({ width: 1500, height: 1000 });
  });

  test('every control is reached by the Tab key, and shows that it is', async () => {
    // With all there can be: held items that are chosen, a chunk, a long text, a comparison, an alert.
    await episode.act(`THOUGHT: ${'on and on '.repeat(10_000)}\nACTION: READ 1`);
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 3\b/);
    await episode.act('ACTION: DROP 999');
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 4\b/);
    await episode.goTo(3);
    await episode.frame.locator('.items vscode-checkbox').last().click();
    await episode.frame.locator('.strip [role=option]:not(.held)').nth(1).click();
    await episode.frame
      .getByRole('button', { name: /^Compare with/ })
      .first()
      .click();
    await episode.frame.locator('.compared').waitFor();
    await episode.choose('Model…');
    await episode.button('Step').click();
    await episode.button('Dismiss').waitFor();
    await workbench.screenshot('episode, all there can be');
    await episode.frame.locator('vscode-single-select[label="Driver"]').focus();
    const reached: string[] = [];
    const unseen: string[] = [];
    for (let presses = 0; presses < 240; presses++) {
      const name = await episode.focused();
      if (presses > 3 && name === reached[0]) break;
      reached.push(name);
      if (!(await isFocusSeen(episode))) unseen.push(name);
      await workbench.page.keyboard.press('Tab');
      if (!(await hasFocus(episode))) break;
    }
    const wanted = [
      'Driver',
      'Step',
      'Run to End',
      'Run to Problem',
      'Back',
      'Forward',
      'Restart',
      'Fork from Here',
      'Hide Spoilers',
      'Open Transcript Beside',
      'Save as Transcript',
      'Copy as Markdown',
      'Add to Runs',
      'Change…',
      'Answer…',
      'Reply',
      'What would be best?',
      'Steps of this branch',
      'Tree of branches',
      'Dismiss',
      'Drop',
      'Compress…',
      'Show more',
      'Close',
      'Comparison of two branches',
    ];
    expect(wanted.filter((name) => !reached.includes(name))).toEqual([]);
    expect(reached.filter((name) => name.startsWith('Chunks of ')).length).toBeGreaterThan(5);
    for (const name of [/^Compare with /, /^Read \d+$/, /^Text of \d+$/]) {
      expect(reached.filter((it) => name.test(it))).not.toEqual([]);
    }
    expect(unseen).toEqual([]);
    expect(reached.filter((name) => name === '')).toEqual([]);
  });

  test('arrows move within the map and the steps', async () => {
    const map = episode.frame.locator('.strip').first();
    await map.focus();
    await map.press('Home');
    await map.press('ArrowRight');
    await expect
      .poll(() => textOf(episode.frame.locator('.chunk-line strong')), patience)
      .toBe((await map.locator('[role=option]').nth(1).getAttribute('data-key')) ?? '');
    const keys = map.locator('[role=option]');
    await map.press('Home');
    await episode.pressAtOnce(map, 'ArrowRight', 5);
    await expect
      .poll(() => textOf(episode.frame.locator('.chunk-line strong')), patience)
      .toBe((await keys.nth(Math.min(5, (await keys.count()) - 1)).getAttribute('data-key')) ?? '');
    const list = episode.frame.locator('#steps');
    await list.focus();
    await list.press('Home');
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 0\b/);
    await list.press('ArrowDown');
    await expect.poll(() => episode.standing(), patience).toMatch(/^After step 1\b/);
  });

  test('hides what a player must not know', async () => {
    await episode.button('Hide Spoilers').click();
    await episode.button('Show Spoilers').waitFor();
    const told = episode.frame.locator('.strip .evidence, .strip .distractor, .strip .wanted');
    await expect.poll(() => told.count(), patience).toBe(0);
    await episode.button('Show Spoilers').click();
    await expect.poll(() => told.count(), patience).toBeGreaterThan(0);
  });
});

/** Whether the page has the focus, and not the workbench around it. */
function hasFocus({ frame }: Episode): Promise<boolean> {
  return frame.evaluate(() => document.hasFocus() && document.activeElement !== document.body);
}

/** Whether an outline or a border of the colour of focus is around what has it, or around what it is in. */
function isFocusSeen({ frame }: Episode): Promise<boolean> {
  return frame.evaluate(() => {
    let focused = document.activeElement;
    for (;;) {
      if (focused) {
        const { outlineStyle, outlineWidth, borderColor, boxShadow } = getComputedStyle(focused);
        if (outlineStyle !== 'none' && outlineWidth !== '0px') return true;
        if (boxShadow !== 'none') return true;
        const colour = getComputedStyle(document.documentElement)
          .getPropertyValue('--vscode-focusBorder')
          .trim();
        const probe = document.createElement('i');
        probe.style.color = colour;
        document.body.append(probe);
        const { color } = getComputedStyle(probe);
        probe.remove();
        if (borderColor.includes(color)) return true;
      }
      const root: ShadowRoot | null = focused?.shadowRoot ?? null;
      const inner = root?.activeElement ?? null;
      if (!inner) {
        // Some controls draw the ring around a part beside what has the focus.
        const host = focused?.getRootNode();
        const ring =
          host instanceof ShadowRoot
            ? host.querySelectorAll('*')
            : (focused?.shadowRoot?.querySelectorAll('*') ?? []);
        return [...ring].some((part) => {
          const { outlineStyle, outlineColor } = getComputedStyle(part);
          return outlineStyle !== 'none' && outlineColor !== 'rgba(0, 0, 0, 0)';
        });
      }
      focused = inner;
    }
  });
}
