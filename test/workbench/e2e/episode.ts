/** The episode panel on the page: a page in a page in the page, one of perhaps several. */
import fs from 'node:fs';
import path from 'node:path';

import { source as axe } from 'axe-core';
import type { Frame, Locator } from 'playwright-core';
import { expect } from 'vitest';
import { wordsOf } from './preview.ts';
import type { Workbench } from './workbench.ts';

export const patience = { timeout: 20_000 };

/** A theme of every kind, and what a page calls its kind. */
const themes = {
  'Default Light Modern': 'vscode-light',
  'Default High Contrast': 'vscode-high-contrast',
  'Default High Contrast Light': 'vscode-high-contrast-light',
  'Default Dark Modern': 'vscode-dark',
} as const;

export class Episode {
  readonly #workbench: Pick<Workbench, 'page'>;
  #frame: Frame | undefined;

  /** @param workbench or one of its other windows */
  constructor(workbench: Pick<Workbench, 'page'>) {
    this.#workbench = workbench;
  }

  /**
   * Waits for the panel that is shown, and goes on with it: panels are made anew when they come back to the front.
   *
   * @param button by which it is known while there is no episode in it
   */
  async find(button?: string): Promise<Frame> {
    let found: Frame | undefined;
    const look = async () => {
      for (const frame of this.#workbench.page.frames()) {
        const sign =
          button === undefined
            ? frame.locator('.controls vscode-single-select[label="Driver"]')
            : frame.getByRole('button', { name: button, exact: true });
        const isShown = await sign.isVisible().catch(() => false);
        if (isShown) found = frame;
      }
      return found !== undefined;
    };
    await expect.poll(look, patience).toBe(true);
    if (!found) throw new Error('no panel');
    this.#frame = found;
    return found;
  }

  get frame(): Frame {
    if (!this.#frame) throw new Error('The panel has not been found yet.');
    return this.#frame;
  }

  /** A button by its name. */
  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** What the status line says. */
  standing(): Promise<string> {
    return wordsOf(this.frame.locator('.standing'));
  }

  /** What is said in the alert, e.g. why a step failed. */
  failure(): Promise<string> {
    return wordsOf(this.frame.locator('[role=alert]'));
  }

  async choose(driver: string): Promise<void> {
    const select = this.frame.locator('vscode-single-select[label="Driver"]');
    await select.click();
    await select.locator('.option', { hasText: driver }).first().click();
  }

  /** The steps of the branch that is shown, as screen readers hear them: number, name, remark, tokens held. */
  steps(): Promise<readonly string[]> {
    return this.frame.locator('#steps [role=option]').evaluateAll((options) =>
      options.map((option) =>
        Array.from(option.children, (part) => part.textContent?.trim())
          .filter(Boolean)
          .join(' '),
      ),
    );
  }

  /** Goes to a step of the branch by a click. */
  async goTo(step: number): Promise<void> {
    await this.frame.locator('#steps [role=option]').nth(step).click();
    await expect.poll(() => this.standing(), patience).toMatch(new RegExp(`^(After step ${step}\\b|Over:)`));
  }

  /**
   * What axe finds in a light theme and in one of high contrast, with a comparison, at the end of the branch, and with
   * an alert, at its beginning.
   */
  async violationsInOtherThemes(folder: string): Promise<readonly string[]> {
    const found: string[] = [];
    await this.frame
      .getByRole('button', { name: /^Compare with/ })
      .first()
      .click();
    await this.frame.locator('.compared').waitFor();
    for (const theme of ['Default High Contrast', 'Default Light Modern'] as const) {
      await this.wear(theme, folder);
      found.push(...(await this.violations()));
    }
    await this.choose('Model…');
    await this.button('Restart').click();
    await expect.poll(() => this.standing(), patience).toMatch(/^After step 0\b/);
    await this.button('Step').click();
    await this.button('Dismiss').waitFor();
    found.push(...(await this.violations()));
    return found;
  }

  /** The text of the reply. */
  reply(): Locator {
    return this.frame.locator('.card.reply pre').first();
  }

  /** Types a reply and plays it. */
  async act(text: string): Promise<void> {
    const field = this.frame.getByRole('textbox', { name: 'Reply' });
    await field.fill(text);
    await field.press('Control+Enter');
  }

  /** Unfolds a part, unless it is. */
  async unfold(part: string): Promise<void> {
    const fold = this.frame.locator(`.card.${part} > h2 > button`);
    if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
  }

  /** What axe finds wrong with the page, as `rule: element`; nothing but what is serious. */
  async violations(): Promise<readonly string[]> {
    await this.frame.evaluate(axe);
    const found: unknown = await this.frame.evaluate(
      "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations" +
        ".filter(({ impact }) => impact === 'serious' || impact === 'critical')" +
        ".flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))",
    );
    return Array.isArray(found) ? found.map(String) : ['axe did not run'];
  }

  /** Has the workbench wear a theme, until the page does, too. @param folder that is open */
  async wear(theme: keyof typeof themes, folder: string): Promise<void> {
    const settings = path.join(folder, '.vscode/settings.json');
    fs.mkdirSync(path.dirname(settings), { recursive: true });
    fs.writeFileSync(settings, JSON.stringify({ 'workbench.colorTheme': theme }));
    await this.frame.locator(`body.${themes[theme]}`).waitFor();
  }

  /** Presses a key several times within one turn of the page: before it is drawn, and before the server can answer. */
  async pressAtOnce(list: Locator, key: string, times: number): Promise<void> {
    await list.evaluate(
      (element, [name, count]) => {
        for (let press = 0; press < count; press++) {
          element.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
        }
      },
      [key, times] as const,
    );
  }

  /** The name of what has the focus. */
  focused(): Promise<string> {
    return this.frame.evaluate(() => {
      let focused = document.activeElement;
      let name = '';
      for (;;) {
        const label =
          focused?.getAttribute('aria-label') ?? focused?.getAttribute('label') ?? focused?.textContent ?? '';
        if (name === '') name = label.replace(/\s+/g, ' ').trim();
        const inner = focused?.shadowRoot?.activeElement;
        if (!inner) return name;
        focused = inner;
      }
    });
  }
}
