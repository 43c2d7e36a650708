/** Splits: the serving and the test tasks of each scenario. Test tasks are what methods are measured on. */
import { accept, type Checked, refuse } from '../../problem.ts';
import { suggest } from '../../text/nearest.ts';
import type { Generated, InstanceOrigin, Listing, Split } from '../environment.ts';
import { scenarioTasks, splitId, splitSize } from './build.ts';
import type { Instance } from './instance.ts';
import { type Phase, type Scenario, scenarios } from './scenarios.ts';
import { GENERATOR_VERSION } from './worlds.ts';

interface SplitOf {
  readonly scenario: Scenario;
  readonly phase: Phase;
}

const phases = ['serving', 'test'] as const;

const byId: ReadonlyMap<string, SplitOf> = new Map(
  // Small ones come first: they are what one begins with.
  scenarios
    .toSorted((a, b) => Number(a.size === 'full') - Number(b.size === 'full'))
    .flatMap((scenario) => phases.map((phase) => [splitId(scenario, phase), { scenario, phase }] as const)),
);

const purposes: Readonly<Record<Phase, string>> = {
  serving: 'tasks from which a method learns',
  test: 'tasks on which it is measured',
};

export const splits: readonly Split[] = [...byId].map(([id, { scenario, phase }]) => ({
  id,
  size: splitSize(scenario, phase),
  test: phase === 'test' && scenario.size === 'full',
  description: `${scenario.domain}, tier ${scenario.tier}${scenario.size === 'mini' ? ', small' : ''}: ${purposes[phase]}`,
}));

function findSplit(id: string): Checked<SplitOf> {
  const found = byId.get(id);
  if (found !== undefined) return accept(found);
  return refuse(`there is no split "${id}".${suggest(id, [...byId.keys()])}`.replace(/\.$/, ''));
}

/** The instance at `index`: from the split's size on they belong to further worlds of the same schedule. */
export function generate(split: string, index: number): Checked<Generated<Instance>> {
  const found = findSplit(split);
  if (!found.ok) return found;
  if (!Number.isSafeInteger(index) || index < 0) {
    return refuse(`the index must be a whole number from 0 on, not ${index}`);
  }
  const { scenario, phase } = found.value;
  const size = splitSize(scenario, phase);
  const edition = Math.floor(index / size);
  const instance = scenarioTasks(scenario, edition)[phase][index - edition * size];
  if (instance === undefined) return refuse(`${split} has no instance ${index}`);
  return accept({ instance, attempts: 1, reasons: {} });
}

/** What a list shows of an instance. The first one of a scenario makes all of them, which takes a moment once. */
export function listing(split: string, index: number): Checked<Listing> {
  const made = generate(split, index);
  if (!made.ok) return made;
  const { id, window, evaluator } = made.value.instance;
  return accept({ id, groups: { window, slice: evaluator.slice } });
}

const idPattern = /^hs(\d+)-(\w+)-(\d+)$/;

/** Where the instance of that id comes from. */
export function locate(id: string): InstanceOrigin | null {
  const [, version, split = '', index] = idPattern.exec(id) ?? [];
  if (Number(version) !== GENERATOR_VERSION || !byId.has(split)) return null;
  const number = Number(index);
  return Number.isSafeInteger(number) ? { split, index: number, options: {} } : null;
}
