/**
 * Runs the suite of test/workbench/host inside an extension host, from the sources, in one of three VS Codes:
 *
 *     VSCODE_EXECUTABLE_PATH=/path/to/code   a desktop VS Code that is there already
 *     VSCODE_TEST_VERSION=stable|1.100.0|…   a desktop VS Code that @vscode/test-electron downloads
 *     neither                                the VS Code server from the npm registry, in headless Chromium
 *
 * Needs dist/ to be built. Leaves logs, and the results as JSON, in .artefacts/host. Arguments choose suites by the
 * beginnings of their names: `npm run test:host -- transcripts`.
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
// Of its own, so that two runs do not take each other's away.
const bundled = path.join(project, `out/host-${process.pid}`);
const artefacts = path.join(project, '.artefacts/host');

const executable = process.env['VSCODE_EXECUTABLE_PATH'];
const version = process.env['VSCODE_TEST_VERSION'];
const headless = path.join(import.meta.dirname, 'vscode-headless.mjs');
const vscode = executable ?? (version ? undefined : headless);
if (!executable && !version) skipWorkbench(whyNoWorkbench());

const chosen = process.argv.slice(2);
const isChosen = (/** @type {string} */ name) =>
  chosen.length === 0 || !name.endsWith('.test.ts') || chosen.some((beginning) => name.startsWith(beginning));

await build({
  absWorkingDir: project,
  entryPoints: fs
    .readdirSync(suites)
    .filter(isChosen)
    .map((name) => path.join(suites, name)),
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
const results = path.join(temporary, 'results.json');
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
const written = fs.existsSync(results) ? fs.readFileSync(results, 'utf8') : undefined;
for (const folder of [temporary, bundled]) fs.rmSync(folder, { recursive: true, force: true });

// The exit code alone is not to be believed: a web workbench reports 0 when its extension host dies.
if (written === undefined) {
  console.error('The suite did not finish: it wrote no results.', failure ?? '');
  process.exit(1);
}
fs.mkdirSync(artefacts, { recursive: true });
fs.writeFileSync(path.join(artefacts, 'results.json'), written);
/** @type {import('../workbench/host/index.ts').HostResults} */
const { tests, problems } = JSON.parse(written);
for (const test of tests) if (test.error) console.error(`\nFAILED ${test.title}\n${test.error}`);
for (const problem of problems) console.error(`\nPROBLEM ${problem}`);
const count = (/** @type {string} */ state) => tests.filter((test) => test.state === state).length;
const failed = count('failed') + problems.length;
printCounts('host', { passed: count('passed'), failed, skipped: count('skipped') });
if (failure && failed === 0) console.error(failure);
process.exit(failure || failed > 0 || count('passed') === 0 ? 1 : 0);
