/** `hopscope summary`: the figures of finished runs, or of runs as far as they are. */
import { type Command, Option } from 'commander';
import { dollarsOf } from '../../engine/evals/prices.ts';
import { showNotes } from '../../host/runs/notes.ts';
import { readRun } from '../../host/runs/read-run.ts';
import type { ExitCode, Runner } from '../command.ts';
import type { Shell } from '../shell.ts';
import { pricesFor } from './model.ts';
import { runTable, type Summarized, summarized } from './table.ts';

interface SummaryChoice {
  readonly runs: readonly string[];
  readonly prices?: string;
  readonly json?: boolean;
}

/** Adds the command to the program. */
export function addSummary(program: Command, run: Runner): void {
  program
    .command('summary')
    .summary('print the figures of runs')
    .description(
      'Prints means per episode (± standard error) of each run and by group, with how many episodes were requested, ' +
        'scored and errored. Reads our own run folders and both public formats: traces.jsonl, results.jsonl.',
    )
    .argument('<runs...>', 'run folders, or files in them')
    .addOption(new Option('--prices <file>', 'JSON table of prices, as for eval'))
    .option('--json', 'one JSON object for each run')
    .addHelpText(
      'after',
      `
Examples:
  hopscope summary outputs/*
  hopscope summary outputs/*--terse--1a2b3c4d --json`,
    )
    .action((runs: readonly string[], choice) => run(summaryCommand)({ ...choice, runs }));
}

async function summaryCommand(choice: SummaryChoice, shell: Shell): Promise<ExitCode> {
  const prices = await pricesFor(choice.prices, shell.signal);
  const all: Summarized[] = [];
  for (const path of choice.runs) {
    const run = await readRun(path, { problem: shell.problem, signal: shell.signal });
    all.push(summarized(run, prices(run.info), await showNotes(run.info.folder, shell.problem)));
  }
  if (!choice.json) await shell.out.write(runTable(all, shell.style));
  else for (const run of all) await shell.out.write(`${JSON.stringify(toJson(run))}\n`);
  return shell.problems === 0 ? 0 : 1;
}

/** What identifies the run, without the text of its prompt, and its figures. */
function toJson({ info, summary, prices, note }: Summarized): object {
  const { prompt, ...rest } = info;
  const named = prompt === null ? null : { name: prompt.name, hash: prompt.hash };
  return {
    run: { ...rest, prompt: named, note: note?.text ?? '', tags: note?.tags ?? [] },
    ...summary,
    dollars: dollarsOf(prices, summary),
  };
}
