/**
 * Prints what an episode of 40 steps on a document of 128,000 tokens costs in a real workbench, as JSON: the time until the
 * panel is to be seen, the time from each click on "Step" until its result is on the screen, and how much the heaps of
 * the browser have grown by it all.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { bundle } from '../../esbuild.mjs';
import { CHROMIUM, makeRoot, startServer, whyNoWorkbench } from '../rig/vscode-server.mjs';
import { forgetWorkers } from '../rig/webview-workers.mjs';
import { addBarePage, BARE } from './bare-page.mjs';

const STEPS = 40;
const OPENINGS = 5;
const COMMAND = 'Hopscope: Step Episode';
const project = path.resolve(import.meta.dirname, '../..');

const PROMPT = `---
format: 1
environment: navigator
options: { doc_tokens: [128000], step_budget_base: 60, step_budget_per_hop: 0 }
---
user:
{{question}}

{{map_text}}

{{ledger_text}}

{{held_text}}
`;

/** @param {import('playwright-core').Page} page @param {string} text */
async function run(page, text) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input[type=text]').first().fill(`>${text}`);
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: text }).waitFor();
  await page.keyboard.press('Enter');
}

/** The page of the panel, once it has something to show. @param {import('playwright-core').Page} page */
async function findPanel(page) {
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline) {
    await page.waitForTimeout(50); // whoever asks all the time keeps the page from what it is asked for
    for (const frame of page.frames()) {
      const isThere = await frame
        .locator('.controls')
        .isVisible()
        .catch(() => false);
      const opened =
        isThere && (await frame.evaluate(() => performance.getEntriesByName('hopscope.opened').length));
      if (opened) return frame;
    }
  }
  const picture = path.join(project, '.artefacts/bench-episode.png');
  await page.screenshot({ path: picture });
  throw new Error(`The panel did not open: see ${picture}.`);
}

/** Bytes of all script heaps, after they have been cleaned up. @param {import('playwright-core').Page} page */
async function heaps(page) {
  let sum = 0;
  const seen = new Set();
  for (const target of [page, ...page.frames()]) {
    const session = await page
      .context()
      .newCDPSession(target)
      .catch(() => undefined);
    if (!session) continue; // it shares the heap of the page around it
    await session.send('HeapProfiler.collectGarbage');
    const { id } = await session.send('Runtime.getIsolateId');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    if (!seen.has(id)) sum += usedSize;
    seen.add(id);
    await session.detach();
  }
  return sum;
}

/**
 * Opens a panel by a command, and closes it again unless it is to stay.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} command
 * @param {string | null} tab to close by its label
 */
async function openPanel(page, command, tab) {
  await run(page, command);
  const frame = await findPanel(page);
  const [begun = Number.NaN, shown = Number.NaN] = await frame.evaluate(() => [
    performance.timeOrigin,
    performance.timeOrigin + (performance.getEntriesByName('hopscope.opened')[0]?.startTime ?? Number.NaN),
  ]);
  const pressed = Number(await page.evaluate(() => Reflect.get(globalThis, 'pressed')));
  if (tab !== null) {
    const label = page.locator('.tabs-container .tab', { hasText: tab });
    await label.click({ button: 'middle' });
    await label.waitFor({ state: 'detached' });
    await page.mouse.move(400, 600); // away from what shows a hover
    await forgetWorkers(page);
  }
  return { frame, whole: shown - pressed, inPage: shown - begun };
}

if (whyNoWorkbench()) {
  console.log('null');
  process.exit(0);
}

/** The extension as it ships, without packing and installing it. */
const extension = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-extension-'));
for (const name of ['package.json', 'syntaxes', 'client/media', 'prompts']) {
  fs.cpSync(path.join(project, name), path.join(extension, name), { recursive: true });
}
for (const name of ['client', 'server', 'worker']) {
  await bundle(name, { outdir: path.join(extension, 'dist'), minify: true, sourcemap: false });
}
for (const name of ['pages', 'styles']) {
  await bundle(name, { outdir: path.join(extension, 'dist/webview'), minify: true, sourcemap: false });
}
addBarePage(extension);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-folder-'));
fs.writeFileSync(path.join(folder, 'large.step.md'), PROMPT);

const root = makeRoot();
const server = await startServer(root);
const browser = await chromium.launch(CHROMIUM);
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(30_000);
  const remote = `vscode-remote://${server.host}${extension}`;
  const payload = JSON.stringify([
    ['extensionDevelopmentPath', remote],
    ['skipWelcome', 'true'],
  ]);
  await page.goto(`${server.url}?${new URLSearchParams({ folder, payload })}`);
  const file = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'large.step.md' });
  await file.dblclick();
  await page.locator('.codelens-decoration a', { hasText: 'Step Episode' }).waitFor();
  await page.keyboard.press('Control+B');
  // A text, since the types here are those of Node.
  await page.evaluate(`addEventListener('keydown', ({ key, timeStamp }) => {
    if (key === 'Enter') globalThis.pressed = performance.timeOrigin + timeStamp;
  }, true)`);

  /** @type {number[]} */
  const openings = [];
  /** Of that, from the moment the editor has begun to load the page. @type {number[]} */
  const pages = [];
  /** What the editor takes for a page with nothing in it. @type {number[]} */
  const bare = [];
  for (let opening = -1; opening < OPENINGS; opening++) {
    const empty = await openPanel(page, BARE, BARE);
    const full = await openPanel(page, COMMAND, '· large');
    if (opening < 0) continue; // the first ones load what later ones find loaded
    bare.push(empty.whole);
    openings.push(full.whole);
    pages.push(full.inPage);
  }
  const before = await heaps(page);
  const { frame } = await openPanel(page, COMMAND, null);

  await page.mouse.move(400, 600);
  const select = frame.locator('vscode-single-select[label="Driver"]');
  await select.click();
  await select.locator('.option', { hasText: 'stall' }).first().click();
  const standing = frame.locator('.standing');
  const step = frame.getByRole('button', { name: 'Step', exact: true });
  for (let at = 1; at <= STEPS; at++) {
    await step.click();
    await standing.filter({ hasText: new RegExp(`After step ${at}\\b|Over`) }).waitFor();
  }
  await frame.waitForFunction(
    (count) => performance.getEntriesByName('hopscope.step').length >= count,
    STEPS,
  );
  const steps = await frame.evaluate(() =>
    performance.getEntriesByName('hopscope.step').map(({ duration }) => duration),
  );
  const chunks = await frame.locator('.strip [role=option]').count();
  const grown = ((await heaps(page)) - before) / 2 ** 20;
  console.log(JSON.stringify({ openings, pages, bare, steps, chunks, grown }));
} finally {
  await browser.close();
  await server.stop();
  for (const used of [root, extension, folder]) fs.rmSync(used, { recursive: true, force: true });
}
