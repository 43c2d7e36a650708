/** Lists of instances for the explorer: of splits without making any, of files from their index. */
import { needsData } from '../../engine/environments/data-set.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import { grouped } from '../../engine/text/numbers.ts';
import type {
  InstanceFilter,
  InstanceGroups,
  InstanceLocation,
  InstancePage,
  InstanceRow,
  InstanceSource,
} from '../../protocol.ts';
import { forPeople } from '../sentence.ts';
import type { FileInstances, Instances } from './instances.ts';
import { printFileInstanceUri, printInstanceUri } from './uri.ts';

type Groups = Readonly<Record<string, string | number>>;

/** A source with what is needed of its members. */
interface Opened {
  readonly environment: Environment;
  readonly total: number;
  /** Id and groups of the member at a position; undefined where it cannot be told cheaply. */
  member(position: number): { readonly id: string; readonly groups: Groups } | undefined;
  locate(position: number): Checked<InstanceLocation>;
}

export interface InstanceLists {
  list(
    source: InstanceSource,
    from: number,
    count: number,
    filter: InstanceFilter,
  ): Promise<Checked<InstancePage>>;
  groups(source: InstanceSource): Promise<Checked<readonly InstanceGroups[]>>;
  /** The instance of that id: one that a generator makes, or one in `files`. */
  find(id: string, files: readonly string[]): Promise<Checked<InstanceLocation>>;
}

export function createInstanceLists(
  environments: readonly Environment[],
  instances: Instances,
  files: FileInstances,
): InstanceLists {
  async function open(source: InstanceSource): Promise<Checked<Opened>> {
    return 'file' in source ? openFile(files, source.file) : openSplit(environments, instances, source);
  }

  return {
    async list(source, from, count, filter) {
      const opened = await open(source);
      if (!opened.ok) return forPeople(opened);
      return accept(pageOf(opened.value, from, count, filter));
    },

    async groups(source) {
      const opened = await open(source);
      if (!opened.ok) return forPeople(opened);
      const { environment, total, member } = opened.value;
      const members = Array.from({ length: total }, (_, position) => member(position)?.groups ?? {});
      return accept(
        (environment.groupings ?? []).map(({ id, label }) => ({ id, label, values: valuesOf(members, id) })),
      );
    },

    async find(id, among) {
      for (const environment of environments) {
        const origin = environment.locate?.(id);
        if (origin) return forPeople(instances.locate({ environment: environment.id, ...origin }));
      }
      for (const file of among) {
        const opened = await openFile(files, file);
        if (!opened.ok) continue;
        const { total, member, locate } = opened.value;
        for (let position = 0; position < total; position++) {
          if (member(position)?.id === id) return locate(position);
        }
      }
      const where = among.length > 0 ? ', neither generated nor in an opened file' : '';
      return refuse(`There is no instance ${id}${where}.`);
    },
  };
}

function openSplit(
  environments: readonly Environment[],
  instances: Instances,
  { environment: environmentId, split: splitId }: { readonly environment: string; readonly split: string },
): Checked<Opened> {
  const environment = environments.find(({ id }) => id === environmentId);
  const split = environment?.splits.find(({ id }) => id === splitId);
  if (environment === undefined || split === undefined) {
    return refuse(`there is no split "${splitId}" of "${environmentId}"`);
  }
  const options = environment.parseOptions({});
  if (!options.ok) return options;
  // One refusal for all, where data are missing.
  if (environment.data !== undefined && needsData(environment.data, splitId)) {
    const first = environment.listing?.(splitId, 0, options.value);
    if (first?.ok === false) return first;
  }
  const member = (position: number) => {
    const listed = environment.listing?.(splitId, position, options.value);
    return listed?.ok ? listed.value : undefined;
  };
  const locate = (position: number): Checked<InstanceLocation> => {
    const selector = { environment: environmentId, split: splitId, index: position };
    const known = member(position);
    if (known === undefined) return instances.locate(selector);
    return accept({ id: known.id, uri: printInstanceUri({ ...selector, id: known.id }) });
  };
  return accept({ environment, total: split.size, member, locate });
}

async function openFile(files: FileInstances, file: string): Promise<Checked<Opened>> {
  const indexed = await files.index(file);
  if (!indexed.ok) return indexed;
  const { environment, instances } = indexed.value;
  return accept({
    environment,
    total: instances.length,
    member: (position) => instances[position],
    locate(position) {
      const one = instances[position];
      if (one === undefined) return refuse(`there is no instance at position ${position}`);
      return accept({
        id: one.id,
        uri: printFileInstanceUri({ environment: environment.id, file, id: one.id }),
      });
    },
  });
}

function pageOf(opened: Opened, from: number, count: number, filter: InstanceFilter): InstancePage {
  // One filter is for the lists of all environments: what is no grouping here leaves nothing out here.
  const known = new Set((opened.environment.groupings ?? []).map(({ id }) => id));
  const wanted = Object.fromEntries(Object.entries(filter).filter(([id]) => known.has(id)));
  const rows: InstanceRow[] = [];
  let position = from;
  for (; position < opened.total && rows.length < count; position++) {
    const groups = opened.member(position)?.groups ?? {};
    if (!matches(groups, wanted)) continue;
    const located = opened.locate(position);
    if (!located.ok) continue;
    rows.push({ ...located.value, position, description: describe(opened.environment, groups) });
  }
  return { rows, next: position < opened.total ? position : null, total: opened.total };
}

function matches(groups: Groups, filter: InstanceFilter): boolean {
  return Object.entries(filter).every(([id, wanted]) => {
    const value = groups[id];
    return wanted.length === 0 || (value !== undefined && wanted.includes(value));
  });
}

/** E.g. `3 hops, 32k document tokens`: a list has little room. */
function describe({ groupings = [] }: Environment, groups: Groups): string {
  return groupings
    .flatMap(({ id, label }) => {
      const value = groups[id];
      if (value === undefined) return [];
      return [`${typeof value === 'number' ? short(value) : value} ${label}`];
    })
    .join(', ');
}

function short(value: number): string {
  return value > 0 && value % 1000 === 0 ? `${grouped(value / 1000)}k` : grouped(value);
}

function valuesOf(members: readonly Groups[], id: string): { value: string | number; count: number }[] {
  const counts = new Map<string | number, number>();
  for (const groups of members) {
    const value = groups[id];
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) =>
      typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
    )
    .map(([value, count]) => ({ value, count }));
}
