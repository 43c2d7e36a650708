/** Whether the test splits of new runs have been used too often already; runs beside them tell. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { instancesOf, type RunConfig } from '../engine/evals/run-config.ts';
import { describeOveruse, type SplitUser, testSplitUse } from '../engine/evals/split-use.ts';
import { environments } from '../host/data/environments.ts';
import { readConfig } from '../host/runs/folder.ts';
import type { NewRun } from './run-request.ts';

/** Sentences about the splits of `runs`, counted with the runs that lie in `parent`. Nothing fails by it. */
export async function overuseWarnings(runs: readonly NewRun[], parent: string): Promise<readonly string[]> {
  const splits = new Set(runs.flatMap((run) => toUser(run).splits));
  const isTest = environments.some((it) => it.splits.some(({ id, test }) => test && splits.has(id)));
  if (!isTest) return [];
  const before: SplitUser[] = [];
  for (const name of await readdir(parent).catch(() => [])) {
    const config = await readConfig(join(parent, name)).catch(() => null);
    if (config !== null) before.push(toUser(config));
  }
  return testSplitUse([...before, ...runs.map(toUser)], environments)
    .filter(({ split }) => splits.has(split))
    .flatMap((use) => describeOveruse(use) ?? []);
}

function toUser({
  environment,
  parts,
  prompt,
}: Pick<RunConfig, 'environment' | 'parts' | 'prompt'>): SplitUser {
  const splits = instancesOf(parts).flatMap(({ source }) => ('split' in source ? [source.split] : []));
  return { environment, splits: [...new Set(splits)], promptHash: prompt?.hash ?? null };
}
