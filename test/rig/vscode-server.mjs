/** Starts the VS Code server: loopback only, throw-away data, no gallery, no telemetry. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { install } from './vscode-server-install.mjs';

/** User settings that keep the workbench quiet. */
const QUIET = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.enabled': false,
};

/** How to launch Chromium, for Playwright. */
export const CHROMIUM = {
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-dev-shm-usage',
  ],
};

/**
 * Why tests in a workbench cannot run here, in one sentence; undefined when they can.
 *
 * @returns {string | undefined}
 */
export function whyNoWorkbench() {
  if (fs.existsSync(CHROMIUM.executablePath)) return undefined;
  return `There is no Chromium at ${CHROMIUM.executablePath} (set CHROMIUM, or install Debian's package chromium).`;
}

/**
 * A fresh folder for a server's data.
 *
 * @param {Readonly<Record<string, unknown>>} [settings] user settings, beside the quiet ones
 */
export function makeRoot(settings = {}) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-server-'));
  writeSettings(path.join(root, 'data'), settings);
  return root;
}

/**
 * Writes user settings, which the web workbench keeps on the server's side.
 *
 * @param {string} userData
 * @param {Readonly<Record<string, unknown>>} [settings]
 */
export function writeSettings(userData, settings = {}) {
  const file = path.join(userData, 'User/settings.json');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ ...QUIET, ...settings }, null, 2));
}

/** @param {string} root */
function environment(root) {
  const temporary = path.join(root, 't'); // short, since the path of a socket may have 107 bytes
  fs.mkdirSync(temporary, { recursive: true });
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, TMPDIR: temporary, XDG_RUNTIME_DIR: temporary, EXTENSIONS_GALLERY: '{}' };
  for (const name of Object.keys(env)) {
    // They are there when tests are started from a terminal of VS Code.
    if (/^(VSCODE_|CODE_SERVER_|ELECTRON_RUN_AS_NODE)/.test(name)) delete env[name];
  }
  return env;
}

/**
 * @param {string} root
 * @param {readonly string[]} args
 * @param {boolean} [detached]
 */
function spawnServer(root, args, detached = false) {
  const { folder, node } = install();
  const main = path.join(folder, 'out/server-main.js');
  const all = [main, '--accept-server-license-terms', '--server-data-dir', root, ...args];
  return spawn(node, all, { env: environment(root), stdio: ['ignore', 'pipe', 'pipe'], detached });
}

/**
 * Runs one of the server's commands, e.g. `--install-extension FILE`, and returns what it printed.
 *
 * @param {string} root
 * @param {readonly string[]} args
 * @returns {Promise<string>}
 */
export function serverCommand(root, args) {
  return new Promise((resolve, reject) => {
    const child = spawnServer(root, args);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        output += data;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output.trim());
      else reject(new Error(`The server's ${args[0]} ended with ${code}.\n${output}`));
    });
  });
}

/**
 * @typedef {object} Server
 * @property {string} host with its port
 * @property {string} url
 * @property {import('node:child_process').ChildProcess} child
 * @property {() => string} log everything it printed
 * @property {() => Promise<void>} stop ends it and all that it started
 */

/**
 * Starts a server and waits until it listens.
 *
 * @param {string} root from {@link makeRoot}
 * @param {{ args?: readonly string[], timeout?: number, isUntrusted?: boolean }} [options] timeout in ms; whether
 *   folders are trusted only when somebody says so
 * @returns {Promise<Server>}
 */
export async function startServer(root, { args = [], timeout = 60_000, isUntrusted = false } = {}) {
  const fixed = [
    '--host',
    '127.0.0.1',
    '--port',
    '0',
    '--without-connection-token',
    '--telemetry-level',
    'off',
  ];
  // Without the smoke test driver newer workbenches ignore the test paths that a page's payload names.
  const quiet = ['--enable-smoke-test-driver', '--force-disable-user-env'];
  if (!isUntrusted) quiet.push('--disable-workspace-trust');
  // A process group of its own: extension hosts and language servers end with it.
  const child = spawnServer(root, [...fixed, ...quiet, ...args], true);
  let log = '';
  /** @type {number} */
  const port = await new Promise((resolve, reject) => {
    const late = () => reject(new Error(`The VS Code server did not start in ${timeout} ms.\n${log}`));
    const timer = setTimeout(late, timeout);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        log += data;
        const match = /Extension host agent listening on (\d+)/.exec(log);
        if (!match) return;
        clearTimeout(timer);
        resolve(Number(match[1]));
      });
    }
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The VS Code server ended with ${code}.\n${log}`));
    });
  });
  /** @param {NodeJS.Signals} signal */
  const signalGroup = (signal) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // all of them are gone
    }
  };
  const onExit = () => signalGroup('SIGKILL');
  process.once('exit', onExit);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      signalGroup('SIGTERM');
      await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 5000).unref())]);
    }
    signalGroup('SIGKILL');
    process.removeListener('exit', onExit);
  };
  const host = `127.0.0.1:${port}`;
  return { host, url: `http://${host}/`, child, log: () => log, stop };
}
