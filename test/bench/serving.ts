/** Serving's row: building the worlds and tasks of all nine scenarios, against parsing what they come to as JSON. */
import { buildScenario } from '../../server/src/engine/environments/serving/build.ts';
import { scenarios } from '../../server/src/engine/environments/serving/scenarios.ts';
import { buildWorld, worldKey } from '../../server/src/engine/environments/serving/worlds.ts';
import { atMost, compare, type Row } from './measure.ts';

const full = scenarios.filter(({ size }) => size === 'full');

/** Measures in this process; some ten seconds. */
export function servingRows(): Row[] {
  const exported = full.map((scenario) =>
    JSON.stringify([buildWorld(scenario, worldKey(scenario, 0)), buildScenario(scenario, 0)]),
  );
  const parse = () =>
    exported.reduce((sum, text) => sum + (JSON.parse(text) as readonly unknown[]).length, 0);
  // Every round builds another edition, worlds included: nothing is kept from one to the next.
  const built = compare(10, parse, (round) =>
    full.reduce((sum, scenario) => sum + buildScenario(scenario, round + 100).test.length, 0),
  );
  const title = 'build 9 scenarios, 53 windows, 7,718 tasks (against JSON.parse of them)';
  return [atMost(title, built.subject / built.unit, 5, 'x')];
}
