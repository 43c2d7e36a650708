/** All registered environments, ready to make instances: those that need data are bound to the shared folder's. */
import { readFileSync } from 'node:fs';
import type { DataFiles, DataSet } from '../../server/src/engine/environments/data-set.ts';
import type { Environment } from '../../server/src/engine/environments/environment.ts';
import { environments as registered } from '../../server/src/engine/environments/registry.ts';
import { accept } from '../../server/src/engine/problem.ts';
import { hasShared, requireAll, sharedFolder } from './vectors.ts';

function sharedData({ id }: DataSet): DataFiles {
  return { text: (path) => accept(readFileSync(`${sharedFolder}/data/${id}/${path}`, 'utf8')) };
}

/** Without the shared folder, environments that need data of it are left out, unless nothing may be. */
export const readyEnvironments: readonly Environment[] = registered.flatMap((environment) => {
  const { data } = environment;
  if (data === undefined) return [environment];
  return hasShared || requireAll ? [data.bind(sharedData(data.set))] : [];
});

/** For tables of tests. */
export const environmentTable: readonly (readonly [string, Environment])[] = readyEnvironments.map(
  (environment) => [environment.id, environment] as const,
);
