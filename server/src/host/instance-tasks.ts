/**
 * The work that worker threads do for a list of instances: indexing a file of them, and examining many. As in tasks.ts,
 * plain messages in and out.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { AnyInstance, Environment } from '../engine/environments/environment.ts';
import type { Unsound } from '../engine/evals/examination.ts';
import { groupsOf } from '../engine/evals/summarize.ts';
import type { Checked } from '../engine/problem.ts';
import { environments, findEnvironment } from './data/environments.ts';
import { parseInstance } from './instance-index.ts';
import { parseObject, readLines } from './jsonl.ts';

/** An instance in a file: where its line is, and what a list says of it. */
export interface IndexedLine {
  readonly id: string;
  /** From 1, blank lines included. */
  readonly line: number;
  /** In bytes. */
  readonly offset: number;
  readonly length: number;
  /** By the environment's groupings. */
  readonly groups: Readonly<Record<string, string | number>>;
}

export interface FileIndex {
  /** The environment whose instances they are; null when no line is an instance of any. */
  readonly environment: string | null;
  /** In the order of the file, every id once: the first one counts. */
  readonly instances: readonly IndexedLine[];
  /** Sentences about all other lines. */
  readonly problems: readonly string[];
}

/**
 * Reads a file once. The first instance decides on the environment of all.
 *
 * @throws Failure when the file cannot be read.
 */
export async function indexFile({ path }: { readonly path: string }): Promise<FileIndex> {
  const found = new Map<string, IndexedLine>();
  const problems: string[] = [];
  let environment: Environment | undefined;
  for await (const line of readLines(path)) {
    const read = line.ok ? readAny(environment, line.text) : line;
    if (!read.ok) {
      problems.push(`Line ${line.number} ${read.error}.`);
      continue;
    }
    const { instance } = read.value;
    environment = read.value.environment;
    const { number, offset, length } = line;
    if (found.has(instance.id)) problems.push(`Line ${number} repeats the instance ${instance.id}.`);
    else {
      const groups = groupsOf(environment, instance);
      found.set(instance.id, { id: instance.id, line: number, offset, length, groups });
    }
  }
  return { environment: environment?.id ?? null, instances: [...found.values()], problems };
}

/** The instance of `known`, or of the first environment that takes it; the error says what each misses. */
function readAny(
  known: Environment | undefined,
  text: string,
): Checked<{ environment: Environment; instance: AnyInstance }> {
  const raw = parseObject(text);
  if (!raw.ok) return raw;
  const errors: string[] = [];
  for (const environment of known ? [known] : environments) {
    const instance = environment.parseInstance(raw.value);
    if (instance.ok) return { ok: true, value: { environment, instance: instance.value } };
    errors.push(`is no ${environment.id} instance: ${instance.error}`);
  }
  return { ok: false, error: errors.join('; it ') };
}

/** Members of a split, or instances of a file by their places. */
export type ExamineBatch =
  | { readonly split: string; readonly indices: readonly number[] }
  | { readonly path: string; readonly lines: readonly Omit<IndexedLine, 'id' | 'groups'>[] };

export interface ExamineJob {
  readonly environment: string;
  /** As a user gave them; none when absent. */
  readonly options?: unknown;
  readonly batch: ExamineBatch;
  /** Whether to collect rows for the population audit. */
  readonly audit: boolean;
}

export interface ExamineResult {
  readonly instances: number;
  readonly unsound: readonly Unsound[];
  readonly problems: readonly string[];
  /** Which generators made them, each once. */
  readonly origins: readonly string[];
  /** Of the sound ones, for the population audit. */
  readonly rows: readonly unknown[];
}

/** Validates instances and keeps what an audit needs of the sound ones. */
export function examine({ environment: id, options: raw = {}, batch, audit }: ExamineJob): ExamineResult {
  const environment = findEnvironment(id);
  if (environment === undefined) throw new Error(`no environment ${id}`);
  const options = environment.parseOptions(raw);
  if (!options.ok) throw new Error(options.error);
  const unsound: Unsound[] = [];
  const problems: string[] = [];
  const origins = new Set<string>();
  const rows: unknown[] = [];
  let instances = 0;
  for (const read of readBatch(environment, batch, options.value)) {
    if (!read.ok) {
      problems.push(read.error);
      continue;
    }
    instances++;
    const reasons = environment.validate(read.value, options.value);
    if (reasons.length > 0) unsound.push({ id: read.value.id, reasons });
    else {
      origins.add(environment.origin?.(read.value) ?? environment.id);
      if (audit) rows.push(...(environment.audit?.rows(read.value) ?? []));
    }
  }
  return { instances, unsound, problems, origins: [...origins], rows };
}

/** The instances of a batch; an error is a whole sentence. */
function* readBatch(
  environment: Environment,
  batch: ExamineBatch,
  options: unknown,
): Generator<Checked<AnyInstance>> {
  if ('split' in batch) {
    for (const index of batch.indices) {
      const made = environment.generate(batch.split, index, options);
      if (made.ok) yield { ok: true, value: made.value.instance };
      else yield { ok: false, error: `There is no instance ${index} of ${batch.split}: ${made.error}.` };
    }
    return;
  }
  const file = openSync(batch.path, 'r');
  try {
    for (const { line, offset, length } of batch.lines) {
      const bytes = Buffer.alloc(length);
      readSync(file, bytes, 0, length, offset);
      const instance = parseInstance(environment, bytes.toString('utf8').replace(/^\uFEFF/, ''));
      yield instance.ok ? instance : { ok: false, error: `Line ${line} ${instance.error}.` };
    }
  } finally {
    closeSync(file);
  }
}

/** Which instance is to be made. */
export interface MakeJob {
  readonly environment: string;
  readonly split: string;
  readonly index: number;
  /** As a user gave them; none when absent. */
  readonly options?: unknown;
}

/** Makes one instance; the error is half a sentence. */
export function makeInstance({
  environment: id,
  split,
  index,
  options: raw = {},
}: MakeJob): Checked<AnyInstance> {
  const environment = findEnvironment(id);
  if (environment === undefined) return { ok: false, error: `there is no environment ${id}` };
  const options = environment.parseOptions(raw);
  if (!options.ok) return options;
  const made = environment.generate(split, index, options.value);
  return made.ok ? { ok: true, value: made.value.instance } : made;
}
