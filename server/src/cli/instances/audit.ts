/** `hopscope audit`: surface features that give the answer away, over a set of instances. */
import type { Command } from 'commander';
import type { AuditReport } from '../../engine/environments/environment.ts';
import { auditVerdict } from '../../engine/evals/audit-text.ts';
import { Failure } from '../../host/failure.ts';
import type { ExitCode, Runner } from '../command.ts';
import { workThrough } from '../evals/work.ts';
import type { Shell } from '../shell.ts';
import type { Style } from '../style.ts';
import { counted, fixed, renderTable } from '../table.ts';
import {
  chooseEnvironment,
  chooseInstances,
  type EnvironmentChoice,
  type SplitChoice,
  type WorkersChoice,
  withEnvironment,
  withSplits,
  withWorkers,
} from './selection.ts';

interface AuditChoice extends EnvironmentChoice, SplitChoice, WorkersChoice {
  readonly files: readonly string[];
  readonly json?: boolean;
}

/** Adds the command to the program. */
export function addAudit(program: Command, run: Runner): void {
  const audit = program
    .command('audit')
    .summary('look for surface features that give the answer away')
    .description(
      'Over many instances, measures how well the place, length or wording of a chunk tells that it holds evidence ' +
        'or the answer: area under the ROC curve, 0.5 when it tells nothing. Exit code 1 when a gated figure is ' +
        'further from 0.5 than the tolerance. Sets of fewer than a few hundred instances fail by chance.',
    )
    .argument('[files...]', 'JSONL files of instances, instead of --split; - is standard input')
    .option('--json', 'the report as one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  hopscope audit --split id_test -n 600
  hopscope audit train.jsonl --json`,
    )
    .action((files: readonly string[], choice) => run(auditCommand)({ ...choice, files }));
  withWorkers(withEnvironment(withSplits(audit)));
}

async function auditCommand(choice: AuditChoice, shell: Shell): Promise<ExitCode> {
  const environment = chooseEnvironment(choice);
  const { audit } = environment;
  if (audit === undefined) throw new Failure('request', `${environment.id} has no audit.`);
  const { workers, option: options = {} } = choice;
  const instances = chooseInstances(
    environment,
    { ...choice, instances: choice.files },
    { plays: false, command: 'audit' },
    shell,
  );
  const rows: unknown[] = [];
  const count = await workThrough(
    {
      task: 'audit',
      title: `audit ${instances.label}`,
      instances,
      workers,
      job: (batch) => ({ environment: environment.id, options, batch }),
      take(result, kept) {
        for (const ofInstance of kept(result.rows)) for (const row of ofInstance) rows.push(row);
      },
    },
    shell,
  );
  if (count === 0) throw new Failure('run', `There was no instance to audit in ${instances.label}.`);

  const report = audit.report(rows);
  if (choice.json) await shell.out.write(`${JSON.stringify({ instances: count, ...report })}\n`);
  else await shell.out.write(auditTable(report, shell.style));
  shell.note(auditVerdict(report, count));
  if (count < audit.minimum && !report.passed) {
    shell.note(
      `Sets of fewer than ${counted(audit.minimum, 'instance')} fail by chance: audit more of them.`,
    );
  }
  return report.passed && shell.problems === 0 ? 0 : 1;
}

/** All figures of an audit. */
export function auditTable(report: AuditReport, style: Style): string {
  const low = (0.5 - report.tolerance).toFixed(2);
  const high = (0.5 + report.tolerance).toFixed(2);
  let pool = '';
  const rows = report.figures.flatMap((figure) => {
    const verdict = !figure.gated ? style.dim('–') : figure.violated ? style.bad('fails') : style.good('ok');
    const first = figure.pool !== pool;
    const rule = first && pool !== '' ? (['rule'] as const) : [];
    pool = figure.pool;
    const gate = figure.gated ? `${low}–${high}` : 'not gated';
    return [...rule, [first ? pool : '', figure.feature, fixed(figure.auc), gate, verdict]];
  });
  return renderTable(
    [
      { title: 'compared', align: 'left' },
      { title: 'feature', align: 'left' },
      { title: 'AUC', align: 'right' },
      { title: 'gate', align: 'left' },
      { title: 'verdict', align: 'left' },
    ],
    rows,
    style,
  );
}
