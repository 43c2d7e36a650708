/** `hopscope baselines`: what shortcuts that play no episode would score. */
import type { Environment } from '../engine/environments/environment.ts';
import { groupRows } from '../engine/evals/summarize.ts';
import { mean } from '../engine/stats/means.ts';
import { Failure } from '../host/failure.ts';
import type { BaselineRow } from '../host/tasks.ts';
import type { ExitCode } from './main.ts';
import {
  chooseEnvironment,
  chooseInstances,
  type EnvironmentChoice,
  type SplitChoice,
  type WorkersChoice,
} from './selection.ts';
import type { Shell } from './shell.ts';
import { type Column, fixed, grouped, type Row, renderTable } from './table.ts';
import { workThrough } from './work.ts';

export interface BaselinesChoice extends EnvironmentChoice, SplitChoice, WorkersChoice {
  readonly instances?: readonly string[];
  readonly seed: string;
  readonly json?: boolean;
}

export async function baselinesCommand(choice: BaselinesChoice, shell: Shell): Promise<ExitCode> {
  const environment = chooseEnvironment(choice);
  if (environment.baselines === undefined) {
    throw new Failure('request', `${environment.id} has no baselines.`);
  }
  const { workers, option: options = {}, seed } = choice;
  const instances = chooseInstances(environment, choice, shell);
  const rows: BaselineRow[] = [];
  await workThrough(
    {
      task: 'baselines',
      title: `baselines ${instances.label}`,
      instances,
      workers,
      job: (batch) => ({ environment: environment.id, options, batch, seed }),
      take(result) {
        rows.push(...result.rows);
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

/** The groups of every grouping, then all instances. */
function partsOf(environment: Environment, rows: readonly BaselineRow[]): readonly Part[] {
  const groups = (environment.groupings ?? []).flatMap(({ id, label }) =>
    groupRows(rows, (row) => row.groups[id]).map(([value, members]) => ({
      group: { [id]: value },
      label: `${value} ${label}`,
      rows: members,
    })),
  );
  return [...groups, { group: {}, label: 'all', rows }];
}

function scoreOf(rows: readonly BaselineRow[], baseline: string): number | null {
  return mean(rows.flatMap((row) => row.scores[baseline] ?? []));
}

function baselinesJson(environment: Environment, rows: readonly BaselineRow[]): string {
  const ids = (environment.baselines ?? []).map((it) => it.id);
  return partsOf(environment, rows)
    .map((part) => {
      const scores = Object.fromEntries(ids.map((id) => [id, scoreOf(part.rows, id)]));
      return `${JSON.stringify({ ...part.group, n: part.rows.length, ...scores })}\n`;
    })
    .join('');
}

/** A row for each baseline and a column for each group: there are more words in the former. */
function baselinesTable(environment: Environment, rows: readonly BaselineRow[], shell: Shell): string {
  const parts = partsOf(environment, rows);
  const columns: Column[] = [
    { title: 'baseline', align: 'left' },
    ...parts.map(({ label }) => ({ title: label, align: 'right' }) as const),
    { title: 'what it does', align: 'left' },
  ];
  const body: Row[] = [
    ['instances', ...parts.map((part) => grouped(part.rows.length))],
    'rule',
    ...(environment.baselines ?? []).map(({ id, label, description }) => [
      label,
      ...parts.map((part) => fixed(scoreOf(part.rows, id), 4)),
      description,
    ]),
  ];
  return renderTable(columns, body, shell.style);
}
