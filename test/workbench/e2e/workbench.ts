/** A real workbench with the packaged extension installed, driven as a person would: by keys, mouse and palette. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { CHROMIUM, makeRoot, type Server, serverCommand, startServer } from '../../rig/vscode-server.mjs';
import { forgetWorkers } from '../../rig/webview-workers.mjs';

const project = path.resolve(import.meta.dirname, '../../..');

/** What `npm run package` makes. */
export const VSIX = path.join(project, 'hopscope.vsix');

/** Screenshots and the like; not committed. */
const ARTEFACTS = path.join(project, '.artefacts/e2e');

export interface WorkbenchChoice {
  /** Folders of a workspace, each with the fixtures; none opens the fixtures as the one folder. */
  readonly roots?: readonly string[];
  /** Texts of more files, by their paths in the folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the workbench asks whether to trust, and is not told to. */
  readonly isUntrusted?: boolean;
  /** Folder of another extension, beside this file's, that is loaded as one under development and may use proposed APIs. */
  readonly extension?: string;
}

/** Half of the key by which the page seals secrets comes from outside the bare server; without it they end with the page. */
async function keepSecrets(page: Page): Promise<void> {
  const half = randomBytes(32);
  await page.route('**/mint-key', (route) => route.fulfill({ body: half }));
}

export class Workbench {
  readonly page: Page;
  readonly #server: Server;
  readonly #browser: Browser;
  /** Folders to remove at the end. */
  readonly #folders: readonly string[];
  /** The folder that is open in it. */
  readonly folder: string;
  /** Everything that the server keeps: settings, extensions, logs. */
  readonly data: string;

  private constructor(page: Page, server: Server, browser: Browser, root: string, folder: string) {
    this.page = page;
    this.#server = server;
    this.#browser = browser;
    this.#folders = [root, folder];
    this.folder = folder;
    this.data = root;
  }

  /** A fresh server, a fresh profile, the fixtures as the opened folder. */
  static async open(
    settings: Readonly<Record<string, unknown>> = {},
    { roots = [], files = {}, isUntrusted = false, extension }: WorkbenchChoice = {},
  ): Promise<Workbench> {
    const trust = { 'security.workspace.trust.startupPrompt': 'never' };
    const root = makeRoot(isUntrusted ? { ...trust, ...settings } : settings);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'e2e-'));
    const fixtures = path.join(project, 'test/workbench/fixtures');
    for (const name of roots.length > 0 ? roots : ['.']) {
      fs.cpSync(fixtures, path.join(folder, name), { recursive: true });
    }
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      fs.writeFileSync(path.join(folder, name), text);
    }
    const workspace = path.join(folder, 'all.code-workspace');
    if (roots.length > 0) {
      fs.writeFileSync(workspace, JSON.stringify({ folders: roots.map((name) => ({ path: name })) }));
    }
    await serverCommand(root, ['--install-extension', VSIX]);
    const server = await startServer(root, { isUntrusted });
    const browser = await chromium.launch(CHROMIUM);
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(20_000);
    await keepSecrets(page);
    const workbench = new Workbench(page, server, browser, root, folder);
    const opened = roots.length > 0 ? { workspace } : { folder };
    const developed = path.join(import.meta.dirname, '..', extension ?? '');
    const loaded = JSON.stringify([
      ['extensionDevelopmentPath', `vscode-remote://${server.host}${developed}`],
      ['enableProposedApi', 'true'],
    ]);
    const query = { ...opened, ...(extension === undefined ? {} : { payload: loaded }) };
    await page.goto(`${server.url}?${new URLSearchParams(query)}`);
    await page.waitForSelector('.monaco-workbench .part.statusbar .statusbar-item');
    return workbench;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#server.stop();
    for (const folder of this.#folders) fs.rmSync(folder, { recursive: true, force: true });
  }

  async screenshot(name: string): Promise<void> {
    fs.mkdirSync(ARTEFACTS, { recursive: true });
    await this.page.screenshot({ path: path.join(ARTEFACTS, `${name}.png`) });
  }

  /** The editor that is shown. */
  get editor(): Locator {
    return this.page.locator('.editor-group-container.active .editor-instance .monaco-editor').first();
  }

  /** Opens a file of the folder from the explorer and waits until its text is there. */
  async openFile(name: string): Promise<void> {
    const row = this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
    await row.dblclick();
    await this.tab(name).waitFor();
    await this.editor.locator('.view-line span').first().waitFor();
  }

  /** Opens a file by its path, as from the keyboard. */
  async openPath(name: string): Promise<void> {
    await this.page.keyboard.press('Control+P');
    await this.quickInput.fill(name);
    const rows = name.split('/').reduce((found, part) => found.filter({ hasText: part }), this.quickRows);
    await rows.first().click();
    await this.tab(name.split('/').at(-1) ?? name).waitFor();
    await this.editor.locator('.view-line span').first().waitFor();
  }

  /** The tab of the active editor, when its label is `name`. */
  tab(name: string): Locator {
    return this.page.locator('.tabs-container .tab.active', { hasText: name });
  }

  /** Runs a command by its title, from the palette. */
  async runCommand(title: string): Promise<void> {
    const row = this.quickRows.filter({ hasText: title }).first();
    // A page that comes up at that moment takes the focus, and the palette goes with it: then it is opened once more.
    for (const timeout of [4_000, 4_000, undefined]) {
      await this.page.keyboard.press('F1');
      const limit = timeout === undefined ? {} : { timeout };
      const isThere = this.quickInput.fill(`>${title}`, limit).then(() => row.waitFor(limit));
      if (timeout === undefined) await isThere;
      else if (
        !(await isThere.then(
          () => true,
          () => false,
        ))
      )
        continue;
      break;
    }
    await row.click();
  }

  /** Closes all editors, and with the pages among them what they would leave to the next one. */
  async closeEditors(): Promise<void> {
    await this.runCommand('View: Close All Editors');
    await this.page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
    await forgetWorkers(this.page);
  }

  /** Opens a generated instance as a person would, from the palette. */
  async openInstance(split: string, index: number): Promise<void> {
    await this.runCommand('Hopscope: Open Instance…');
    await this.quickRows.filter({ hasText: split }).first().click();
    await this.quickInput.fill(String(index));
    await this.page.keyboard.press('Enter');
    await this.tab(`-${split}-${index}.`).waitFor();
    await this.line('Question: What').waitFor();
  }

  /** Picks an instance of any environment from the palette, each box once it is there and shows what was typed. */
  async pickInstance(environment: string, split: string, index: number): Promise<void> {
    await this.runCommand('Hopscope: Open Instance…');
    await this.quickRows.filter({ hasText: split }).first().waitFor();
    await this.quickInput.fill(environment);
    await this.quickRows.filter({ hasNotText: environment }).first().waitFor({ state: 'detached' });
    await this.quickRows.filter({ hasText: split }).first().click();
    await this.quickMessage.filter({ hasText: 'Index from' }).waitFor();
    await this.quickInput.fill(String(index));
    await this.page.keyboard.press('Enter');
  }

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget input[type=text]').first();
  }

  get quickRows(): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row');
  }

  /** The first line of every row, without its description and details. */
  get quickLabels(): Locator {
    return this.quickRows.locator('.quick-input-list-row:first-child .label-name');
  }

  /** What a quick input says below its box, e.g. why a value is refused. */
  get quickMessage(): Locator {
    return this.page.locator('.quick-input-widget .quick-input-message');
  }

  /** The first visual line of the editor that contains `text`. */
  line(text: string): Locator {
    // The editor draws blanks as no-break spaces.
    const pattern = text.split(' ').map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return this.editor.locator('.view-line', { hasText: new RegExp(pattern.join('[ \u00a0]')) }).first();
  }

  /** The colour of every character of a visual line, as `#RRGGBB`. */
  async coloursOf(line: Locator): Promise<readonly { readonly text: string; readonly colour: string }[]> {
    return line.evaluate((element) => {
      const found: { text: string; colour: string }[] = [];
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const [red = 0, green = 0, blue = 0] =
          getComputedStyle(node.parentElement ?? document.body)
            .color.match(/\d+/g)
            ?.map(Number) ?? [];
        const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('');
        const text = (node.nodeValue ?? '').replaceAll('\u00a0', ' ');
        for (const character of text) found.push({ text: character, colour: `#${hex.toUpperCase()}` });
      }
      return found;
    });
  }

  /** The text that squiggles of a severity underline, in the order of the page. */
  async squiggled(severity: 'error' | 'warning' | 'info'): Promise<readonly string[]> {
    return this.editor.evaluate((editor, kind) => {
      const found: { top: number; left: number; text: string }[] = [];
      for (const squiggle of editor.querySelectorAll(`.squiggly-${kind}`)) {
        const area = squiggle.getBoundingClientRect();
        const middle = (area.top + area.bottom) / 2;
        let text = '';
        for (const line of editor.querySelectorAll('.view-line')) {
          const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const value = node.nodeValue ?? '';
            for (let i = 0; i < value.length; i++) {
              const range = document.createRange();
              range.setStart(node, i);
              range.setEnd(node, i + 1);
              const box = range.getBoundingClientRect();
              const centre = (box.left + box.right) / 2;
              const above = box.top <= middle && middle <= box.bottom;
              if (above && area.left <= centre && centre <= area.right) text += value[i];
            }
          }
        }
        found.push({ top: area.top, left: area.left, text: text.replaceAll('\u00a0', ' ') });
      }
      found.sort((a, b) => a.top - b.top || a.left - b.left);
      return found.map(({ text }) => text);
    }, severity);
  }
}
