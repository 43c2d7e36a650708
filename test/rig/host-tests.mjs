/**
 * Runs the suite of test/workbench/host inside an extension host, from the sources, in one of three VS Codes:
 *
 *     VSCODE_EXECUTABLE_PATH=/path/to/code   a desktop VS Code that is there already
 *     VSCODE_TEST_VERSION=stable|1.100.0|…   a desktop VS Code that @vscode/test-electron downloads
 *     neither                                the VS Code server from the npm registry, in headless Chromium
 *
 * Needs dist/ to be built. Leaves logs, and the results as JSON, in .artefacts/host.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import { printCounts, skipWorkbench } from './counts.mjs';
import { whyNoWorkbench } from './vscode-server.mjs';

const project = path.resolve(import.meta.dirname, '../..');
const suites = path.join(project, 'test/workbench/host');
const bundled = path.join(project, 'out/host');
const artefacts = path.join(project, '.artefacts/host');
const results = path.join(artefacts, 'results.json');

const executable = process.env['VSCODE_EXECUTABLE_PATH'];
const version = process.env['VSCODE_TEST_VERSION'];
const headless = path.join(import.meta.dirname, 'vscode-headless.mjs');
const vscode = executable ?? (version ? undefined : headless);
if (!executable && !version) skipWorkbench(whyNoWorkbench());

fs.rmSync(bundled, { recursive: true, force: true });
await build({
  absWorkingDir: project,
  entryPoints: fs.readdirSync(suites).map((name) => path.join(suites, name)),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  external: ['vscode', 'mocha'],
  outdir: bundled,
});
fs.rmSync(artefacts, { recursive: true, force: true });
fs.mkdirSync(artefacts, { recursive: true });

const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'host-'));
const workspace = path.join(temporary, 'workspace');
fs.cpSync(path.join(project, 'test/workbench/fixtures'), workspace, { recursive: true });
/** @type {unknown} */
let failure;
try {
  await runTests({
    ...(vscode === undefined ? {} : { vscodeExecutablePath: vscode }),
    ...(version === undefined ? {} : { version }),
    extensionDevelopmentPath: project,
    extensionTestsPath: path.join(bundled, 'index.js'),
    launchArgs: [
      workspace,
      `--user-data-dir=${path.join(temporary, 'user')}`,
      `--extensions-dir=${path.join(temporary, 'extensions')}`,
      '--disable-telemetry',
    ],
    extensionTestsEnv: { HOST_TEST_RESULTS: results, HOST_TEST_ARTEFACTS: artefacts },
  });
} catch (error) {
  failure = error;
}
fs.rmSync(temporary, { recursive: true, force: true });

// The exit code alone is not to be believed: a web workbench reports 0 when its extension host dies.
if (!fs.existsSync(results)) {
  console.error('The suite did not finish: it wrote no results.', failure ?? '');
  process.exit(1);
}
/** @type {import('../workbench/host/index.ts').HostResults} */
const { tests, problems } = JSON.parse(fs.readFileSync(results, 'utf8'));
for (const test of tests) if (test.error) console.error(`\nFAILED ${test.title}\n${test.error}`);
for (const problem of problems) console.error(`\nPROBLEM ${problem}`);
const count = (/** @type {string} */ state) => tests.filter((test) => test.state === state).length;
const failed = count('failed') + problems.length;
printCounts('host', { passed: count('passed'), failed, skipped: count('skipped') });
if (failure && failed === 0) console.error(failure);
process.exit(failure || failed > 0 || count('passed') === 0 ? 1 : 0);
