/** Logs of test runners and of the job that runs them. */
import type { Format } from './format.ts';
import { hex, noun, path, service, typeName } from './words.ts';

/** Banners, dots with per cents, `E` lines and a short summary. */
export const pytest: Format = {
  id: 'pytest',
  errors: [
    (s) => `FAILED tests/${path(s)}.py::test_${noun(s)}_${s.between(2, 40)} - AssertionError`,
    (s) => `E AssertionError: ${noun(s)} has ${s.between(2, 40)} entries, not ${s.between(41, 90)}`,
    (s) => `tests/${path(s)}.py:${s.between(10, 400)}: KeyError: '${noun(s)}'`,
    (s) => `ERROR tests/${path(s)}.py - ImportError: cannot import name '${typeName(s)}'`,
    (s) => `sqlite3.OperationalError: no such table: ${service(s)}_${noun(s)}`,
    (s) => `RuntimeError: event loop of ${service(s)} was closed`,
  ],
  noise: [
    (s) => `tests/${path(s)}.py ${'.'.repeat(s.between(8, 30))} [ ${s.between(10, 99)}%]`,
    (s) => `tests/${path(s)}.py::test_${noun(s)}_${s.below(40)} PASSED [ ${s.between(10, 99)}%]`,
    (s) => `DEBUG ${service(s)}:session.py:${s.between(10, 400)} begin ${hex(s, 6)}`,
    (s) => `tests/${path(s)}.py::test_${noun(s)} SKIPPED (needs ${service(s)}) [ ${s.between(10, 99)}%]`,
    (s) => `fixture ${noun(s)} of tests/${path(s)}.py: cache hit ${hex(s, 6)}`,
  ],
  neutral: [
    (s) => `========== ${noun(s)} session starts ==========`,
    (s) => `collected ${s.between(40, 900)} items in ${service(s)}`,
    (s) => `plugins: ${noun(s)}-${s.below(9)}.${s.below(20)}, xdist-3.${s.below(9)}`,
    (s) => `rootdir: /build/${service(s)}`,
    (s) => `slowest test: ${noun(s)}, ${s.between(2, 40)}.${s.below(99)}s`,
  ],
  decoys: [(s) => `${service(s)}: ${s.between(40, 900)} items checked, 0 errors`],
};

/** Titles with a dot, pairs of expected and received values, code frames, counts. */
export const jest: Format = {
  id: 'jest',
  errors: [
    (s) => `● ${typeName(s)} › ${noun(s)} › keeps its ${noun(s)} (error)`,
    (s) => `FAIL src/${path(s)}.test.ts (failed after ${s.between(5, 90)} s)`,
    (s) => `TypeError: cannot read properties of undefined (reading '${noun(s)}')`,
    (s) =>
      `expect(received).toBe(expected) failed: ${noun(s)} is ${s.between(2, 40)}, not ${s.between(41, 90)}`,
    (s) => `thrown: "Exceeded timeout of ${s.between(5, 20)}000 ms for a ${noun(s)} hook."`,
    (s) => `ReferenceError: ${noun(s)} is not defined at src/${path(s)}.ts:${s.between(10, 400)}`,
  ],
  noise: [
    (s) => `PASS src/${path(s)}.test.ts (${s.below(9)}.${s.between(100, 999)} s)`,
    (s) => `  ✓ keeps ${noun(s)} of ${service(s)} (${s.below(90)} ms)`,
    (s) => `    at Object.<anonymous> (src/${path(s)}.test.ts:${s.between(10, 400)}:${s.between(1, 40)})`,
    (s) => `    at ${typeName(s)}.run (src/${path(s)}.ts:${s.between(10, 400)}:${s.between(1, 40)})`,
    (s) => `console.debug ${service(s)} opened ${noun(s)} ${hex(s, 6)}`,
  ],
  neutral: [
    (s) => `Expected: ${s.between(41, 90)}`,
    (s) => `Received: ${s.between(2, 40)}`,
    (s) => `Snapshots: ${s.between(1, 9)} written, ${s.between(10, 90)} total`,
    (s) => `Ran all test suites matching ${noun(s)}.`,
    (s) => `Determining test suites of ${service(s)} to run...`,
  ],
  decoys: [(s) => `Tests: 0 failed, ${s.between(10, 90)} passed in ${service(s)}`],
};

/** The steps of a hosted job around whatever it runs. */
export const actions: Format = {
  id: 'actions',
  errors: [
    (s) => `##[error]Process completed with exit code ${s.between(1, 9)} in ${service(s)}.`,
    (s) => `Error: The job of ${service(s)} exceeded its limit of ${s.between(20, 90)} minutes`,
    (s) => `fatal: could not read from remote repository ${service(s)}/${noun(s)}`,
    (s) => `curl: (22) The requested URL returned error: 50${s.between(0, 4)} for ${noun(s)}.tgz`,
    (s) => `tar: ${path(s)}.tar: Cannot open: no such file`,
    (s) => `HttpError: resource ${noun(s)} is not accessible by this token (denied)`,
  ],
  noise: [
    (s) => `##[group]Run ${service(s)}/setup-${noun(s)}@v${s.between(1, 5)}`,
    () => '##[endgroup]',
    (s) => `##[debug]evaluating steps.${noun(s)}.outputs.${hex(s, 4)}`,
    (s) => `span=${hex(s, 7)} trace=${hex(s, 7)} op=${service(s)}.${noun(s)} dur=${s.below(9000)}us`,
    (s) => `Downloading ${noun(s)}-${hex(s, 6)}.tgz ${s.between(1, 99)}%`,
  ],
  neutral: [
    (s) => `Cleaning up orphan processes of ${service(s)}`,
    (s) => `Prepare workflow directory for ${noun(s)}`,
    (s) => `HEAD is now at ${hex(s, 7)} Tidy ${noun(s)}`,
    (s) => `shell: /usr/bin/bash -e {0}, ${service(s)}`,
    (s) => `Post job cleanup, ${noun(s)} kept for ${s.between(2, 90)} days`,
  ],
  decoys: [(s) => `Input 'continue-on-error' of ${service(s)} is unset`],
};
