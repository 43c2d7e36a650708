/** From where an episode opens, and where it goes: into another window, on with another step prompt, into its transcript. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { Episode, patience } from './episode.ts';
import { textOf } from './preview.ts';
import { PageInEditor, writeRuns } from './results-page.ts';
import { Workbench } from './workbench.ts';

/** A pitch that nobody has judged yet, once it has been handed in. */
const pitch = `---
format: 1
environment: serving
split: mini_pitch_test
options: { judge: model }
---
user:
{{task_text}}
`;

/** A transcript of an instance that there is not: a digit is missing. */
const lost =
  '---\nformat: 1\nenvironment: navigator\ninstance: hs1-train-\n---\n\n=== step 1\nACTION: READ 1\n';

describe.skipIf(whyNoWorkbench())('an episode opens', () => {
  let workbench: Workbench;
  let episode: Episode;

  beforeAll(async () => {
    workbench = await Workbench.open(
      {
        'workbench.colorTheme': 'Default Dark Modern',
        'editor.minimap.enabled': false,
        'files.autoSave': 'off',
        'files.simpleDialog.enable': true,
      },
      { files: { 'pitch.step.md': pitch, 'lost.episode': lost } },
    );
    writeRuns(workbench.folder);
    await workbench.page.setViewportSize({ width: 1600, height: 900 });
    episode = new Episode(workbench);
    // The palette shows what there is when it opens: the extension must have come up.
    await workbench.page
      .locator('.activitybar .action-item a[aria-label^="Hopscope"]')
      .waitFor({ timeout: 90_000 });
  });
  afterAll(() => workbench?.close());

  const activeTab = () =>
    textOf(workbench.page.locator('.editor-group-container.active .tab.active .label-name'));
  const tabs = () => workbench.page.locator('.tab .label-name').allTextContents();
  const isTitled = (title: string) => expect.poll(activeTab, patience).toBe(title);
  const standing = (expected: RegExp) => expect.poll(() => episode.standing(), patience).toMatch(expected);
  const titleButton = () =>
    workbench.page.locator('.editor-group-container.active .editor-actions a[aria-label^="Open Episode"]');

  async function closeAll(): Promise<void> {
    await workbench.closeEditors();
    await expect.poll(tabs, patience).toEqual([]);
  }

  test('from the palette, where an instance is asked for', async () => {
    await workbench.runCommand('Hopscope: Open Episode…');
    await workbench.quickRows.filter({ hasText: 'id_test' }).first().click({ timeout: 50_000 });
    await workbench.quickInput.fill('4');
    await workbench.page.keyboard.press('Enter');
    await episode.find();
    await isTitled('hs1-id_test-4 · navigator');
  });

  test('goes on with a step prompt that came with the extension, or a copy of it', async () => {
    await episode.button('Step').click();
    await standing(/^After step 1\b/);
    await episode.button('Re-run from Here').click();
    await workbench.quickRows.filter({ hasText: 'comes with Hopscope' }).first().waitFor();
    await workbench.screenshot('episode, choosing a step prompt');
    await workbench.quickRows.filter({ hasText: 'A Copy of navigator' }).click();
    await expect.poll(() => episode.standing(), patience).toContain('Change the copy beside');
    expect((await tabs()).some((label) => label.startsWith('Untitled-'))).toBe(true);
    const copy = workbench.page.locator('.editor-group-container', { hasText: /Untitled-/ });
    await copy.locator('.view-line', { hasText: 'system:' }).click();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.type('\nThink twice.');
    await copy.locator('.view-line', { hasText: 'twice.' }).waitFor();
    await episode.button('Re-run from Here').click();
    await standing(/^Over:/);
    await episode.unfold('prompt');
    await expect
      .poll(() => textOf(episode.frame.locator('.card.prompt .message pre').first()), patience)
      .toMatch(/^Think twice\./);
    await workbench.screenshot('episode, re-run with a copy');
  });

  test('moves into a window of its own and back, as it was', async () => {
    const [steps, standingBefore] = [await episode.steps(), await episode.standing()];
    const opening = workbench.page.waitForEvent('popup');
    await workbench.runCommand('View: Move Editor into New Window');
    const window: Page = await opening;
    const moved = new Episode({ page: window });
    await moved.find();
    await expect.poll(() => moved.steps(), patience).toEqual(steps);
    expect(await moved.standing()).toBe(standingBefore);
    await moved.button('Back').click();
    await expect.poll(() => moved.standing(), patience).toMatch(/^After step \d/);
    const back = await moved.standing();
    await moved.frame.locator('body').press('F1');
    await window
      .locator('.quick-input-widget input[type=text]')
      .first()
      .fill('>View: Restore Editors into Main');
    await window
      .locator('.quick-input-list .monaco-list-row', { hasText: 'Restore Editors' })
      .first()
      .click();
    await episode.find();
    await expect.poll(() => episode.steps(), patience).toEqual(steps);
    expect(await episode.standing()).toBe(back);
    await closeAll();
  });

  test('from an instance', async () => {
    await workbench.openInstance('train', 3);
    await titleButton().click();
    await episode.find();
    await isTitled('hs1-train-3 · navigator');
    // What it was saved as is what opens beside it.
    await episode.button('Step').click();
    await standing(/^After step 1\b/);
    await episode.button('Save as Transcript').click();
    await expect.poll(() => workbench.quickInput.inputValue(), patience).toMatch(/hs1-train-3\.episode$/);
    await workbench.page.keyboard.press('Enter');
    await expect.poll(() => episode.standing(), patience).toBe('Saved hs1-train-3.episode.');
    await episode.button('Open Transcript Beside').click();
    await workbench.page.locator('.tab', { hasText: 'hs1-train-3.episode' }).waitFor();
    await closeAll();
  });

  test('from a transcript at the second try, when it is mended', async () => {
    await workbench.openPath('lost.episode');
    await workbench.runCommand('Hopscope: Open Episode…');
    await episode.find('Try Again');
    expect(await textOf(episode.frame.locator('[role=status]'))).toMatch(/cannot be opened/);
    await episode.button('Try Again').waitFor();
    await workbench.screenshot('episode, not opened');
    await workbench.page.locator('.editor-instance .view-line', { hasText: /^instance:/ }).click();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.type('0');
    await workbench.page.locator('.editor-instance .view-line', { hasText: 'hs1-train-0' }).waitFor();
    await episode.button('Try Again').click();
    await episode.find();
    await standing(/^After step 1\b/);
    await workbench.page.locator('.editor-instance .view-line', { hasText: 'hs1-train-0' }).click();
    await workbench.page.keyboard.press('Control+s');
    await closeAll();
  });

  test('from the command on a step prompt', async () => {
    await workbench.openPath('terse.step.md');
    await workbench.runCommand('Hopscope: Step Episode');
    await episode.find();
    await isTitled('hs1-train-0 · terse');
    await closeAll();
  });

  test('and a person judges in it, question by question', async () => {
    await workbench.openPath('pitch.step.md');
    await workbench.runCommand('Hopscope: Step Episode');
    await episode.find();
    await episode.choose('oracle');
    await episode.button('Run to End').click();
    await standing(/^After step \d+, waiting for a verdict\.$/);
    await workbench.screenshot('episode, verdict');
    expect(await episode.violations()).toEqual([]);
    // All that is asked is reached by the Tab key.
    const reached: string[] = [];
    await episode.frame.locator('.card.you .fold').focus();
    for (let presses = 0; presses < 40 && reached.at(-1) !== 'Give Verdict'; presses++) {
      await workbench.page.keyboard.press('Tab');
      reached.push(await episode.focused());
    }
    expect(reached).toContain('What is judged');
    expect(reached.at(-1)).toBe('Give Verdict');
    expect(reached.length).toBeGreaterThan((await episode.frame.locator('.card.you fieldset').count()) + 1);
    const questions = episode.frame.locator('.card.you fieldset');
    for (const question of await questions.all()) await question.getByLabel('mentioned').check();
    await questions.first().getByLabel('denied').focus();
    await workbench.page.keyboard.press('Space');
    await episode.frame.getByLabel('Invented claims').fill('It flies.');
    await episode.button('Give Verdict').click();
    await standing(/^Over: finished after \d+ step/);
    const judged = episode.frame.locator('.card', { hasText: 'Judged by a person' }).first();
    expect(await textOf(judged.locator('tbody tr').first())).toMatch(/denied/);
    expect(await textOf(judged.locator('tbody tr').last())).toMatch(/It flies\.\s*invented/);
    await workbench.screenshot('episode, judged by a person');
    await episode.button('Add to Runs').click();
    await standing(/^Added run serving--/);
    await closeAll();
  });

  test('from a row of the Instances view', async () => {
    const rows = workbench.page.locator('.pane', { hasText: 'Instances' }).locator('.monaco-list-row');
    if (!(await rows.first().isVisible())) {
      await workbench.page.locator('.activitybar .action-item a[aria-label^="Hopscope"]').click();
    }
    await rows.filter({ hasText: 'ood_test' }).locator('.monaco-tl-twistie').click();
    await rows.filter({ hasText: 'hs1-ood_test-3' }).first().click({ button: 'right' });
    await workbench.page.locator('.monaco-menu .action-item', { hasText: 'Open Episode' }).first().hover();
    await workbench.page.keyboard.press('Enter');
    await episode.find();
    await expect.poll(activeTab, patience).toMatch(/^hs1-ood_test-3\b/);
    await standing(/^After step 0\b/);
    await closeAll();
  });

  test('from a run in the Runs view', async () => {
    const results = new PageInEditor(workbench);
    if (!(await results.inView('hasty').isVisible())) {
      await workbench.page.locator('.activitybar .action-item a[aria-label^="Hopscope"]').click();
    }
    await results.inView('hasty').first().click({ button: 'right' });
    // A menu takes no clicks in its first moments, but keys.
    await workbench.page.locator('.monaco-menu .action-item', { hasText: 'Open Episode' }).first().hover();
    await workbench.page.keyboard.press('Enter');
    await workbench.quickMessage.filter({ hasText: 'from 0 to 23' }).waitFor();
    await workbench.quickInput.fill('99');
    await workbench.quickMessage.filter({ hasText: 'A whole number from 0 to 23.' }).waitFor();
    await workbench.quickInput.fill('5');
    await workbench.page.keyboard.press('Enter');
    await episode.find();
    await expect.poll(activeTab, patience).toMatch(/^hs1-id_test-5\b/);
    await standing(/^Over: answered after 2 steps/);
    await closeAll();
  });

  test('from a row of the results', async () => {
    const results = new PageInEditor(workbench);
    await results.openFromView('hasty');
    await results.row(1).click();
    await results.details.getByRole('button', { name: 'Step through' }).click();
    await episode.find();
    await expect.poll(activeTab, patience).toMatch(/^hs1-id_test-1\b/);
    await standing(/^Over: answered after 2 steps/);
    await workbench.screenshot('episode, from the results');
    await closeAll();
  });

  test('from a transcript, which is the one that opens beside it', async () => {
    await workbench.page.keyboard.press('Control+B');
    await workbench.openPath('play.episode');
    const before = fs.readFileSync(path.join(workbench.folder, 'play.episode'), 'utf8');
    await titleButton().click();
    await episode.find();
    const labels = await tabs();
    await episode.button('Open Transcript Beside').click();
    // Nothing else was opened, and nothing is changed as long as both say the same.
    await episode.goTo(1);
    expect(await tabs()).toEqual(labels);
    const lines = workbench.page.locator('.editor-instance .view-line');
    await lines
      .filter({ hasText: /^===.step.2/ })
      .first()
      .click();
    await standing(/^(After step 2|Over:)/);
    expect(await workbench.page.locator('.tab.dirty').count()).toBe(0);
    // Acting differently is written into it, to be undone or saved.
    await episode.goTo(1);
    await episode.act('ACTION: DROP 999');
    await standing(/^After step 2\b/);
    await lines.filter({ hasText: 'DROP' }).filter({ hasText: '999' }).first().waitFor();
    await workbench.page.locator('.tab.dirty', { hasText: 'play.episode' }).waitFor();
    await workbench.screenshot('episode, its transcript beside');
    expect(fs.readFileSync(path.join(workbench.folder, 'play.episode'), 'utf8')).toBe(before);
  });

  test('and is the same one after a reload', async () => {
    await workbench.page.locator('.tab', { hasText: 'play.episode' }).click();
    await workbench.page.keyboard.press('Control+S');
    await workbench.page.locator('.tab.dirty').waitFor({ state: 'detached' });
    const [labels, before] = [await tabs(), await episode.steps()];
    // What is kept is written a little later.
    await expect
      .poll(() => keptSessions(workbench).some((text) => text.includes('DROP 999')), patience)
      .toBe(true);
    const reloaded = workbench.page.waitForEvent('load');
    await workbench.runCommand('Developer: Reload Window');
    await reloaded;
    await workbench.page.waitForSelector('.monaco-workbench .part.statusbar .statusbar-item');
    await episode.find();
    await expect.poll(() => episode.steps(), patience).toEqual(before);
    await episode.goTo(1);
    await episode.act('ACTION: DROP 998');
    await standing(/^After step 2\b/);
    const lines = workbench.page.locator('.editor-instance .view-line');
    await lines.filter({ hasText: '998' }).first().waitFor();
    expect(await tabs()).toEqual(labels);
  });
});

/** The sessions that are kept over reloads, as text. */
function keptSessions({ data }: Workbench): readonly string[] {
  return fs
    .readdirSync(data, { recursive: true, encoding: 'utf8' })
    .filter((name) => /episodes[\\/][\w-]+\.json$/.test(name))
    .map((name) => fs.readFileSync(path.join(data, name), 'utf8'));
}
