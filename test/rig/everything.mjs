/**
 * `npm test`: every check there is, one stage after another. A stage that fails does not stop the next ones, so that
 * one run tells everything; stages that need a build that failed fail with it. The last line has the counts.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { countsLine, forgetCounts, printCounts, readCounts, requireAll } from './counts.mjs';

const project = path.resolve(import.meta.dirname, '../..');
const reports = path.join(project, '.artefacts/reports');

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {string} script of package.json
 * @property {boolean} [vitest] whether the script runs vitest, which then reports how many tests passed
 */

/** @type {readonly Stage[]} */
const STAGES = [
  { name: 'lint', script: 'lint' },
  { name: 'types', script: 'typecheck' },
  { name: 'dead code', script: 'deadcode' },
  { name: 'unit', script: 'test:unit', vitest: true },
  { name: 'package', script: 'package' },
  { name: 'host', script: 'test:host' },
  { name: 'e2e', script: 'test:e2e', vitest: true },
];

forgetCounts();
fs.rmSync(reports, { recursive: true, force: true });
const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const lines = [];
for (const stage of STAGES) {
  console.log(`\n── ${stage.name}`);
  const started = Date.now();
  const ended = run(stage);
  const counts = readCounts(stage.name);
  const ok = ended && !(requireAll && counts.skipped > 0);
  // A stage that fails without a failed test has failed as a whole.
  if (!ok && counts.failed === 0) counts.failed = 1;
  for (const key of /** @type {const} */ (['passed', 'failed', 'skipped'])) total[key] += counts[key];
  const seconds = `${((Date.now() - started) / 1000).toFixed(1)} s`;
  const tests = counts.passed + counts.skipped > 0 ? countsLine(counts) : '';
  lines.push(`${ok ? 'ok  ' : 'FAIL'}  ${stage.name.padEnd(10)} ${seconds.padStart(8)}  ${tests}`);
}
console.log(`\n${lines.join('\n')}\n`);
printCounts('all', total);
process.exit(total.failed > 0 ? 1 : 0);

/** @param {Stage} stage */
function run({ name, script, vitest }) {
  const report = path.join(reports, `${name}.json`);
  const reporters = ['--', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--silent', script, ...(vitest ? reporters : [])];
  const { status } = spawnSync('npm', args, { cwd: project, stdio: 'inherit' });
  if (vitest && fs.existsSync(report)) {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      fs.readFileSync(report, 'utf8'),
    );
    const skipped = numPendingTests + numTodoTests;
    printCounts(name, { passed: numPassedTests, failed: numFailedTests, skipped });
  }
  return status === 0;
}
