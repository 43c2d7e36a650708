/** What a person does with a step prompt: writes it with help, and sees what it gives while typing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { Preview, textOf, wordsOf } from './preview.ts';
import { Workbench } from './workbench.ts';

const patience = { timeout: 15_000 };

describe.skipIf(whyNoWorkbench())('a step prompt', () => {
  let workbench: Workbench;
  let preview: Preview;

  beforeAll(async () => {
    workbench = await Workbench.open({
      'workbench.colorTheme': 'Default Dark Modern',
      'files.autoSave': 'off', // in a browser it is on
    });
    preview = new Preview(workbench);
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(() => workbench?.close());

  const userText = () => textOf(preview.text('user'));
  const clipboard = () => workbench.page.evaluate(() => navigator.clipboard.readText());

  const activeTab = () => workbench.page.locator('.editor-group-container.active .tab.active .label-name');

  /** Goes from the preview, or from elsewhere, to the text of the prompt. */
  async function goToPrompt(): Promise<void> {
    await workbench.page
      .locator('.tabs-container .tab .label-name', { hasText: /^terse\.step\.md$/ })
      .click();
    await expect.poll(() => textOf(activeTab()), patience).toBe('terse.step.md');
  }

  /** Puts the cursor at the end of the line that contains `text`. */
  async function goToEndOf(text: string): Promise<void> {
    await goToPrompt();
    await workbench.line(text).click();
    await workbench.page.keyboard.press('End');
  }

  test('opens its preview from the lens', async () => {
    await workbench.openFile('terse.step.md');
    await workbench.page.keyboard.press('Control+B'); // room for two editors
    await workbench.editor.locator('.codelens-decoration a', { hasText: 'Preview' }).click();
    await preview.text('user').waitFor();
    expect(await preview.place()).toBe('train 0, oracle, step 1 of 6');
    expect(await textOf(preview.text('system'))).toMatch(
      /^You answer a question .*\n\n {4}ACTION: READ <id>\n/,
    );
    expect(await userText()).toMatch(/^QUESTION: What is .*\?\n\n {2}\[0\] Project Register · .*\(empty\)$/s);
    // It opens beside, and typing goes on in the prompt.
    expect(await textOf(activeTab())).toBe('terse.step.md');
    await workbench.screenshot('prompt, preview');
  });

  test('says how large each message is', async () => {
    const hints = () => textOf(workbench.editor.locator('.view-line').filter({ hasText: 'user:' }));
    await expect
      .poll(hints, patience)
      .toMatch(/^user: ?\d+ tokens \(max [\d,]+\) · o200k [\d,]+ \(max [\d,]+\)$/);
    const size = preview.frame.locator('.message.user .size');
    await expect.poll(() => wordsOf(size), patience).toMatch(/^\d+ tokens · o200k [\d,]+$/);
  });

  test('sums up the sizes in the status bar', async () => {
    await workbench.page.locator('[id="status.languageStatus"]').hover();
    const status = workbench.page.locator('.hover-language-status', { hasText: 'o200k' });
    await expect
      .poll(() => wordsOf(status), patience)
      .toMatch(
        /^[\d,]+ tokens · o200k [\d,]+.*at most [\d,]+ tokens · o200k [\d,]+ · train 0, oracle, step 1/,
      );
    await workbench.page.keyboard.press('Escape');
  });

  test('follows typing and marks what changed', async () => {
    await goToEndOf('QUESTION');
    await workbench.page.keyboard.type(' Think first.');
    await expect
      .poll(() => preview.frame.locator('ins').allInnerTexts(), patience)
      .toEqual([' Think first.']);
    expect(await userText()).toMatch(/^QUESTION: What is .*\? Think first\.\n/);
    await workbench.screenshot('prompt, preview with changes');
    await preview.frame.locator('vscode-checkbox').click();
    await expect.poll(() => preview.frame.locator('ins').count(), patience).toBe(0);
    expect(await userText()).toContain('? Think first.\n');
    await preview.frame.locator('vscode-checkbox').click();
    await expect.poll(() => preview.frame.locator('ins').count(), patience).toBe(1);
  });

  test('keeps the last good rendering while there are errors', async () => {
    await goToEndOf('QUESTION');
    await workbench.page.keyboard.type(' {{questoin');
    await workbench.page.keyboard.press('Escape');
    const note = preview.frame.locator('.stale-note');
    await expect
      .poll(() => wordsOf(note), patience)
      .toBe('The prompt has errors. This is what it gave before.');
    const problem = preview.frame.locator('.message.user .problems li');
    await expect
      .poll(() => problem.allInnerTexts(), patience)
      .toContain('Line 14: Error: There is no variable "questoin" here. Did you mean "question"?');
    // The first brace is text until the second one comes.
    expect(await userText()).toMatch(/\? Think first\. ?\{?\n/);
    await expect.poll(() => workbench.squiggled('error'), patience).toContain('questoin');
    await workbench.screenshot('prompt, preview with errors');

    // The link leads to the place in the prompt.
    await problem.getByRole('button').first().click();
    const before = 'QUESTION: {{question}} Think first. {{';
    const cursor = workbench.page.locator('[id="status.editor.selection"]');
    await expect.poll(() => wordsOf(cursor), patience).toBe(`Ln 14, Col ${before.length + 1}`);
  });

  test('mends a name by its quick fix', async () => {
    await workbench.page.keyboard.press('Control+.');
    const fix = workbench.page.locator('.action-widget .monaco-list-row.focused');
    await expect.poll(() => wordsOf(fix), patience).toContain('Change to "question"');
    await workbench.screenshot('prompt, quick fix');
    await workbench.page.keyboard.press('Enter');
    await expect.poll(() => workbench.squiggled('error'), patience).toEqual([]);
    await expect.poll(() => preview.frame.locator('.stale-note').count(), patience).toBe(0);
    await expect.poll(userText, patience).toMatch(/\? Think first\. What is .*\?\n/);
  });

  test('completes names, those of the section first', async () => {
    await goToEndOf('tokens) {{text}}');
    await workbench.page.keyboard.type(' {{');
    const items = workbench.page.locator('.suggest-widget.visible .monaco-list-row .label-name');
    await expect
      .poll(async () => (await items.allInnerTexts()).slice(0, 4), patience)
      .toEqual(['id', 'tokens', 'text', 'is_chunk']);
    await workbench.screenshot('prompt, completion');
    await workbench.page.keyboard.type('sourc');
    await expect.poll(async () => (await items.allInnerTexts())[0], patience).toBe('sources');
    await workbench.page.keyboard.press('Enter');
    await expect
      .poll(() => textOf(workbench.line('tokens) {{text}}')), patience)
      .toMatch(/\{\{text\}\}.\{\{sources\}\}$/);
  });

  test('hovers tell the value, go to definition the documentation', async () => {
    await goToPrompt();
    const name = workbench.line('{{map_text}}').getByText('map_text');
    await name.hover();
    const hover = workbench.page.locator('.monaco-hover:visible', { hasText: 'map_text' });
    await hover.waitFor();
    expect(await textOf(hover)).toMatch(
      /map_text \(Text, needed or map\).*On hs1-train-0, step 1 of 6:.*\[0\] Project Register/s,
    );
    await workbench.screenshot('prompt, hover');
    await name.click();
    await workbench.page.keyboard.press('F12');
    await expect.poll(() => textOf(activeTab()), patience).toBe('navigator.md');
    await expect.poll(() => workbench.line('### map_text').count(), patience).toBe(1);
    await workbench.screenshot('prompt, documentation');
    await goToPrompt();
  });

  test('moves through steps, instances and policies', async () => {
    await preview.button('Next step').click();
    await expect.poll(() => preview.place(), patience).toBe('train 0, oracle, step 2 of 6');
    expect(await userText()).toMatch(/Read: \d+\n.*\[\d+\] \(\d+ tokens\) /s);
    await preview.button('Next instance').click();
    await expect.poll(() => preview.place(), patience).toMatch(/^train 1, oracle, step 1 of \d$/);
    await preview.choose('Policy', 'random-reader');
    await expect.poll(() => preview.place(), patience).toMatch(/^train 1, random-reader, step 1 of \d+$/);
    await preview.choose('Policy', 'oracle');
    await preview.choose('Split', 'ood_test');
    await expect.poll(() => preview.place(), patience).toMatch(/^ood_test 0, oracle, step 1 of \d+$/);
    await expect
      .poll(() => preview.frame.locator('.quiet').allInnerTexts(), patience)
      .toEqual(['ood_test is a test split. What you tune while looking at it, it can no longer measure.']);
    await workbench.screenshot('prompt, preview on a test split');
    await preview.choose('Split', 'train');
    await expect.poll(() => preview.frame.locator('.quiet').count(), patience).toBe(0);
  });

  test('the hover follows the preview', async () => {
    await preview.button('Next step').click();
    await expect.poll(() => preview.place(), patience).toBe('train 0, oracle, step 2 of 6');
    await goToPrompt();
    await workbench.line('{{ledger_text}}').getByText('ledger_text').hover();
    const hover = workbench.page.locator('.monaco-hover:visible', { hasText: 'ledger_text' });
    await expect.poll(() => textOf(hover), patience).toContain('step 2 of 6');
    await workbench.page.keyboard.press('Escape');
  });

  test('copies the request', async () => {
    await preview.button('Copy as JSON').click();
    await expect.poll(clipboard, patience).toMatch(/^\{\n {2}"messages": \[/);
    const { messages } = JSON.parse(await clipboard());
    expect(messages).toEqual([
      { role: 'system', content: await textOf(preview.text('system')) },
      {
        role: 'user',
        content: await preview.text('user').evaluate((pre) => {
          const copy = pre.cloneNode(true);
          if (copy instanceof Element) for (const removed of copy.querySelectorAll('del')) removed.remove();
          return copy.textContent;
        }),
      },
    ]);
    await workbench.page.locator('.notification-toast', { hasText: 'The prompt names no model' }).waitFor();
    await preview.button('Copy as curl').click();
    await expect.poll(clipboard, patience).toMatch(/^curl ".*\$HOPSCOPE_API_KEY/s);
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  test('steps through the episode in a panel', async () => {
    await goToPrompt();
    await workbench.editor.locator('.codelens-decoration a', { hasText: 'Step Episode' }).click();
    await expect.poll(() => textOf(activeTab()), patience).toBe('hs1-train-0 · terse');
    await workbench.runCommand('View: Close Editor');
    await expect.poll(() => textOf(activeTab()), patience).not.toContain('hs1-train-0');
  });

  test('shows the end of a long message when asked', async () => {
    await preview.tab.click(); // the episode had taken its place
    await expect.poll(() => preview.place(), patience).toBe('train 0, oracle, step 2 of 6');
    await goToPrompt();
    const long = Array.from({ length: 6000 }, (_, at) => `Line ${at} of a long prompt.`).join('\n');
    await workbench.page.evaluate((text) => navigator.clipboard.writeText(text), long);
    await workbench.line('(empty)').click();
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.press('Control+V');
    await expect.poll(userText, patience).toContain('Line 0 of a long prompt.');
    expect(await userText()).not.toContain('Line 5999 of a long prompt.');
    await preview.button('Show all of this message').click();
    await expect.poll(userText, { timeout: 30_000 }).toMatch(/Line 5999 of a long prompt\.$/);
    expect(await userText()).toContain('Line 3000 of a long prompt.');
    await goToPrompt();
    await workbench.page.keyboard.press('Control+Z');
    await expect.poll(userText, patience).not.toContain('long prompt');
  });

  test('comes back after a reload', async () => {
    await preview.button('Next step').click();
    await expect.poll(() => preview.place(), patience).toBe('train 0, oracle, step 3 of 6');
    const scroll = () => preview.text('user').evaluate(() => window.scrollY);
    await preview.text('user').evaluate(
      () =>
        new Promise((done) => {
          window.addEventListener('scrollend', done, { once: true });
          window.scrollTo(0, 400);
        }),
    );
    const reloaded = workbench.page.waitForEvent('load');
    await workbench.runCommand('Developer: Reload Window');
    await reloaded;
    await workbench.page.waitForSelector('.monaco-workbench .part.statusbar .statusbar-item');
    await expect.poll(() => preview.text('user').count(), { timeout: 30_000 }).toBe(1);
    await expect.poll(() => preview.place(), patience).toBe('train 0, oracle, step 3 of 6');
    // The prompt has still not been saved.
    await expect.poll(() => preview.frame.locator('ins').count(), patience).toBeGreaterThan(0);
    await expect.poll(scroll, patience).toBeGreaterThan(300);
  });
});
