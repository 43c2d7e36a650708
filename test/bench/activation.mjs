/**
 * Prints how many milliseconds VS Code says that activating the extension took, each time in a fresh extension host, as a
 * JSON list: loading its code, and the call of `activate`. That is what "Developer: Show Running Extensions" shows.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { bundle } from '../../esbuild.mjs';
import { CHROMIUM, makeRoot, startServer, whyNoWorkbench } from '../rig/vscode-server.mjs';

const STARTS = 5;
const project = path.resolve(import.meta.dirname, '../..');

/** @param {import('playwright-core').Page} page @param {string} key @param {string} text */
async function choose(page, key, text) {
  await page.keyboard.press(key);
  await page.locator('.quick-input-widget input[type=text]').first().fill(text);
  await page.locator('.quick-input-list .monaco-list-row').first().click();
}

if (whyNoWorkbench()) {
  console.log('[]');
  process.exit(0);
}

/** The extension as it ships, without packing and installing it. */
const extension = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-extension-'));
for (const name of ['package.json', 'syntaxes', 'client/media']) {
  fs.cpSync(path.join(project, name), path.join(extension, name), { recursive: true });
}
for (const name of ['client', 'server', 'worker']) {
  await bundle(name, { outdir: path.join(extension, 'dist'), minify: true, sourcemap: false });
}

const root = makeRoot();
const folder = path.join(project, 'test/workbench/fixtures');
const server = await startServer(root);
const browser = await chromium.launch(CHROMIUM);
/** @type {number[]} */
const times = [];
for (let start = -1; start < STARTS; start++) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(30_000);
  const remote = (/** @type {string} */ file) => `vscode-remote://${server.host}${file}`;
  const payload = JSON.stringify([
    ['extensionDevelopmentPath', remote(extension)],
    ['skipWelcome', 'true'],
  ]);
  await page.goto(`${server.url}?${new URLSearchParams({ folder, payload })}`);
  await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
  await delay(3000); // the host is done with the extensions that start with it, which would be measured, too
  await choose(page, 'Control+P', 'broken.episode');
  await page.locator('.squiggly-error').first().waitFor();
  await choose(page, 'F1', '>Developer: Show Running Extensions');
  const row = page.locator('.runtime-extensions-editor .monaco-list-row', { hasText: 'Hopscope' });
  const text = await row.first().textContent();
  const [, milliseconds] = /Activation: (\d+)ms/.exec(text ?? '') ?? [];
  if (milliseconds === undefined) throw new Error(`no time in ${text}`);
  if (start >= 0) times.push(Number(milliseconds));
  await page.close();
}
await browser.close();
await server.stop();
for (const temporary of [root, extension]) fs.rmSync(temporary, { recursive: true, force: true });
console.log(JSON.stringify(times));
