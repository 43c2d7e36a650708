/** What VS Code loads in its extension host to run our suites there; the results go to a file. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';

export interface HostTest {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly error?: string;
}

export interface HostResults {
  readonly tests: readonly HostTest[];
  /** What went wrong outside any test. */
  readonly problems: readonly string[];
}

const suites = path.dirname(fileURLToPath(import.meta.url));
const project = path.resolve(suites, '../..');

/** Runs every suite beside this file. Rejects when one fails, so that VS Code ends with a failure. */
export async function run(): Promise<void> {
  const tests: HostTest[] = [];
  const problems: string[] = [];
  // VS Code swallows rejections that nobody handles; ours fail the run. Others live in this process, hence the stack.
  process.on('unhandledRejection', (reason) => {
    const text = describe(reason);
    if (text.includes(project)) problems.push(`A rejection that nobody handled: ${text}`);
  });
  const mocha = new Mocha({ ui: 'tdd', timeout: 20_000, forbidOnly: Boolean(process.env['CI']) });
  mocha.reporter(reporterInto(tests));
  const names = fs.readdirSync(suites).filter((name) => name.endsWith('.test.js'));
  for (const name of names.sort()) mocha.addFile(path.join(suites, name));
  try {
    await mocha.loadFilesAsync();
    await new Promise((resolve) => mocha.run(resolve));
  } catch (error) {
    problems.push(`The suites did not load: ${describe(error)}`);
  }
  await new Promise((resolve) => setImmediate(resolve)); // a rejection in the last test is reported a turn later
  const results: HostResults = { tests, problems };
  const file = process.env['HOST_TEST_RESULTS'];
  if (file) fs.writeFileSync(file, JSON.stringify(results, null, 1));
  const failed = tests.filter(({ state }) => state === 'failed').length + problems.length;
  if (failed > 0 || tests.length === 0) throw new Error(`${failed} of ${tests.length} tests failed`);
}

/** A reporter that says one line per test. Mocha's own print format strings, which the workbench's log does not fill in. */
function reporterInto(tests: HostTest[]) {
  return class extends Mocha.reporters.Base {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
      super(runner, options);
      const add = (state: HostTest['state'], { title, error }: { title: string; error?: string }) => {
        tests.push(error === undefined ? { title, state } : { title, state, error });
        console.log(`[test] ${state} ${title}`);
      };
      runner.on('pass', (test) => add('passed', { title: test.fullTitle() }));
      runner.on('pending', (test) => add('skipped', { title: test.fullTitle() }));
      runner.on('fail', (test, error) => add('failed', { title: test.fullTitle(), error: describe(error) }));
    }
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
