/** `hopscope check`: what the editor would say about step prompts and transcripts. */
import { pathToFileURL } from 'node:url';
import { type Command, Option } from 'commander';
import manifest from '../../../../package.json' with { type: 'json' };
import { environments } from '../../host/data/environments.ts';
import { createInstanceFiles } from '../../host/instance-files.ts';
import { inputName } from '../../host/jsonl.ts';
import { readText } from '../../host/text-file.ts';
import type { CheckedLanguage, Checker, Finding } from '../../language/check.ts';
import type { ExitCode, Runner } from '../command.ts';
import type { Shell } from '../shell.ts';
import type { FileToCheck } from './check-files.ts';
import { type CheckedFile, describeFile, describeTotals } from './check-report.ts';
import { sarifLog } from './sarif.ts';

interface CheckChoice {
  readonly files: readonly string[];
  readonly language?: keyof typeof languages;
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly sarif?: boolean;
}

/** As people name them. */
const languages = {
  'step-prompt': 'hopscope-prompt',
  transcript: 'hopscope-episode',
  markdown: 'markdown',
} as const satisfies Record<string, CheckedLanguage>;

/** Adds the command to the program. */
export function addCheck(program: Command, run: Runner): void {
  program
    .command('check')
    .summary('check step prompts and transcripts')
    .description(
      'Says about step prompts, transcripts and fenced transcripts of Markdown files what the editor says about ' +
        'them. Exit code 1 when there is an error.',
    )
    .argument(
      '<files...>',
      'files, folders (their *.step.md and *.episode, Markdown not), or patterns; - is standard input',
    )
    .addOption(
      new Option('--language <name>', 'of standard input and of files whose names do not tell').choices(
        Object.keys(languages),
      ),
    )
    .option('--strict', 'exit code 1 when there is a warning, too')
    .addOption(
      new Option(
        '--json',
        'one line per finding: {"file", "line", "column", "endLine", "endColumn", "severity", "code", "message"}',
      ).conflicts('sarif'),
    )
    .option('--sarif', 'one SARIF 2.1.0 document, for code hosts and other tools')
    .addHelpText(
      'after',
      `
Lines and columns count from 1, columns in UTF-16 code units.

Examples:
  hopscope check prompts
  hopscope check --strict 'prompts/**/*.step.md' README.md
  hopscope check --sarif prompts runs > hopscope.sarif
  cat draft.txt | hopscope check --language transcript -`,
    )
    .action((files: readonly string[], choice) => run(checkCommand)({ ...choice, files }));
}

async function checkCommand(choice: CheckChoice, shell: Shell): Promise<ExitCode> {
  // What the editor knows is large, and no other command needs it.
  const { createChecker } = await import('../../language/check.ts');
  const { filesToCheck } = await import('./check-files.ts');
  const files = await filesToCheck(choice.files, choice.language && languages[choice.language]);
  const check = createChecker(environments, createInstanceFiles(shell.worker, shell.signal));
  const progress = shell.progress('check', files.length);
  const counts = { error: 0, warning: 0, info: 0 };
  const checked: CheckedFile[] = [];
  for (const [position, file] of files.entries()) {
    shell.signal.throwIfAborted();
    const result = await checkFile(file, check, shell.signal);
    for (const { severity } of result.findings) counts[severity]++;
    if (choice.sarif) checked.push(result);
    else if (choice.json) await shell.out.write(describeAsJson(result));
    else await shell.out.write(describeFile(result, shell.style));
    progress.update(position + 1);
  }
  progress.clear();
  if (choice.sarif) {
    const log = sarifLog(checked, manifest.version, process.cwd());
    await shell.out.write(`${JSON.stringify(log, null, 2)}\n`);
  } else if (!choice.json) {
    await shell.out.write(describeTotals(files.length, counts));
  }
  return counts.error > 0 || (choice.strict && counts.warning > 0) ? 1 : 0;
}

async function checkFile(file: FileToCheck, check: Checker, signal: AbortSignal): Promise<CheckedFile> {
  const name = inputName(file.path);
  const read = await readText(file.path, signal);
  if (!read.ok) return { name, text: null, findings: [unreadable(`This file ${read.error}.`)] };
  const findings = await check(addressOf(file), file.language, read.value);
  signal.throwIfAborted(); // what was stopped meanwhile is no finding
  return { name, text: read.value, findings };
}

/** The address under which an editor would open it. Standard input is like a document that was never saved. */
function addressOf({ path: file }: FileToCheck): string {
  return file === '-' ? 'untitled:stdin' : pathToFileURL(file).href;
}

/** The others are checked all the same. */
function unreadable(message: string): Finding {
  const place = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { ...place, severity: 'error', code: 'file.unreadable', message };
}

function describeAsJson({ name, findings }: CheckedFile): string {
  return findings.map((finding) => `${JSON.stringify({ file: name, ...finding })}\n`).join('');
}
