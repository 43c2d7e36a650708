/** `hopscope models`: which models an endpoint has. */
import type { Command } from 'commander';
import { explainFailure } from '../../engine/evals/explain-failure.ts';
import { Failure } from '../../host/failure.ts';
import { systemClock } from '../../host/models/clock.ts';
import { environmentKeys } from '../../host/models/keys.ts';
import type { ListedModel } from '../../host/models/list-models.ts';
import { presets } from '../../host/models/presets.ts';
import type { ExitCode, Runner } from '../command.ts';
import type { Shell } from '../shell.ts';
import { type Column, grouped, renderLegend, renderTable } from '../table.ts';
import { chosenBaseUrl } from './model.ts';

interface ModelsChoice {
  readonly baseUrl?: string;
  readonly json?: boolean;
}

/** Adds the command to the program. */
export function addModels(program: Command, run: Runner): void {
  program
    .command('models')
    .summary('list the models of an endpoint')
    .description('Lists the models that an endpoint says it has, or the endpoints that have a name here.')
    .option('--base-url <url>', 'the endpoint, or the name of a preset')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  hopscope models
  hopscope models --base-url ollama`,
    )
    .action(run(modelsCommand));
}

async function modelsCommand(choice: ModelsChoice, shell: Shell): Promise<ExitCode> {
  const baseUrl = chosenBaseUrl(choice.baseUrl);
  if (baseUrl === null) await shell.out.write(choice.json ? toJson({ presets }) : presetTable(shell));
  else {
    const models = await modelsOf(baseUrl, shell);
    await shell.out.write(choice.json ? toJson({ baseUrl, models }) : modelTable(models, shell));
  }
  return 0;
}

async function modelsOf(baseUrl: string, { signal }: Shell): Promise<readonly ListedModel[]> {
  const { listModels } = await import('../../host/models/list-models.ts'); // large
  const keys = environmentKeys(process.env, baseUrl);
  const list = await listModels(baseUrl, { clock: systemClock, signal, keys });
  signal.throwIfAborted();
  if (list.ok) return list.models;
  throw new Failure('run', explainFailure(list.failure));
}

function toJson(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function presetTable({ style }: Shell): string {
  const columns: Column[] = ['preset', 'base URL'].map((title) => ({ title, align: 'left' }));
  const rows = presets.map(({ id, baseUrl }) => [id, baseUrl]);
  const legend = presets.map(({ id, title, hint }) => ({ label: id, description: `${title}. ${hint}` }));
  return `${renderTable(columns, rows, style)}\n${renderLegend(legend, style)}`;
}

function modelTable(models: readonly ListedModel[], { style }: Shell): string {
  const columns: Column[] = [
    { title: 'model', align: 'left' },
    { title: 'context', align: 'right' },
  ];
  const rows = models.map(({ id, context }) => [id, context === undefined ? '' : grouped(context)]);
  return renderTable(columns, rows, style);
}
