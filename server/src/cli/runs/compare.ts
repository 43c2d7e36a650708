/** `hopscope compare`: runs on the same instances, held against each other. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Comparison, compareRuns } from '../../engine/evals/comparisons/compare.ts';
import type { FirstDifference } from '../../engine/evals/comparisons/first-difference.ts';
import type { Flip } from '../../engine/evals/comparisons/flips.ts';
import type { Run } from '../../engine/evals/run-data.ts';
import { Failure } from '../../host/failure.ts';
import { readRun } from '../../host/runs/read-run.ts';
import { wholeNumber } from '../arguments.ts';
import type { ExitCode, Runner } from '../command.ts';
import type { Shell } from '../shell.ts';
import { comparisonJson } from './compare-json.ts';
import { comparisonReport, runName } from './compare-report.ts';
import { openPartings } from './partings.ts';

interface CompareChoice {
  readonly runs: readonly string[];
  readonly instances?: readonly string[];
  readonly flips: number;
  readonly show?: string;
  readonly seed: string;
  readonly json?: boolean;
}

/** Adds the command to the program. */
export function addCompare(program: Command, run: Runner): void {
  program
    .command('compare')
    .summary('compare runs on the same instances')
    .description(
      'Compares every further run with the first: paired differences of reward and accuracy with a bootstrap ' +
        'interval and exact tests, what was fixed and broken, differences by group and by cause, and what was ' +
        'asked differently. Warns when runs are not comparable.',
    )
    .argument('<runs...>', 'two or more run folders, the one to compare with first')
    .option('--instances <files...>', 'JSONL files of instances that the runs do not say how to make again')
    .option('--flips <n>', 'how many fixed and broken instances to list', wholeNumber(0, 1_000_000), 20)
    .option('--show <instance>', 'only this instance, reply beside reply where the episodes part')
    .option('--seed <text>', 'seed of the bootstrap', '0')
    .option('--json', 'one line of JSON for each comparison')
    .addHelpText(
      'after',
      `
Differences are the later run less the first: above 0 is better.

Examples:
  hopscope compare outputs/*--terse--1a2b3c4d outputs/*--short--5e6f7a8b
  hopscope compare A B --show hs1-id_test-17
  hopscope compare A B C --json | jq .reward.mean`,
    )
    .action((runs: readonly string[], choice) => run(compareCommand)({ ...choice, runs }));
}

async function compareCommand(choice: CompareChoice, shell: Shell): Promise<ExitCode> {
  if (choice.runs.length < 2)
    throw new Failure('request', 'Name two runs at least, the one to compare with first.');
  const runs: Run[] = [];
  for (const path of choice.runs) {
    runs.push(await readRun(path, { problem: shell.problem, signal: shell.signal }));
  }
  const [first, ...others] = runs;
  for (const [position, other] of others.entries()) {
    if (first === undefined) continue;
    const text = await compareTwo(first, other, choice, shell);
    await shell.out.write(position > 0 && !choice.json ? `\n${text}` : text);
  }
  if (others.length > 1 && !choice.json) {
    const share = (0.05 / others.length).toFixed(3);
    shell.note(
      `Of ${others.length} comparisons, one with a p below ${share} is what one alone with 0.05 is.`,
    );
  }
  return shell.problems === 0 ? 0 : 1;
}

async function compareTwo(a: Run, b: Run, choice: CompareChoice, shell: Shell): Promise<string> {
  const compared = compareRuns(a, b, choice.seed);
  if (!compared.ok) {
    throw new Failure('request', `${runName(a.info)} and ${runName(b.info)} ${compared.error}.`);
  }
  if (choice.json) return `${JSON.stringify(comparisonJson(compared.value))}\n`;
  const partings = await openPartings(a, b, choice.instances ?? [], shell);
  if (choice.show !== undefined) return partings.show(choice.show);
  const found = new Map<Flip, FirstDifference | null>();
  for (const flip of listedFlips(compared.value, choice.flips)) {
    // Lets a signal in: nothing else here waits for anything outside.
    await breathe();
    shell.signal.throwIfAborted();
    found.set(flip, await partings.of(flip));
  }
  return comparisonReport(compared.value, {
    style: shell.style,
    groupings: partings.groupings,
    listed: choice.flips,
    parting: (flip) => found.get(flip) ?? null,
  });
}

function listedFlips({ fixed, broken }: Comparison, listed: number): readonly Flip[] {
  return [...fixed.slice(0, listed), ...broken.slice(0, listed)];
}
