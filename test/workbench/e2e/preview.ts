/** The preview panel on the page: a page in a page in the page. */
import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

export class Preview {
  readonly frame: FrameLocator;
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    this.frame = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  get tab(): Locator {
    return this.#workbench.page.locator('.tabs-container .tab', { hasText: 'Preview ' });
  }

  /** The text of the message of a role, e.g. `user`, as it is shown. */
  text(role: string): Locator {
    return this.frame.locator(`.message.${role} pre`);
  }

  /** A button or a link by its label. */
  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: false });
  }

  /** What is said about the place: `train 0, oracle, step 1 of 7`. */
  async place(): Promise<string> {
    const value = (label: string) =>
      this.frame.locator(`vscode-single-select[label="${label}"]`).evaluate((it) => Reflect.get(it, 'value'));
    const number = (label: string) =>
      this.frame.locator(`vscode-textfield[label="${label}"]`).evaluate((it) => Reflect.get(it, 'value'));
    const steps = await textOf(this.frame.getByRole('group', { name: 'Step' }));
    return `${await value('Split')} ${await number('Instance')}, ${await value('Policy')}, step ${await number('Step')} of ${/of (\d+)/.exec(steps)?.[1]}`;
  }

  /** Chooses from a list by its label. */
  async choose(list: string, item: string): Promise<void> {
    await this.frame.locator(`vscode-single-select[label="${list}"]`).click();
    await this.frame
      .locator(`vscode-single-select[label="${list}"] .option`, { hasText: item })
      .first()
      .click();
  }
}

/** Its text with ordinary blanks: editors draw them as no-break and as hair spaces. */
export async function textOf(locator: Locator): Promise<string> {
  return ((await locator.textContent()) ?? '').replace(/[\u00a0\u200a]/g, ' ');
}

/** Its words, whatever lies between them. */
export async function wordsOf(locator: Locator): Promise<string> {
  return (await textOf(locator)).replace(/\s+/g, ' ').trim();
}
