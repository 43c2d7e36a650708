/** What follows from the steps of a run, as the files that other tools read. */
import type { Usage } from '../../engine/environments/chat.ts';
import { type TaskRecord, toEpisode } from '../../engine/evals/fold.ts';
import { runMetadata } from '../../engine/evals/formats/metadata.ts';
import { costOf, dollarsOf, type Price, type RunPrices, type Used } from '../../engine/evals/prices.ts';
import { describeRun } from '../../engine/evals/run-config.ts';
import type { Run } from '../../engine/evals/run-data.ts';
import { summarizeRun } from '../../engine/evals/run-summary.ts';
import { type DerivedTarget, writeDerived } from './derived.ts';
import type { Instances } from './instances.ts';
import { type RunMaterial, replayRecord, rowsOf } from './material.ts';

/** What it takes to make them. */
export interface DeriveDeps {
  readonly instances: Instances;
  /** Version of the program. */
  readonly version: string;
  readonly prices: RunPrices;
}

/**
 * Writes the files that other tools read.
 *
 * @param target by default all of them in the run's own folder, on which nobody else may be at work then.
 * @throws Failure when that is not possible.
 */
export async function deriveFiles(
  path: string,
  material: RunMaterial,
  records: readonly TaskRecord[],
  { instances, version, prices }: DeriveDeps,
  target?: DerivedTarget,
): Promise<void> {
  const { config } = material;
  const byTask = new Map(records.map((record) => [record.begin.task, record]));
  const tasksWhere = (is: (record: TaskRecord) => boolean): Set<number> =>
    new Set(records.filter(is).map((record) => record.begin.task));
  const run: Run = { info: describeRun(config, path), episodes: records.map(toEpisode) };
  const summary = summarizeRun(run, []);
  const cost = costsOf(prices, summary);
  await writeDerived(
    path,
    {
      scored: tasksWhere(({ end }) => end !== null),
      errored: tasksWhere(({ end, failure }) => end === null && failure !== null),
      async make(task) {
        const record = byTask.get(task);
        const source = material.plan[task]?.source;
        if (record === undefined || source === undefined) throw new RangeError(`no episode ${task}`);
        const { instance } = await instances.get(config, source);
        return rowsOf(material, record, replayRecord(material, record, instance));
      },
      metadata: runMetadata(run.info, summary, { version, time: secondsOf(records), cost }),
    },
    target,
  );
}

/** The two parts of the cost, the judge's among them; null where not all of it is known. */
function costsOf(prices: RunPrices, used: Used): { readonly input: number; readonly output: number } | null {
  const total = dollarsOf(prices, used);
  if (total === null) return null;
  const outputOf = (price: Price | null, usage: Usage | null) =>
    price === null || usage === null ? 0 : costOf(price, { input: 0, output: usage.output });
  const output = outputOf(prices.agent, used.usage) + outputOf(prices.judge, used.judgeUsage ?? null);
  return { input: total - output, output };
}

/** From the first request to the last reply, in seconds. */
function secondsOf(records: readonly TaskRecord[]): number {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { events } of records) {
    for (const { time, ms } of events) {
      first = Math.min(first, time);
      last = Math.max(last, time + ms);
    }
  }
  return last > first ? (last - first) / 1000 : 0;
}
