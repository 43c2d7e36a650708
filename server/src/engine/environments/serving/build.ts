/**
 * The tasks of a scenario: for each window its serving tasks, then its test tasks, as many of each category as published.
 * A pure function of scenario and edition. Nothing that a serving task speaks of as its own is spoken of by a test task.
 */
import { openStream, type Stream } from '../../random/stream.ts';
import { makeBankingTask } from './banking/tasks.ts';
import type { Instance } from './instance.ts';
import { makePitchTask } from './pitch/tasks.ts';
import { makeRetailTask } from './retail/tasks.ts';
import { lastPosition, type Phase, type Scenario, type WindowSize } from './scenarios.ts';
import { GENERATOR_VERSION, type World, worldKey, worldOf } from './worlds.ts';

/** The tasks of a scenario in the order of the stream. */
export interface BuiltScenario {
  readonly serving: readonly Instance[];
  readonly test: readonly Instance[];
}

/** Of serving tasks, so many are such that the documents do not answer them. */
const hiddenShare = 0.55;

type Made = Pick<Instance, 'own' | 'evaluator'> & { readonly text: string };
type Make = (stream: Stream, phase: Phase, rules: number, hidden: boolean, turn: number) => Made;

/** Builds all tasks of a scenario anew. */
export function buildScenario(scenario: Scenario, edition: number): BuiltScenario {
  const key = worldKey(scenario, edition);
  const make = makerFor(scenario, worldOf(scenario, edition), openStream('ids', key));
  const built: Record<Phase, Instance[]> = { serving: [], test: [] };
  for (const [window, size] of scenario.windows.entries()) {
    for (const phase of ['serving', 'test'] as const) {
      const stream = openStream('tasks', key, window, phase);
      const list = built[phase];
      for (const [at, hidden] of categories(stream, size, phase, scenario).entries()) {
        const rules = scenario.rules[window] ?? window;
        const { text, ...made } = make(stream, phase, rules, hidden, at);
        const index = list.length;
        list.push({
          id: instanceId(scenario, phase, index, edition),
          split: splitId(scenario, phase),
          scenario: scenario.id,
          domain: scenario.domain,
          tier: scenario.tier,
          phase,
          window,
          rules,
          timestamp: phase === 'serving' ? size.first + at : lastPosition(size),
          category: hidden || scenario.domain === 'pitch' ? 'hidden' : 'fully_specified',
          instruction: text,
          source: `hopscope ${GENERATOR_VERSION}`,
          edition,
          ...made,
        });
      }
    }
  }
  return built;
}

/** Which tasks of a window are to be hidden, in a random order with the exact counts. */
function categories(stream: Stream, size: WindowSize, phase: Phase, { domain }: Scenario): boolean[] {
  if (domain === 'pitch')
    return Array.from({ length: phase === 'test' ? size.hidden : size.serving }, () => true);
  const all = phase === 'test' ? size.hidden + size.specified : size.serving;
  const hidden = phase === 'test' ? size.hidden : Math.round(size.serving * hiddenShare);
  return stream.shuffle(Array.from({ length: all }, (_, at) => at < hidden));
}

function makerFor({ tier }: Scenario, world: World, ids: Stream): Make {
  const fresh = freshIds(ids);
  switch (world.domain) {
    case 'retail': {
      const orderId = () => `#W${fresh(1_000_000, 8_999_999)}`;
      return (stream, phase, rules, hidden, turn) =>
        makeRetailTask({ stream, world: world.retail, phase, tier, orderId }, rules, hidden, turn);
    }
    case 'banking': {
      const caseId = (prefix: string) => `${prefix}-${fresh(100_000, 999_999)}`;
      return (stream, phase, rules, hidden, turn) =>
        makeBankingTask({ stream, world: world.banking, phase, tier, caseId }, rules, hidden, turn);
    }
    case 'pitch': {
      let next = 0;
      return (stream, phase, rules) => {
        const product = world.products[next++];
        if (product === undefined) throw new RangeError('the pool of products is used up');
        return makePitchTask(stream, product, tier, phase, rules);
      };
    }
  }
}

/** Numbers that do not repeat. */
function freshIds(stream: Stream): (from: number, to: number) => number {
  const seen = new Set<number>();
  return (from, to) => {
    for (;;) {
      const id = stream.between(from, to);
      if (seen.has(id)) continue;
      seen.add(id);
      return id;
    }
  };
}

/** The split that the tasks of a phase make up. */
export function splitId({ id }: Scenario, phase: Phase): string {
  return `${id}_${phase}`;
}

/** Counts tasks of a split over all editions from 0. */
function instanceId(scenario: Scenario, phase: Phase, index: number, edition: number): string {
  return `hs${GENERATOR_VERSION}-${splitId(scenario, phase)}-${index + edition * splitSize(scenario, phase)}`;
}

/** How many tasks a split has in each edition. */
export function splitSize({ windows }: Scenario, phase: Phase): number {
  return windows.reduce(
    (sum, { serving, hidden, specified }) => sum + (phase === 'serving' ? serving : hidden + specified),
    0,
  );
}

const most = 16;
const known = new Map<string, BuiltScenario>();

/** The tasks of a scenario and edition, made when they are first asked for. */
export function scenarioTasks(scenario: Scenario, edition: number): BuiltScenario {
  const key = worldKey(scenario, edition);
  const ready = known.get(key);
  if (ready !== undefined) return ready;
  const built = buildScenario(scenario, edition);
  if (known.size >= most) known.delete(known.keys().next().value ?? '');
  known.set(key, built);
  return built;
}
