/** `hopscope generate`: instances of a split as JSONL. */
import type { Command } from 'commander';
import type { Environment } from '../../engine/environments/environment.ts';
import { auditVerdict } from '../../engine/evals/audit-text.ts';
import type { Rejections } from '../../host/tasks.ts';
import type { ExitCode, Runner } from '../command.ts';
import { workThrough } from '../evals/work.ts';
import type { Shell } from '../shell.ts';
import { counted, grouped } from '../table.ts';
import { auditTable } from './audit.ts';
import {
  chooseEnvironment,
  type EnvironmentChoice,
  refuseIdleOptions,
  type SplitChoice,
  splitInstances,
  type WorkersChoice,
  withEnvironment,
  withIndices,
  withWorkers,
} from './selection.ts';

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
        'surface features that give the answer away. A failed audit makes the exit code 1; sets so small that they ' +
        'fail by chance are not audited.',
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
  refuseIdleOptions(environment, choice, { makes: true, plays: false, command: 'generate' });
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
    // A file of nothing would be taken for a set.
    if (written > 0) await sink.close();
  } finally {
    await sink.discard();
  }
  if (written === 0) return 1;
  shell.note(...describeRejections(choice.split, written, rejections, shell.problems));
  if (audit === undefined) return shell.problems > 0 ? 1 : 0;
  const passed = describeAudit(audit, rows, written, shell);
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
  failed: number,
): readonly string[] {
  const counts = Object.entries(reasons).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const several = counts.reduce((sum, [, count]) => sum + count, 0) > rejected;
  const rate = (rejected / attempts) * 100;
  const why =
    counts.length === 0 ? '.' : `, for these reasons${several ? ' (one attempt can have several)' : ''}:`;
  const except = failed === 0 ? '' : `, besides ${grouped(failed)} without an instance`;
  const sentence =
    `${split}: ${counted(written, 'instance')} from ${counted(attempts, 'attempt')}${except}, ` +
    `${grouped(rejected)} rejected (${rate.toFixed(1)} %)${why}`;
  return [sentence, ...counts.map(([code, count]) => `  ${code} ${grouped(count)}`)];
}

/** Tells how the audit went; true unless it failed. A set on which it fails by chance is not audited. */
function describeAudit(
  audit: NonNullable<Environment['audit']>,
  rows: readonly unknown[],
  instances: number,
  shell: Shell,
): boolean {
  if (instances < audit.minimum) {
    const least = counted(audit.minimum, 'instance');
    shell.note(
      `No audit: sets of fewer than ${least} fail it by chance; "hopscope audit" does it all the same.`,
    );
    return true;
  }
  const report = audit.report(rows);
  shell.note(auditVerdict(report, instances));
  if (!report.passed) shell.show(auditTable(report, shell.noteStyle));
  return report.passed;
}
