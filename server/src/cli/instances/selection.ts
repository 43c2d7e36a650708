/** Which environment and which instances a command is about: the options that most commands share. */
import { type Command, Option } from 'commander';
import { needsData } from '../../engine/environments/data-set.ts';
import type { Environment, Split } from '../../engine/environments/environment.ts';
import type { OptionScope } from '../../engine/environments/option-fields.ts';
import { sizedSplit } from '../../engine/environments/split-size.ts';
import { suggest } from '../../engine/text/nearest.ts';
import { named } from '../../engine/text/visible.ts';
import type { Batch } from '../../host/batches.ts';
import { dataProblem } from '../../host/data/check.ts';
import { environments, findEnvironment } from '../../host/data/environments.ts';
import { Failure } from '../../host/failure.ts';
import { inputName, readLines } from '../../host/jsonl.ts';
import { defaultWorkers } from '../../host/pool.ts';
import {
  indexList,
  keepOption,
  malformedOption,
  maxIndex,
  maxInstances,
  maxWorkers,
  nameList,
  type RawOptions,
  wholeNumber,
} from '../arguments.ts';
import type { Shell } from '../shell.ts';

export interface EnvironmentChoice {
  readonly environment: string;
  readonly option?: RawOptions;
}

export interface SplitChoice {
  readonly split?: readonly string[];
  readonly count?: number;
  readonly start?: number;
  readonly indices?: readonly number[];
}

export interface WorkersChoice {
  readonly workers: number;
}

/** The environment of commands that name none: the first one there is. */
export const defaultEnvironment: string = environments[0]?.id ?? '';

/** Adds `--environment` and `--option`. */
export function withEnvironment(command: Command): Command {
  return command
    .option('--environment <id>', 'which environment', defaultEnvironment)
    .addOption(
      new Option('-o, --option <key=value>', 'an option of the environment; repeatable').argParser(
        keepOption,
      ),
    );
}

/** Adds the options that choose indices. */
export function withIndices(command: Command): Command {
  return command
    .addOption(
      new Option('-n, --count <n>', 'how many instances (default: all there are)').argParser(
        wholeNumber(1, maxInstances),
      ),
    )
    .addOption(
      new Option('--start <index>', 'first index; any index beyond a split gives fresh instances')
        .argParser(wholeNumber(0, maxIndex))
        .conflicts('indices'),
    )
    .addOption(
      new Option('--indices <list>', 'single indices and ranges, e.g. 0-9,20')
        .argParser(indexList)
        .conflicts('count'),
    );
}

/** Adds `--split`, which takes several, and the options that choose indices in each of them. */
export function withSplits(command: Command): Command {
  const names = 'split, or several separated by commas';
  return withIndices(command.addOption(new Option('-s, --split <names>', names).argParser(nameList)));
}

/** Adds `--workers`. */
export function withWorkers(command: Command): Command {
  return command.addOption(
    new Option('--workers <n>', 'worker threads; the results are the same for any number')
      .argParser(wholeNumber(1, maxWorkers))
      .default(defaultWorkers(), 'the cores there are, up to 3'),
  );
}

/** The environment of that name, with its options checked once before any work starts. */
export function chooseEnvironment(choice: EnvironmentChoice): Environment {
  const environment = findEnvironment(choice.environment);
  if (environment === undefined) {
    const known = environments.map((it) => it.id);
    throw new Failure(
      'request',
      `There is no environment ${named(choice.environment)}.${suggest(choice.environment, known)}`,
    );
  }
  optionsOf(environment, choice);
  return environment;
}

/** The checked options of a command whose environment {@link chooseEnvironment} has found. */
export function optionsOf(environment: Environment, choice: EnvironmentChoice): unknown {
  requireWellFormed(environment, choice);
  const options = environment.parseOptions(choice.option ?? {});
  if (options.ok) return options.value;
  throw new Failure('request', `Bad --option: ${options.error}.`);
}

/** @throws Failure, with an example of that environment's own, for an option that is not written as key=value. */
function requireWellFormed({ optionFields = [] }: Environment, { option }: EnvironmentChoice): void {
  const text = malformedOption(option);
  if (text === undefined) return;
  const [first] = optionFields;
  const field = optionFields.find(({ key }) => key === text.trim()) ?? first;
  const example = field === undefined ? '' : `, e.g. ${quoted(`${field.key}=${plainList(field.example)}`)}`;
  throw new Failure('request', `Bad --option ${named(text)}: write options as key=value${example}.`);
}

/** A list of texts as a command line may have it, `a,b`; other values as they are. */
function plainList(example: string): string {
  return example.replace(/^\["([^"]*)"((?:, "[^"]*")*)\]$/, (_, first: string, rest: string) =>
    [first, ...rest.split(/, "([^"]*)"/).filter((part) => part !== '')].join(','),
  );
}

function quoted(argument: string): string {
  return /^[\w=.,-]+$/.test(argument) ? argument : `'${argument}'`;
}

/** What a command does with instances, which decides the options that have an effect. */
export interface Effects {
  /** Makes them: they do not come from files. */
  readonly makes: boolean;
  /** Plays or judges episodes on them. */
  readonly plays: boolean;
  /** As in `hopscope audit`. */
  readonly command: string;
}

/** Refuses options that would have no effect. @throws Failure that says where the option belongs. */
export function refuseIdleOptions(
  environment: Environment,
  choice: EnvironmentChoice,
  { makes, plays, command }: Effects,
): void {
  requireWellFormed(environment, choice);
  const given = Object.keys(choice.option ?? {});
  const idle = (scope: OptionScope) =>
    environment.optionFields?.find((field) => field.scope === scope && given.includes(field.key))?.key;
  const made = makes ? undefined : idle('instance');
  if (made !== undefined) {
    const sentence = `${made} decides how instances are made, and those of files are made already: give it to "generate", or name a split.`;
    throw new Failure('request', `Bad --option: ${sentence}`);
  }
  const played = plays ? undefined : idle('episode');
  if (played !== undefined) {
    const sentence = `${played} decides how episodes are played, and "${command}" plays none: give it to "eval" or "replay".`;
    throw new Failure('request', `Bad --option: ${sentence}`);
  }
}

/**
 * The split of that name, with the size it has under the options as they were given.
 *
 * @throws Failure with the nearest name, and for bad options.
 */
export function findSplit(environment: Environment, name: string, option?: RawOptions): Split {
  const split = environment.splits.find((it) => it.id === name);
  if (split !== undefined) {
    requireData(environment, name);
    const choice = option === undefined ? {} : { option };
    return sizedSplit(environment, split, optionsOf(environment, { environment: environment.id, ...choice }));
  }
  const known = environment.splits.map((it) => it.id);
  throw new Failure('request', `${environment.id} has no split ${named(name)}.${suggest(name, known)}`);
}

/** @throws Failure, once for all instances, when the data that they are made from are not here as published. */
function requireData({ data }: Environment, split: string): void {
  if (data === undefined || !needsData(data, split)) return;
  const problem = dataProblem(data.set);
  if (problem !== null) throw new Failure('request', problem);
}

/** Where instances come from, as batches for the workers; figures take splits or files, never both at once. */
export interface Instances {
  /** For tables and progress, e.g. `id_test, ood_test` or a file name. */
  readonly label: string;
  /** How many there are, or undefined for files, whose lines nobody has counted. */
  readonly total: number | undefined;
  readonly batches: Iterable<Batch> | AsyncIterable<Batch>;
}

/**
 * The chosen members of splits, or of files.
 *
 * @param effects what is going to be done with them.
 * @throws Failure when neither or both are named, or an option has no effect.
 */
export function chooseInstances(
  environment: Environment,
  choice: SplitChoice & { readonly option?: RawOptions; readonly instances?: readonly string[] },
  effects: Omit<Effects, 'makes'>,
  shell: Shell,
): Instances {
  const { split = [], instances = [] } = choice;
  if (split.length > 0 && instances.length > 0) {
    throw new Failure('request', 'Name a split or files of instances, not both.');
  }
  const { option = {} } = choice;
  const makes = instances.length === 0;
  refuseIdleOptions(environment, { environment: environment.id, option }, { ...effects, makes });
  if (instances.length > 0) return fileInstances(instances, choice, shell);
  if (split.length > 0) return splitInstances(environment, choice);
  const known = environment.splits.map((it) => it.id).join(', ');
  throw new Failure('request', `Name a split with --split (${known}), or a file of instances.`);
}

/** The chosen indices of each chosen split. */
export function splitMembers(
  environment: Environment,
  choice: SplitChoice & { readonly option?: RawOptions },
): readonly { readonly split: string; readonly indices: readonly number[] }[] {
  return (choice.split ?? []).map((name) => {
    const split = findSplit(environment, name, choice.option);
    return { split: name, indices: checkedIndices(split, choice.indices ?? indexRange(split, choice)) };
  });
}

/** Members of the chosen splits, split after split, in index order. */
export function splitInstances(
  environment: Environment,
  choice: SplitChoice & { readonly option?: RawOptions },
): Instances {
  const names = choice.split ?? [];
  const members = splitMembers(environment, choice);
  const total = members.reduce((sum, { indices }) => sum + indices.length, 0);
  function* batches(): Generator<Batch> {
    for (const { split, indices } of members) {
      for (let at = 0; at < indices.length; at += batchSize) {
        yield { split, indices: indices.slice(at, at + batchSize) };
      }
    }
  }
  return { label: names.join(', '), total, batches: batches() };
}

function indexRange(split: Split, { start = 0, count = split.size - start }: SplitChoice): readonly number[] {
  if (count <= 0) {
    const fresh = split.finite ? '' : '; say how many fresh ones with -n';
    const sentence = `Split ${split.id} has ${split.size} instances, so none is left from ${start} on${fresh}.`;
    throw new Failure('request', sentence);
  }
  if (start + count - 1 > maxIndex) throw new Failure('request', `The highest index is ${maxIndex}.`);
  return Array.from({ length: count }, (_, i) => start + i);
}

/** `indices`, none of them beyond a split that ends. @throws Failure */
export function checkedIndices(split: Split, indices: readonly number[]): readonly number[] {
  const highest = indices.reduce((high, index) => Math.max(high, index), 0);
  if (!split.finite || highest < split.size) return indices;
  const sentence = `Split ${split.id} has ${split.size} instances and no more, so there is none at ${highest}.`;
  throw new Failure('request', sentence);
}

/**
 * Instances a worker gets at once. Two make messages cheap already, and each more is held in memory several times: as
 * an object, as text and as bytes.
 */
const batchSize = 2;

/** Characters after which a batch of lines goes to a worker: a few ordinary instances. */
const fileBatchSize = 500_000;

/** Instances in files: their lines, of which those at the chosen positions (counted over all files from 0) are used. */
function fileInstances(paths: readonly string[], choice: SplitChoice, shell: Shell): Instances {
  const { start = 0, count = Number.POSITIVE_INFINITY } = choice;
  const wanted = choice.indices === undefined ? undefined : new Set(choice.indices);
  const last = choice.indices === undefined ? start + count : (choice.indices.at(-1) ?? 0) + 1;
  const chosen = (position: number): boolean =>
    wanted === undefined ? position >= start : wanted.has(position);
  async function* lines() {
    let position = 0;
    for (const path of paths) {
      for await (const line of readLines(path, shell.signal)) {
        if (position === last) return;
        const name = `${inputName(path)} line ${line.number}`;
        if (!chosen(position++)) continue;
        if (line.ok) yield { name, text: line.text };
        else shell.problem(`${name} ${line.error}.`);
      }
    }
  }
  async function* batches(): AsyncGenerator<Batch> {
    let batch: { name: string; text: string }[] = [];
    let size = 0;
    for await (const line of lines()) {
      batch.push(line);
      size += line.text.length;
      if (size < fileBatchSize) continue;
      yield { lines: batch };
      batch = [];
      size = 0;
    }
    if (batch.length > 0) yield { lines: batch };
  }
  return { label: paths.map(inputName).join(', '), total: undefined, batches: batches() };
}

/** A batch in words, for messages. */
export function nameBatch(batch: Batch): string {
  if ('lines' in batch) return `${batch.lines[0]?.name} and after`;
  return `${batch.split} ${batch.indices[0]}-${batch.indices.at(-1)}`;
}
