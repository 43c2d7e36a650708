/** How the preview looks in every kind of theme and in little room, and that keys and screen readers find everything. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { Preview, textOf } from './preview.ts';
import { Workbench } from './workbench.ts';

const patience = { timeout: 15_000 };

/** Settings that leave the room to the editors. */
const roomy = {
  'files.autoSave': 'off',
  'workbench.activityBar.location': 'hidden',
  'editor.minimap.enabled': false,
};

const themes = {
  'Default Light Modern': 'vscode-light',
  'Default High Contrast': 'vscode-high-contrast',
  'Default High Contrast Light': 'vscode-high-contrast-light',
} as const;

describe.skipIf(whyNoWorkbench())('the preview', () => {
  let workbench: Workbench;
  let preview: Preview;

  beforeAll(async () => {
    workbench = await Workbench.open({ ...roomy, 'workbench.colorTheme': 'Default Dark Modern' });
    preview = new Preview(workbench);
    await workbench.openFile('terse.step.md');
    await workbench.page.keyboard.press('Control+B');
    await workbench.editor.locator('.codelens-decoration a', { hasText: 'Preview' }).click();
    await preview.text('user').waitFor();
    await workbench.line('QUESTION').click();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.type(' Think!');
    await preview.frame.locator('ins').waitFor();
    await preview.button('Next step').click();
    await preview.frame.locator('.message.user pre', { hasText: /Read: \d/ }).waitFor();
  });
  afterAll(() => workbench?.close());

  test.each(Object.entries(themes))('is legible in %s', async (theme, name) => {
    const settings = path.join(workbench.folder, '.vscode/settings.json');
    fs.mkdirSync(path.dirname(settings), { recursive: true });
    fs.writeFileSync(settings, JSON.stringify({ 'workbench.colorTheme': theme }));
    await preview.frame.locator(`body.${name}`).waitFor();
    const contrast = await preview.text('system').evaluate((pre) => {
      const light = (colour: string) => {
        const parts = colour.match(/[\d.]+/g)?.map((part) => Number(part) / 255) ?? [];
        const [red = 0, green = 0, blue = 0] = parts.map((part) =>
          part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const text = light(getComputedStyle(pre).color);
      const controls = document.querySelector('.controls') ?? document.body;
      const ground = light(getComputedStyle(controls).backgroundColor);
      return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    });
    expect(contrast).toBeGreaterThan(4.5);
    await workbench.screenshot(`preview ${theme}`);
  });

  test('has all in sight at 320 pixels', async () => {
    await workbench.runCommand('View: Toggle Maximize Editor Group');
    await workbench.page.setViewportSize({ width: 320, height: 800 });
    const widths = () =>
      preview.frame
        .locator('html')
        .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    await expect.poll(async () => (await widths()).clientWidth, patience).toBeLessThanOrEqual(320);
    const { scrollWidth, clientWidth } = await widths();
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    await workbench.screenshot('preview 320');
  });

  test('can be used by keys alone, which show where they are', async () => {
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
    await preview.button('hs1-train-0').focus();
    const reached: string[] = [];
    for (let presses = 0; presses < 5; presses++) {
      await workbench.page.keyboard.press('Tab');
      reached.push(await focusedName(preview));
    }
    expect(reached).toEqual([
      'Changes',
      'Copy as JSON',
      'Copy as curl',
      'Text of the system message',
      'Text of the user message',
    ]);
    const outline = await preview.text('user').evaluate((pre) => getComputedStyle(pre).outlineStyle);
    expect(outline).not.toBe('none');
    for (let presses = 0; presses < 6; presses++) await workbench.page.keyboard.press('Shift+Tab');
    const before: string[] = [];
    for (let presses = 0; presses < 7; presses++) {
      before.push(await focusedName(preview));
      await workbench.page.keyboard.press('Shift+Tab');
    }
    expect(before).toEqual([
      'Next step',
      'Step',
      'Previous step',
      'Policy',
      'Next instance',
      'Instance',
      'Split',
    ]);
  });

  test('goes to an instance by its number', async () => {
    const field = preview.frame.locator('vscode-textfield[label="Instance"] input');
    await field.fill('7');
    await field.press('Enter');
    await expect.poll(() => preview.place(), patience).toContain('train 7, oracle, step 1');
    await expect.poll(() => textOf(preview.text('user')), patience).toContain('(empty)');
  });
});

/** The name of what has the focus, as a screen reader says it. */
async function focusedName(preview: Preview): Promise<string> {
  return preview.frame.locator('html').evaluate(() => {
    let focused = document.activeElement;
    let name = '';
    for (;;) {
      const label =
        focused?.getAttribute('aria-label') ?? focused?.getAttribute('label') ?? focused?.textContent ?? '';
      if (name === '') name = label.trim();
      const inner = focused?.shadowRoot?.activeElement;
      if (!inner) return name;
      focused = inner;
    }
  });
}
