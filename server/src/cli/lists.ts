/** `hopscope environments` and `hopscope policies`: what there is to choose from. */
import type { Command } from 'commander';
import { environments } from '../host/data/environments.ts';
import type { ExitCode, Runner } from './command.ts';
import { chooseEnvironment, type EnvironmentChoice, withEnvironment } from './instances/selection.ts';
import type { Shell } from './shell.ts';
import { type Column, grouped, renderLegend, renderTable } from './table.ts';

const left = (title: string): Column => ({ title, align: 'left' });

/** Adds the command to the program. */
export function addEnvironments(program: Command, run: Runner): void {
  program
    .command('environments')
    .summary('list the environments and their splits')
    .description('Lists the environments and their splits.')
    .action(run(environmentsCommand));
}

async function environmentsCommand(_choice: unknown, shell: Shell): Promise<ExitCode> {
  const rows = environments.flatMap((environment) => [
    [environment.id, '', ''],
    ...environment.splits.map((split) => ['', split.id, grouped(split.size)]),
  ]);
  const columns: Column[] = [left('environment'), left('split'), { title: 'instances', align: 'right' }];
  const items = environments.flatMap(({ id, description, splits }) => [
    { label: id, description },
    ...splits.map((split) => ({ label: split.id, description: split.description })),
  ]);
  const legend = renderLegend(items, shell.style);
  await shell.out.write(`${renderTable(columns, rows, shell.style)}\n${legend}`);
  return 0;
}

/** Adds the command to the program. */
export function addPolicies(program: Command, run: Runner): void {
  const policies = program
    .command('policies')
    .description('Lists the scripted policies of an environment.')
    .summary('list the scripted policies')
    .action(run(policiesCommand));
  withEnvironment(policies);
}

async function policiesCommand(choice: EnvironmentChoice, shell: Shell): Promise<ExitCode> {
  const { policies } = chooseEnvironment(choice);
  const rows = policies.map((policy) => [policy.id, policy.privileged ? 'yes' : 'no']);
  const columns = [left('policy'), left('knows the answer')];
  const legend = renderLegend(
    policies.map(({ id, description }) => ({ label: id, description })),
    shell.style,
  );
  await shell.out.write(`${renderTable(columns, rows, shell.style)}\n${legend}`);
  return 0;
}
