/** What a person does first: opens a transcript with a mistake in it, and an instance. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generate } from '../../../server/src/engine/environments/navigator/generate.ts';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { Workbench } from './workbench.ts';

/** Which instance the tests open. */
const split = 'ood_test';
const index = 3;
const generated = generate(split, index);
if (!generated.ok) throw new Error(generated.error);
const { instance } = generated.value;

/** A chunk that the transcript of the fixture may well read first, so that nothing else is said about it. */
const played = generate('train', 17);
const firstChunk = played.ok ? played.value.instance.evidence[0]?.chunk_idx : undefined;

const patience = { timeout: 15_000 };

describe.skipIf(whyNoWorkbench())('the editor', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await Workbench.open({ 'workbench.colorTheme': 'Default Light Modern' });
  });
  afterAll(() => workbench?.close());

  test('underlines what is wrong, and nothing else', async () => {
    await workbench.openFile('broken.episode');
    await workbench.editor.locator('.squiggly-error').first().waitFor();
    await expect.poll(() => workbench.squiggled('error'), patience).toEqual(['S1']);
    expect(await workbench.squiggled('warning')).toEqual([]);
    await workbench.page.keyboard.press('Control+Shift+M');
    const row = workbench.page.locator('.markers-panel .monaco-list-row', { hasText: 'read-needs-chunk' });
    await row.waitFor();
    expect(((await row.textContent()) ?? '').replace(/\s+/g, ' ')).toMatch(
      /READ loads a chunk by its number.*hopscope.*action\.read-needs-chunk.*Ln 9, Col 14/,
    );
    await workbench.screenshot('problems');
    await workbench.page.keyboard.press('Control+Shift+M');
  });

  test('follows typing', async () => {
    await workbench.line('ACTION: READ').click();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.press('Backspace');
    await workbench.page.keyboard.press('Backspace');
    await workbench.page.keyboard.type(`${firstChunk}, 5`);
    await expect.poll(() => workbench.squiggled('warning'), patience).toEqual(['5']);
    expect(await workbench.squiggled('error')).toEqual([]);
  });

  test('opens an instance from the palette', async () => {
    await workbench.runCommand('Hopscope: Open Instance…');
    await workbench.quickRows.first().waitFor();
    const labels = await workbench.quickLabels.allTextContents();
    // Those of the first environment; the others follow.
    expect(labels.slice(0, 4)).toEqual(['train', 'id_test', 'ood_test', 'scale_test']);
    await workbench.screenshot('open instance, split');
    await workbench.quickRows.filter({ hasText: split }).click();

    await workbench.quickInput.fill('seventeen');
    await expect.poll(() => workbench.quickMessage.textContent(), patience).toContain('whole number');
    await workbench.quickInput.fill('99999999999');
    await expect.poll(() => workbench.quickMessage.textContent(), patience).toContain('99999999999');
    await workbench.screenshot('open instance, refused');
    await workbench.quickInput.fill(String(index));
    await expect.poll(() => workbench.quickMessage.textContent(), patience).toContain('Index from 0');
    await workbench.page.keyboard.press('Enter');
    await workbench.tab(instance.id).waitFor();
    await workbench.line('Question: What').waitFor();
  });

  test('shows the outline of an open instance', async () => {
    await workbench.page.keyboard.press('Control+Shift+O');
    await workbench.quickInput.fill('@Personnel Directory');
    await workbench.quickRows.filter({ hasText: 'Personnel Directory' }).first().waitFor();
    await workbench.screenshot('go to symbol');
    await workbench.page.keyboard.press('Enter');
    await workbench.line('# Personnel Directory').waitFor();

    await workbench.runCommand('Explorer: Focus on Outline View');
    await workbench.page.locator('.pane-header', { hasText: /^e2e-/i }).click(); // gives the outline its room
    const outline = workbench.page.locator('.outline-pane .monaco-list-row');
    /** Level, name and detail of the rows in sight. */
    const rows = () =>
      outline.evaluateAll((list) =>
        list.map((row) => {
          const label = row.querySelector('.label-name')?.textContent;
          const detail = row.querySelector('.label-description')?.textContent ?? '';
          return `${row.getAttribute('aria-level')} ${label} ${detail}`.trim();
        }),
      );
    const chunk = instance.chunks.find(({ section }) => section === 'Personnel Directory');
    const name = `[${chunk?.idx}] ${chunk?.header.split(' · ')[1]}`;
    await expect.poll(rows, patience).toContain(`1 ${instance.id} ${instance.n_hops} hops`);
    await expect
      .poll(rows, patience)
      .toContainEqual(expect.stringMatching(/^1 Personnel Directory \d+ chunks, /));
    await expect.poll(rows, patience).toContain(`2 ${name} ${chunk?.tokens} tokens`);
    for (const entry of chunk?.entity_names ?? []) await expect.poll(rows, patience).toContain(`3 ${entry}`);
    await workbench.screenshot('outline');
  });

  test('folds sections', async () => {
    await workbench.line('# Personnel Directory').click();
    await workbench.runCommand('Fold All');
    const lines = () => workbench.editor.locator('.view-line').allTextContents();
    const shown = async () =>
      (await lines()).map((line) => line.replaceAll('\u00a0', ' ')).filter((line) => line.trim());
    await expect
      .poll(async () => (await shown()).filter((line) => line.startsWith('# ')).length, patience)
      .toBeGreaterThan(7);
    for (const line of await shown()) expect(line).toMatch(/^(?:hs1-|# )/);
    await workbench.screenshot('folded');
    await workbench.runCommand('Unfold All');
    await workbench.page.keyboard.press('Control+Home');
    await workbench.line('Question: What').waitFor();
  });

  test('does not let an instance be changed', async () => {
    await workbench.line('Question: What').click();
    await workbench.page.keyboard.type('x');
    await workbench.page.locator('.monaco-editor-overlaymessage', { hasText: 'read-only' }).waitFor();
  });

  test('remembers what was opened last', async () => {
    await workbench.runCommand('Hopscope: Open Instance…');
    await workbench.quickRows.first().waitFor();
    expect(await workbench.quickLabels.first().textContent()).toBe(split);
    await workbench.page.keyboard.press('Enter');
    await expect.poll(() => workbench.quickInput.inputValue(), patience).toBe(String(index));
    await workbench.page.keyboard.press('Escape');
  });
});
