#!/usr/bin/env node
/**
 * Stands in for the VS Code executable: takes the arguments that @vscode/test-electron passes, opens the real
 * workbench of the VS Code server in headless Chromium, lets its real extension host run the suite and ends with the
 * suite's code.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { CHROMIUM, makeRoot, startServer, writeSettings } from './vscode-server.mjs';

/** For a whole suite, in ms. */
const TIMEOUT = Number(process.env['HOST_TEST_TIMEOUT_MS'] ?? 180_000);

const { values, positionals } = parseArgs({
  strict: false, // test-electron passes arguments that only the desktop knows
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: 'string' },
    extensionTestsPath: { type: 'string' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
  },
});
const developed = absolute(values['extensionDevelopmentPath']);
const tests = absolute(values['extensionTestsPath']);
if (!developed || !tests) {
  console.error('vscode-headless: --extensionDevelopmentPath= and --extensionTestsPath= are needed');
  process.exit(2);
}

const root = makeRoot();
const userData = absolute(values['user-data-dir']) ?? path.join(root, 'data');
const extensions = absolute(values['extensions-dir']) ?? path.join(root, 'extensions');
writeSettings(userData);

/** @type {string[]} */
const lines = [];
/** @type {import('./vscode-server.mjs').Server | undefined} */
let server;
/** @type {import('playwright-core').Browser | undefined} */
let browser;
/** @type {import('playwright-core').Page | undefined} */
let page;
let code = 1;
try {
  server = await startServer(root, { args: ['--user-data-dir', userData, '--extensions-dir', extensions] });
  browser = await chromium.launch(CHROMIUM);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
  page = await context.newPage();
  const finished = suiteEnd(page, server);
  await page.goto(workbenchUrl(server, developed, tests, positionals[0]));
  code = await finished;
} catch (error) {
  console.error(error instanceof Error ? error.stack : error);
}
await keepArtefacts();
await browser?.close().catch(() => {});
await server?.stop();
fs.rmSync(root, { recursive: true, force: true });
process.exit(code);

/** @param {string | boolean | (string | boolean)[] | undefined} value */
function absolute(value) {
  return typeof value === 'string' ? path.resolve(value) : undefined;
}

/**
 * The workbench's address; its payload tells the extension host what to develop and test.
 *
 * @param {import('./vscode-server.mjs').Server} server
 * @param {string} developed
 * @param {string} tests
 * @param {string | undefined} folder
 */
function workbenchUrl(server, developed, tests, folder) {
  /** @param {string} file */
  const remote = (file) => `vscode-remote://${server.host}${file}`;
  const payload = JSON.stringify([
    ['extensionDevelopmentPath', remote(developed)],
    ['extensionTestsPath', remote(tests)],
    ['skipWelcome', 'true'],
  ]);
  const opened = folder ? { folder: path.resolve(folder) } : { ew: 'true' };
  return `${server.url}?${new URLSearchParams({ ...opened, payload })}`;
}

/**
 * Resolves with the code that the extension host reports.
 *
 * @param {import('playwright-core').Page} page
 * @param {import('./vscode-server.mjs').Server} server
 * @returns {Promise<number>}
 */
function suiteEnd(page, server) {
  /** @type {Promise<number>} */
  const finished = new Promise((resolve, reject) => {
    page.exposeFunction('codeAutomationExit', resolve).catch(reject);
    page
      .exposeFunction('codeAutomationLog', (/** @type {string} */ type, /** @type {unknown[]} */ args) => {
        const text = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' ');
        lines.push(`[${type}] ${text}`);
        if (text.startsWith('[test]')) console.log(text);
      })
      .catch(reject);
    page.on('crash', () => reject(new Error('The workbench page crashed.')));
    page.on('console', (message) => lines.push(`[console.${message.type()}] ${message.text()}`));
    page.on('pageerror', (error) => lines.push(`[pageerror] ${error.stack}`));
    server.child.once('exit', (ended, signal) => {
      reject(new Error(`The VS Code server ended early (${ended ?? signal}).`));
    });
    setTimeout(() => reject(new Error(`The suite did not end within ${TIMEOUT} ms.`)), TIMEOUT).unref();
  });
  finished.catch(() => {}); // it may fail before anybody waits for it
  return finished;
}

/** A failed run leaves a picture; every run leaves its logs. */
async function keepArtefacts() {
  const folder = process.env['HOST_TEST_ARTEFACTS'];
  if (!folder) return;
  fs.mkdirSync(folder, { recursive: true });
  if (code !== 0 && page) await page.screenshot({ path: path.join(folder, 'workbench.png') }).catch(() => {});
  fs.writeFileSync(path.join(folder, 'workbench.log'), lines.join('\n'));
  fs.writeFileSync(path.join(folder, 'server.log'), server?.log() ?? '');
}
