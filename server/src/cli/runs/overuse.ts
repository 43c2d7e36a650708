/** Whether the test splits of new runs have been used too often already; runs beside them tell. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { instancesOf, type RunConfig } from '../../engine/evals/run-config.ts';
import { describeOveruse, type SplitUser, testSplitUse } from '../../engine/evals/split-use.ts';
import { environments } from '../../host/data/environments.ts';
import { readConfig } from '../../host/runs/folder.ts';
import type { NewRun } from './request.ts';

/** Sentences about the splits of `runs`, counted with the runs that lie in `parent`. Nothing fails by it. */
export async function overuseWarnings(runs: readonly NewRun[], parent: string): Promise<readonly string[]> {
  const users = runs.map(toUser).filter(({ promptHash }) => promptHash !== null);
  const splits = new Set(users.flatMap((user) => user.splits));
  const isTest = environments.some((it) => it.splits.some(({ id, test }) => test && splits.has(id)));
  if (!isTest) return [];
  const before: SplitUser[] = [];
  for (const name of await readdir(parent).catch(() => [])) {
    const config = await readConfig(join(parent, name)).catch(() => null);
    if (config !== null) before.push(toUser(config));
  }
  return testSplitUse([...before, ...users], environments)
    .filter(({ split }) => splits.has(split))
    .flatMap((use) => describeOveruse(use) ?? []);
}

function toUser({ environment, parts, agent, prompt }: NewRun | RunConfig): SplitUser {
  const splits = instancesOf(parts).flatMap(({ source }) => ('split' in source ? [source.split] : []));
  // Policies read no step prompt.
  const promptHash = agent.kind === 'model' ? (prompt?.hash ?? null) : null;
  return { environment, splits: [...new Set(splits)], promptHash };
}
