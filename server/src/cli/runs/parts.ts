/** Which instances a run is on: of splits, of files, or of a suite. */
import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { Environment } from '../../engine/environments/environment.ts';
import type { InstancePart } from '../../engine/evals/run-config.ts';
import { parseSuite } from '../../engine/evals/suite-file.ts';
import type { Suite, SuiteMember } from '../../engine/evals/suites.ts';
import { permutation } from '../../engine/random/shuffle.ts';
import { Failure } from '../../host/failure.ts';
import type { Pool } from '../../host/pool.ts';
import { hashFile, indexInstanceFile } from '../../host/runs/instances.ts';
import { readText } from '../../host/text-file.ts';
import type { RawOptions } from '../arguments.ts';
import { checkedIndices, findSplit, type SplitChoice } from '../instances/selection.ts';

export interface InstancesChoice extends SplitChoice {
  /** Files of instances. */
  readonly instances?: readonly string[];
  /** File of a suite. */
  readonly suite?: string;
  readonly shuffleSeed?: number;
}

/** What holds where nothing was asked for. */
interface Defaults {
  /** The split that the prompts name. */
  readonly split: string | null;
  /** Instances of each split; null for all. */
  readonly count: number | null;
  /** Of the environment, as they were given: they decide how large splits are. */
  readonly options: RawOptions;
}

/** Reads a suite; its files are relative to it. @throws Failure */
export async function readSuite(path: string, signal?: AbortSignal): Promise<Suite> {
  const text = await readText(path, signal);
  if (!text.ok) throw new Failure('request', `${path} ${text.error}.`);
  const suite = parseSuite(text.value);
  if (!suite.ok) throw new Failure('request', `${path} ${suite.error}.`);
  const resolved = (member: SuiteMember): SuiteMember =>
    'file' in member.source
      ? { ...member, source: { ...member.source, file: resolve(dirname(path), member.source.file) } }
      : member;
  return { ...suite.value, members: suite.value.members.map(resolved) };
}

/** The instances and what figures call them. @throws Failure */
export async function chooseParts(
  environment: Environment,
  choice: InstancesChoice,
  suite: Suite | null,
  pool: Pool,
  defaults: Defaults,
): Promise<{ readonly label: string; readonly parts: readonly InstancePart[] }> {
  const { split, instances } = choice;
  if ([split, instances, choice.suite].filter((it) => it !== undefined).length > 1) {
    throw new Failure('request', 'Name a split, files of instances or a suite, one of them.');
  }
  if (suite !== null) return { label: suite.name, parts: await suiteParts(environment, suite, choice) };
  if (instances !== undefined) {
    const parts = await Promise.all(instances.map((path) => filePart(path, choice, pool)));
    return { label: instances.map((path) => basename(path)).join(', '), parts };
  }
  const names = split ?? (defaults.split === null ? [] : [defaults.split]);
  if (names.length === 0) {
    const known = environment.splits.map((it) => it.id).join(', ');
    throw new Failure('request', `Name a split with --split (${known}), a file of instances, or a suite.`);
  }
  const parts = names.map((name) => splitPart(environment, name, choice, defaults));
  return { label: names.join(', '), parts };
}

function splitPart(
  environment: Environment,
  name: string,
  choice: InstancesChoice,
  { count: most, options }: Defaults,
): InstancePart {
  const split = findSplit(environment, name, options);
  if (choice.indices !== undefined) {
    return { split: name, indices: chosen(checkedIndices(split, choice.indices), choice) };
  }
  const { start = 0 } = choice;
  const count = choice.count ?? Math.max(0, Math.min(split.size - start, most ?? split.size));
  if (count === 0) {
    throw new Failure(
      'request',
      `Split ${name} has ${split.size} instances, so none is left from ${start} on.`,
    );
  }
  checkedIndices(split, [start + count - 1]);
  // The order is that of the whole split, so that more instances are the same ones and some more.
  const size = Math.max(split.size, start + count);
  const order = choice.shuffleSeed === undefined ? null : permutation('numpy', choice.shuffleSeed, size);
  return { split: name, indices: Array.from({ length: count }, (_, i) => order?.[start + i] ?? start + i) };
}

/** Some of a list, in the order that the choice wants. */
function chosen<T>(list: readonly T[], { start = 0, count, shuffleSeed }: InstancesChoice): readonly T[] {
  const order = shuffleSeed === undefined ? null : permutation('numpy', shuffleSeed, list.length);
  const ordered = order === null ? list : order.flatMap((at) => list.slice(at, at + 1));
  return ordered.slice(start, count === undefined ? undefined : start + count);
}

async function filePart(path: string, choice: InstancesChoice, pool: Pool): Promise<InstancePart> {
  const file = resolve(path);
  const stats = await stat(file).catch(() => undefined);
  if (path === '-' || (stats !== undefined && !stats.isFile() && !stats.isDirectory()))
    throw new Failure('request', 'A run needs its instances again later: give a file, not a pipe.');
  const { places, problems } = await indexInstanceFile(file, pool);
  const [problem] = problems;
  if (problem !== undefined) throw new Failure('request', `${path}: ${problem}`);
  const all = [...places.keys()];
  const wanted = choice.indices === undefined ? all : choice.indices.flatMap((at) => all.slice(at, at + 1));
  const ids = chosen(wanted, choice);
  if (ids.length === 0) throw new Failure('request', `${path} holds none of these instances.`);
  return { file, hash: await hashFile(file), ids };
}

/** Members next to each other that come from the same place go together. */
async function suiteParts(
  environment: Environment,
  suite: Suite,
  choice: InstancesChoice,
): Promise<readonly InstancePart[]> {
  const { generatorVersion } = suite;
  if (generatorVersion !== null && generatorVersion !== environment.generatorVersion) {
    const versions = `generator ${generatorVersion}, this version has ${environment.generatorVersion}`;
    throw new Failure(
      'request',
      `The suite ${suite.name} was made with ${versions}, so its instances are others.`,
    );
  }
  const members = chosen(suite.members, choice);
  const groups: SuiteMember[][] = [];
  for (const member of members) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (first !== undefined && placeOf(first) === placeOf(member)) group?.push(member);
    else groups.push([member]);
  }
  return Promise.all(groups.map(toPart));
}

function placeOf({ source }: SuiteMember): string {
  return 'file' in source ? `file ${source.file}` : `split ${source.split}`;
}

async function toPart(members: readonly SuiteMember[]): Promise<InstancePart> {
  const pinned = members.flatMap(({ hash }, at) => (hash === null ? [] : [[String(at), hash] as const]));
  const pins = pinned.length === 0 ? {} : { pins: Object.fromEntries(pinned) };
  const sources = members.map(({ source }) => source);
  const indices = sources.flatMap((source) => ('file' in source ? [] : [source.index]));
  const ids = sources.flatMap((source) => ('file' in source ? [source.id] : []));
  const [first] = sources;
  if (first === undefined) throw new RangeError('no members');
  return 'file' in first
    ? { file: first.file, hash: await hashFile(first.file), ids, ...pins }
    : { split: first.split, indices, ...pins };
}
