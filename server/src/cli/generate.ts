/** `hopscope generate`: instances of a split as JSONL. */
import type { Command } from 'commander';
import type { AuditReport, Environment } from '../engine/environments/environment.ts';
import { auditVerdict } from '../engine/evals/audit-text.ts';
import type { Rejections } from '../host/tasks.ts';
import { auditTable } from './audit.ts';
import type { ExitCode } from './main.ts';
import type { Runner } from './program.ts';
import {
  chooseEnvironment,
  type EnvironmentChoice,
  type SplitChoice,
  splitInstances,
  type WorkersChoice,
  withEnvironment,
  withIndices,
  withWorkers,
} from './selection.ts';
import type { Shell } from './shell.ts';
import { counted, grouped } from './table.ts';
import { workThrough } from './work.ts';

interface GenerateChoice extends EnvironmentChoice, Omit<SplitChoice, 'split'>, WorkersChoice {
  readonly split: string;
  readonly out?: string;
  readonly audit: boolean;
}

/** Adds the command to the program. */
export function addGenerate(program: Command, run: Runner): void {
  const generate = program
    .command('generate')
    .summary('write instances of a split as JSONL')
    .description(
      'Writes instances of a split, one JSON object a line, in index order: the same bytes on any machine and with ' +
        'any number of workers. Says afterwards how many attempts were rejected and why, and audits the set for ' +
        'surface features that give the answer away. A failed audit makes the exit code 1, except for sets so small ' +
        'that they fail by chance.',
    )
    .requiredOption('-s, --split <name>', 'which split')
    .option('--out <file>', 'write to a file, which appears when it is complete (default: standard output)')
    .option('--no-audit', 'skip the audit')
    .addHelpText(
      'after',
      `
Examples:
  hopscope generate --split train --out train.jsonl
  hopscope generate --split id_test --indices 0-9,42 | head -1
  hopscope generate --split train --start 2000 -n 500 --out fresh.jsonl
  hopscope generate --split train -n 50 -o n_hops=6 -o doc_tokens=64000 > hard.jsonl`,
    )
    .action(run(generateCommand));
  withWorkers(withEnvironment(withIndices(generate)));
}

async function generateCommand(choice: GenerateChoice, shell: Shell): Promise<ExitCode> {
  const environment = chooseEnvironment(choice);
  const { workers, option: options = {} } = choice;
  const instances = splitInstances(environment, { ...choice, split: [choice.split] });
  const audit = choice.audit ? environment.audit : undefined;
  const rows: unknown[] = [];
  // Written and ready to be filled again.
  const buffers: ArrayBuffer[] = [];
  let rejections: Rejections = { attempts: 0, rejected: 0, reasons: {} };
  const sink = await shell.output(choice.out);
  let written = 0;
  try {
    written = await workThrough(
      {
        task: 'generate',
        title: `generate ${instances.label}`,
        instances,
        workers,
        job(batch) {
          const job = { environment: environment.id, options, batch, audit: audit !== undefined };
          const buffer = buffers.pop();
          return buffer === undefined ? job : { ...job, buffer };
        },
        async take(result) {
          await sink.write(result.bytes);
          buffers.push(result.bytes.buffer);
          for (const row of result.auditRows) rows.push(row);
          rejections = addRejections(rejections, result.rejections);
        },
      },
      shell,
    );
    await sink.close();
  } finally {
    await sink.discard();
  }
  shell.note(describeRejections(choice.split, written, rejections));
  if (audit === undefined) return shell.problems > 0 ? 1 : 0;
  const report = audit.report(rows);
  const passed = describeAudit(report, audit.minimum, written, shell);
  return passed && shell.problems === 0 ? 0 : 1;
}

function addRejections(a: Rejections, b: Rejections): Rejections {
  const reasons = { ...a.reasons };
  for (const [code, count] of Object.entries(b.reasons)) reasons[code] = (reasons[code] ?? 0) + count;
  return { attempts: a.attempts + b.attempts, rejected: a.rejected + b.rejected, reasons };
}

/** Rejection statistics: a sentence, and a line for every reason, most frequent first. */
function describeRejections(
  split: string,
  written: number,
  { attempts, rejected, reasons }: Rejections,
): string {
  const rate = attempts === 0 ? 0 : (rejected / attempts) * 100;
  const lines = Object.entries(reasons)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([code, count]) => `  ${code} ${grouped(count)}`);
  const sentence =
    `${split}: ${counted(written, 'instance')} from ${counted(attempts, 'attempt')}, ` +
    `${grouped(rejected)} rejected (${rate.toFixed(1)} %)${lines.length > 0 ? ', for these reasons:' : '.'}`;
  return [sentence, ...lines].join('\n');
}

/** Tells how the audit went; true unless it failed on a set large enough to count. */
function describeAudit(
  report: AuditReport,
  minimum: NonNullable<Environment['audit']>['minimum'],
  instances: number,
  shell: Shell,
): boolean {
  if (instances >= minimum || report.passed) {
    shell.note(auditVerdict(report, instances));
    if (!report.passed) shell.note(auditTable(report, shell.noteStyle));
    return report.passed;
  }
  shell.note(
    `${auditVerdict(report, instances)} Sets of fewer than ${minimum} instances fail by chance, so this is only a remark.`,
  );
  return true;
}
