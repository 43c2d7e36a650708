/** The environments of the registry, bound to the data on this machine: what commands, worker threads and editors work with. */
import type { DataSet } from '../../engine/environments/data-set.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import { environments as registry } from '../../engine/environments/registry.ts';
import { openDataFiles } from './open.ts';

function bound(environment: Environment): Environment {
  const { data } = environment;
  return data === undefined ? environment : data.bind(openDataFiles(data.set));
}

/** In the order in which lists show them. No file is opened until an instance needs it. */
export const environments: readonly Environment[] = registry.map(bound);

/** The environment of that id; undefined when there is none. */
export function findEnvironment(id: string): Environment | undefined {
  return environments.find((environment) => environment.id === id);
}

/** The data sets of an environment: what it cannot do without, and the streams that others publish. */
export function setsOf({ data, streams }: Environment): readonly DataSet[] {
  return [data?.set, streams?.published?.set].filter((set) => set !== undefined);
}

/** The data sets of all environments, each once. */
export const dataSets: readonly DataSet[] = [
  ...new Map(environments.flatMap(setsOf).map((set) => [set.id, set])).values(),
];
