/** Examines many instances in worker threads: validates them all and, if asked, audits the sound ones. */
import type { Environment } from '../engine/environments/environment.ts';
import type { Findings, Unsound } from '../engine/evals/examination.ts';
import { Failure } from './failure.ts';
import type { ExamineBatch } from './instance-tasks.ts';
import { mapOrdered } from './ordered.ts';
import { openPool, type PoolSettings } from './pool.ts';

export interface ExamineRequest {
  readonly environment: Environment;
  /** For messages, e.g. `id_test` or `train.jsonl`. */
  readonly label: string;
  readonly batches: readonly ExamineBatch[];
  /** Sentences about what of the source is known to be no instance. */
  readonly problems: readonly string[];
  readonly audit: boolean;
  /** Of the environment, as a user gave them; none when absent. */
  readonly options?: unknown;
}

/** Instances of one message to a worker: enough for messages to cost nothing, few enough for progress to be seen. */
const BATCH = 8;

/** The members of a split from 0 on. */
export function splitBatches(split: string, size: number): ExamineBatch[] {
  const indices = Array.from({ length: size }, (_, index) => index);
  return slices(indices).map((part) => ({ split, indices: part }));
}

/** Instances of a file. */
export function fileBatches(
  path: string,
  lines: readonly { readonly line: number; readonly offset: number; readonly length: number }[],
): ExamineBatch[] {
  return slices(lines).map((part) => ({
    path,
    lines: part.map(({ line, offset, length }) => ({ line, offset, length })),
  }));
}

/**
 * @param progress told how many have been examined.
 * @throws Failure when instances of different generators would be audited together, or a worker dies; the reason of
 *   the signal once that has fired.
 */
export async function examineAll(
  { environment, label, batches, problems: known, audit, options = {} }: ExamineRequest,
  settings: PoolSettings,
  progress: (done: number) => void,
): Promise<Findings> {
  const pool = openPool(settings);
  const unsound: Unsound[] = [];
  const problems = [...known];
  const origins = new Set<string>();
  const rows: unknown[] = [];
  let instances = 0;
  try {
    const results = mapOrdered(batches, settings.workers * 2, (batch) =>
      pool.run('examine', { environment: environment.id, options, batch, audit }, label),
    );
    for await (const result of results) {
      instances += result.instances;
      for (const one of result.unsound) unsound.push(one);
      for (const problem of result.problems) problems.push(problem);
      for (const origin of result.origins) origins.add(origin);
      for (const row of result.rows) rows.push(row);
      progress(instances + problems.length - known.length);
    }
  } finally {
    await pool.close();
  }
  const population = audit ? environment.audit : undefined;
  if (population && origins.size > 1) {
    const makers = [...origins].join(' and by ');
    throw new Failure('run', `${label} holds instances made by ${makers}, which cannot be audited together.`);
  }
  const isAudited = population !== undefined && instances > unsound.length;
  return {
    label,
    instances,
    unsound,
    problems,
    audit: isAudited ? { report: population.report(rows), minimum: population.minimum } : null,
  };
}

function slices<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / BATCH) }, (_, i) =>
    list.slice(i * BATCH, (i + 1) * BATCH),
  );
}
