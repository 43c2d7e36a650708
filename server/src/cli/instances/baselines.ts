/** `hopscope baselines`: what shortcuts that play no episode would score. */
import { type Command, Option } from 'commander';
import type { Environment } from '../../engine/environments/environment.ts';
import { groupRows } from '../../engine/evals/summarize.ts';
import { mean } from '../../engine/stats/means.ts';
import { Failure } from '../../host/failure.ts';
import type { BaselineRow } from '../../host/tasks.ts';
import type { ExitCode, Runner } from '../command.ts';
import { workThrough } from '../evals/work.ts';
import type { Shell } from '../shell.ts';
import {
  type Column,
  fixed,
  grouped,
  groupName,
  type Row,
  renderLegend,
  renderTable,
  showsGroups,
} from '../table.ts';
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

interface BaselinesChoice extends EnvironmentChoice, SplitChoice, WorkersChoice {
  readonly instances?: readonly string[];
  readonly seed: string;
  readonly json?: boolean;
}

/** Adds the command to the program. */
export function addBaselines(program: Command, run: Runner): void {
  const baselines = program
    .command('baselines')
    .summary('score shortcuts that play no episode')
    .description(
      'How far one gets without doing the task: guessing, looking at a part only, and so on; and, where the environment ' +
        'has one, the upper bound.',
    )
    .addOption(new Option('--instances <files...>', 'JSONL files of instances').conflicts(['split']))
    .option('--seed <text>', 'decides what a sampling baseline draws', '0')
    .option('--json', 'one JSON object per group and, last, one for all')
    .addHelpText(
      'after',
      `
Examples:
  hopscope baselines --split id_test,ood_test
  hopscope baselines --instances train.jsonl --json`,
    )
    .action(run(baselinesCommand));
  withWorkers(withEnvironment(withSplits(baselines)));
}

async function baselinesCommand(choice: BaselinesChoice, shell: Shell): Promise<ExitCode> {
  const environment = chooseEnvironment(choice);
  if (environment.baselines === undefined) {
    throw new Failure('request', `${environment.id} has no baselines.`);
  }
  const { workers, option: options = {}, seed } = choice;
  const instances = chooseInstances(environment, choice, { plays: false, command: 'baselines' }, shell);
  const rows: BaselineRow[] = [];
  await workThrough(
    {
      task: 'baselines',
      title: `baselines ${instances.label}`,
      instances,
      workers,
      job: (batch) => ({ environment: environment.id, options, batch, seed }),
      take(result, kept) {
        rows.push(...kept(result.rows));
      },
    },
    shell,
  );
  if (rows.length === 0) throw new Failure('run', `There was no instance to score in ${instances.label}.`);
  await shell.out.write(
    choice.json ? baselinesJson(environment, rows) : baselinesTable(environment, rows, shell),
  );
  return shell.problems === 0 ? 0 : 1;
}

interface Part {
  /** Empty for all instances. */
  readonly group: Readonly<Record<string, string | number>>;
  readonly label: string;
  readonly rows: readonly BaselineRow[];
}

/** The groups of every grouping that are to be shown, then all instances. */
function partsOf(
  environment: Environment,
  rows: readonly BaselineRow[],
  shows: (groups: readonly unknown[]) => boolean,
): readonly Part[] {
  const groups = (environment.groupings ?? []).flatMap(({ id, label }) => {
    const members = groupRows(rows, (row) => row.groups[id]);
    if (!shows(members)) return [];
    return members.map(([value, its]) => ({
      group: { [id]: value },
      label: groupName(value, label),
      rows: its,
    }));
  });
  return [...groups, { group: {}, label: 'all', rows }];
}

function scoreOf(rows: readonly BaselineRow[], baseline: string): number | null {
  return mean(rows.flatMap((row) => row.scores[baseline] ?? []));
}

function baselinesJson(environment: Environment, rows: readonly BaselineRow[]): string {
  const ids = (environment.baselines ?? []).map((it) => it.id);
  // A single group would only repeat what stands under "all".
  return partsOf(environment, rows, ({ length }) => length >= 2)
    .map((part) => {
      const scores = Object.fromEntries(ids.map((id) => [id, scoreOf(part.rows, id)]));
      return `${JSON.stringify({ ...part.group, n: part.rows.length, ...scores })}\n`;
    })
    .join('');
}

/** A row for each baseline and a column for each group, then what the baselines do. */
function baselinesTable(environment: Environment, rows: readonly BaselineRow[], shell: Shell): string {
  const parts = partsOf(environment, rows, showsGroups);
  const columns: Column[] = [
    { title: 'baseline', align: 'left' },
    ...parts.map(({ label }) => ({ title: label, align: 'right' }) as const),
  ];
  const body: Row[] = [
    ['instances', ...parts.map((part) => grouped(part.rows.length))],
    'rule',
    ...(environment.baselines ?? []).map(({ id, label }) => [
      label,
      ...parts.map((part) => fixed(scoreOf(part.rows, id), 4)),
    ]),
  ];
  const legend = renderLegend(environment.baselines ?? [], shell.style);
  return `${renderTable(columns, body, shell.style)}\n${legend}`;
}
