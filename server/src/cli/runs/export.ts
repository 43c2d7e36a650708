/** `hopscope export`: runs in the formats that other tools read. */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import manifest from '../../../../package.json' with { type: 'json' };
import { episodesCsv } from '../../engine/evals/formats/csv.ts';
import { dollarsOf } from '../../engine/evals/prices.ts';
import { summarizeRun } from '../../engine/evals/run-summary.ts';
import { explain, Failure } from '../../host/failure.ts';
import { makeFolder } from '../../host/make-folder.ts';
import { openPool } from '../../host/pool.ts';
import { convertRun } from '../../host/runs/convert-run.ts';
import { deriveFiles } from '../../host/runs/derive-files.ts';
import type { DerivedTarget } from '../../host/runs/derived.ts';
import { indexParts, openInstances } from '../../host/runs/instances.ts';
import { isLocked } from '../../host/runs/lock.ts';
import { materialOf } from '../../host/runs/material.ts';
import { locateRun, type RunPlace, readRecords, readRun } from '../../host/runs/read-run.ts';
import type { ExitCode, Runner } from '../command.ts';
import { type WorkersChoice, withWorkers } from '../instances/selection.ts';
import type { Shell } from '../shell.ts';
import { pricesFor } from './model.ts';
import { writeReportPage } from './report-page.ts';

interface ExportChoice extends WorkersChoice {
  readonly path: string;
  readonly traces?: boolean;
  readonly results?: boolean;
  readonly csv?: boolean;
  readonly html?: boolean;
  readonly instances?: readonly string[];
  readonly out?: string;
  readonly prices?: string;
}

/** Adds the command to the program. */
export function addExport(program: Command, run: Runner): void {
  const command = program
    .command('export')
    .summary('write a run in the formats that other tools read')
    .description(
      'Writes the episodes of a run that ended or failed. The files are made from the steps of the run, so this works for a ' +
        'run that was killed as well; runs of other programs are converted.',
    )
    .argument('<run>', 'run folder')
    .option('--traces', 'traces.jsonl: an episode a line, each step a trace with the reward of its episode')
    .option('--results', 'results.jsonl and metadata.json: the older format, a rollout a line')
    .option('--csv', 'episodes.csv: a table of episodes')
    .option('--html', 'report.html: one page with everything, to be handed to others')
    .option('--instances <files...>', 'for the page: instances that the run does not say how to make again')
    .option(
      '--out <folder>',
      'where the files go (default: the folder of the run); - is standard output, for --csv',
    )
    .option('--prices <file>', 'JSON table of prices, as for eval')
    .addHelpText(
      'after',
      `
Without a choice of formats all but the page are written.

Examples:
  hopscope export outputs/*--terse--1a2b3c4d --csv
  hopscope export outputs/*--terse--1a2b3c4d --traces --out shared
  hopscope export outputs/*--terse--1a2b3c4d --html`,
    )
    .action((path: string, choice) => run(exportCommand)({ ...choice, path }));
  withWorkers(command);
}

async function exportCommand(choice: ExportChoice, shell: Shell): Promise<ExitCode> {
  const place = await locateRun(choice.path);
  const chosen = [choice.traces, choice.results, choice.csv, choice.html].some((it) => it === true);
  const { traces = !chosen, results = !chosen, csv = !chosen } = choice;
  const into = choice.out ?? place.folder;
  const read = { problem: shell.problem, signal: shell.signal };
  if (into === '-') {
    if (!csv || traces || results || choice.html) {
      throw new Failure('request', 'Only --csv alone goes to standard output.');
    }
    await shell.out.write(episodesCsv(await readRun(choice.path, read)));
    return shell.problems === 0 ? 0 : 1;
  }
  try {
    makeFolder(into);
  } catch (error) {
    throw new Failure('request', `Cannot write into ${into}: ${explain(error)}.`);
  }
  if (traces || results) await exportRows(place, { into, traces, results }, choice, shell);
  if (csv) {
    const path = join(into, 'episodes.csv');
    await writeFile(path, episodesCsv(await readRun(choice.path, read))).catch((error) => {
      throw new Failure('run', `Cannot write ${path}: ${explain(error)}.`);
    });
  }
  if (choice.html) {
    const run = await readRun(choice.path, read);
    const prices = (await pricesFor(choice.prices, shell.signal))(run.info);
    const cost = dollarsOf(prices, summarizeRun(run, []));
    const page = { instances: choice.instances ?? [], cost };
    await writeReportPage(join(into, 'report.html'), run, page, shell);
  }
  shell.note(`Written into ${into}.`);
  return shell.problems === 0 ? 0 : 1;
}

async function exportRows(
  place: RunPlace,
  target: DerivedTarget,
  choice: ExportChoice,
  shell: Shell,
): Promise<void> {
  const { folder, config } = place;
  const read = { problem: shell.problem, signal: shell.signal };
  const { version } = manifest;
  if (config === null) return convertRun(place, target, { ...read, version });
  if (resolve(target.into) === resolve(folder) && isLocked(folder)) {
    throw new Failure('request', `A process is at work on ${folder}: give another folder with --out.`);
  }
  const material = materialOf(config);
  const records = await readRecords(folder, read);
  const pool = openPool({ script: shell.worker, workers: choice.workers, signal: shell.signal });
  try {
    const instances = openInstances(pool, await indexParts(config.parts, pool));
    const prices = (await pricesFor(choice.prices, shell.signal))(config);
    await deriveFiles(folder, material, records, { instances, version, prices }, target);
  } finally {
    await pool.close();
  }
}
