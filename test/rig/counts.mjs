/** How many tests passed, failed and were skipped: kept per stage in .artefacts, so that they can be summed up. */
import fs from 'node:fs';
import path from 'node:path';

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

const folder = path.resolve(import.meta.dirname, '../../.artefacts/counts');

/** Under HOPSCOPE_REQUIRE_ALL=1 whatever cannot run is a failure. */
export const requireAll = process.env['HOPSCOPE_REQUIRE_ALL'] === '1';

/** @param {Counts} counts */
export function countsLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * Prints and keeps the counts of a stage.
 *
 * @param {string} stage
 * @param {Counts} counts
 */
export function printCounts(stage, counts) {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `${stage}.json`), JSON.stringify(counts));
  console.log(`${stage}: ${countsLine(counts)}`);
}

/**
 * The counts a stage left, all zero when it left none.
 *
 * @param {string} stage
 * @returns {Counts}
 */
export function readCounts(stage) {
  const file = path.join(folder, `${stage}.json`);
  return fs.existsSync(file)
    ? JSON.parse(fs.readFileSync(file, 'utf8'))
    : { passed: 0, failed: 0, skipped: 0 };
}

/** Call before the first stage. */
export function forgetCounts() {
  fs.rmSync(folder, { recursive: true, force: true });
}

/**
 * Ends the process when there is a reason why the suite in an extension host cannot run.
 *
 * @param {string | undefined} reason
 */
export function skipWorkbench(reason) {
  if (reason === undefined) return;
  if (requireAll) {
    console.error(`Tests in a workbench must run (HOPSCOPE_REQUIRE_ALL=1), but cannot. ${reason}`);
    process.exit(1);
  }
  console.warn(`SKIPPED: the tests in a workbench. ${reason}`);
  printCounts('host', { passed: 0, failed: 0, skipped: 1 });
  process.exit(0);
}
