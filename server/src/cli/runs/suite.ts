/** `hopscope suite`: a named set of instances, taken from a run or from a split. */
import { setImmediate as breathe } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { hashInstance } from '../../engine/evals/identity.ts';
import { suiteFromRun } from '../../engine/evals/suite-from-run.ts';
import { checkSuiteName, describeSuite, type Suite, type SuiteMember } from '../../engine/evals/suites.ts';
import { counted } from '../../engine/text/numbers.ts';
import { findEnvironment } from '../../host/data/environments.ts';
import { Failure } from '../../host/failure.ts';
import { readRun } from '../../host/runs/read-run.ts';
import { suiteEnding, writeSuite } from '../../host/suite-files.ts';
import { nameList } from '../arguments.ts';
import type { ExitCode, Runner } from '../command.ts';
import {
  chooseEnvironment,
  type EnvironmentChoice,
  findSplit,
  optionsOf,
  type SplitChoice,
  withEnvironment,
  withSplits,
} from '../instances/selection.ts';
import type { Shell } from '../shell.ts';

interface SuiteChoice extends EnvironmentChoice, SplitChoice {
  readonly run?: string;
  readonly name: string;
  readonly description?: string;
  readonly cause?: readonly string[];
  readonly instances?: string;
  readonly out?: string;
  readonly pin: boolean;
  readonly force?: boolean;
}

/** Adds the command to the program. */
export function addSuite(program: Command, run: Runner): void {
  const suite = program
    .command('suite')
    .summary("name a set of instances, e.g. a run's failures")
    .description(
      'Writes a suite: a small file that names instances, to be run with `eval --suite`. Takes those on which ' +
        'episodes of a run failed, or members of a split.',
    )
    .argument('[run]', 'run folder whose failures are wanted')
    .requiredOption('--name <name>', 'stands in every figure over the suite')
    .option('--description <text>', 'what it is for')
    .addOption(
      new Option('--cause <names>', 'only failures by these causes, separated by commas').argParser(nameList),
    )
    .option('--instances <file>', 'file that holds instances which the run cannot have made again')
    .option('--out <file>', `where to write it (default: the name with ${suiteEnding})`)
    .option('--no-pin', 'leave out the hashes, so that instances may change under the same name')
    .option('--force', 'write over a file that is there')
    .addHelpText(
      'after',
      `
Examples:
  hopscope suite outputs/*--terse--1a2b3c4d --name failures
  hopscope suite outputs/*--terse--1a2b3c4d --name twins --cause twin,near-miss-value
  hopscope suite --split train --indices 0-19 --name smoke`,
    )
    .action((folder: string | undefined, choice) =>
      run(suiteCommand)({ ...choice, ...(folder === undefined ? {} : { run: folder }) }),
    );
  withEnvironment(withSplits(suite));
}

async function suiteCommand(choice: SuiteChoice, shell: Shell): Promise<ExitCode> {
  const name = checkSuiteName(choice.name);
  if (!name.ok) throw new Failure('request', `Bad --name: ${name.error}.`);
  const suite =
    choice.run === undefined ? await splitSuite(choice, shell) : await runSuite(choice.run, choice, shell);
  const path = choice.out ?? `${choice.name.replaceAll(' ', '-')}${suiteEnding}`;
  await writeSuite(path, suite, choice.force === true);
  await shell.out.write(`${path}\n`);
  shell.note(`${describeSuite(suite)} of ${sourcesText(suite)}`);
  warnOfTestSplits(suite, shell);
  return shell.problems === 0 ? 0 : 1;
}

async function runSuite(path: string, choice: SuiteChoice, shell: Shell): Promise<Suite> {
  if (choice.split !== undefined) throw new Failure('request', 'Name a run or a split, not both.');
  const run = await readRun(path, { problem: shell.problem, signal: shell.signal });
  const suite = suiteFromRun(
    run,
    {
      name: choice.name,
      description: choice.description ?? '',
      causes: choice.cause ?? [],
      pin: choice.pin,
    },
    choice.instances ?? null,
  );
  if (!suite.ok) throw new Failure('request', `${suite.error}.`);
  return suite.value;
}

async function splitSuite(choice: SuiteChoice, shell: Shell): Promise<Suite> {
  if (choice.cause !== undefined) throw new Failure('request', 'Causes are those of a run: name its folder.');
  const environment = chooseEnvironment(choice);
  const options = optionsOf(environment, choice);
  const members: SuiteMember[] = [];
  for (const split of choice.split ?? []) {
    const { size } = findSplit(environment, split, choice.option);
    const { start = 0, count = Math.max(0, size - start) } = choice;
    const indices = choice.indices ?? Array.from({ length: count }, (_, i) => start + i);
    for (const index of indices) {
      await breathe();
      shell.signal.throwIfAborted();
      const made = environment.generate(split, index, options);
      if (!made.ok) throw new Failure('request', `There is no instance ${index} of ${split}: ${made.error}.`);
      const { instance } = made.value;
      const hash = choice.pin ? hashInstance(instance) : null;
      members.push({ source: { split, index }, id: instance.id, hash });
    }
  }
  if (members.length === 0) {
    const known = environment.splits.map(({ id }) => id).join(', ');
    throw new Failure('request', `Name a run folder, or a split with --split (${known}).`);
  }
  return {
    name: choice.name,
    description: choice.description ?? '',
    environment: environment.id,
    generatorVersion: environment.generatorVersion,
    options: choice.option ?? {},
    members,
    origin: {},
  };
}

/** To work on what a test split shows is to fit to it: that is said once, gently. */
function warnOfTestSplits({ environment, members }: Suite, shell: Shell): void {
  const used = new Set(members.flatMap(({ source }) => ('file' in source ? [] : [source.split])));
  const splits = findEnvironment(environment)?.splits ?? [];
  const tests = splits.filter(({ id, test }) => test && used.has(id)).map(({ id }) => id);
  if (tests.length === 0) return;
  shell.note(`${tests.join(', ')} is for testing: the more you work on it, the less its figures say.`);
}

/** Where the members come from, e.g. `14 id_test, 2 foreign.jsonl`. */
function sourcesText({ members }: Suite): string {
  const counts = new Map<string, number>();
  for (const { source } of members) {
    const place = 'file' in source ? source.file : source.split;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  if (counts.size === 1) return [...counts.keys()].join('');
  return [...counts].map(([place, count]) => `${place} (${counted(count, 'instance')})`).join(', ');
}
