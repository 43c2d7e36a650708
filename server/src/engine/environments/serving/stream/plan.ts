/** Streams: the scenarios with their tasks, window by window. */
import { accept, type Checked, refuse } from '../../../problem.ts';
import { suggest } from '../../../text/nearest.ts';
import type { StreamInfo, StreamWindow } from '../../streams.ts';
import { scenarioTasks } from '../build.ts';
import type { Instance } from '../instance.ts';
import { findScenario, scenarios } from '../scenarios.ts';

/** Every stream there is. */
export const streamList: readonly StreamInfo[] = scenarios.map(({ id, domain, tier, size, windows }) => ({
  id,
  title: `${domain}, tier ${tier}`,
  windows: windows.length,
  size,
  isJudged: domain === 'pitch',
}));

/** The windows of a stream. */
export function openStreamPlan(id: string): Checked<readonly StreamWindow<Instance>[]> {
  const scenario = findScenario(id);
  if (scenario === undefined) {
    const hint = suggest(
      id,
      scenarios.map((it) => it.id),
    );
    return refuse(`there is no stream "${id}".${hint}`.replace(/\.$/, ''));
  }
  const { serving, test } = scenarioTasks(scenario, 0);
  return accept(
    scenario.windows.map((_, window) => ({
      serving: serving.filter((it) => it.window === window),
      test: test.filter((it) => it.window === window),
    })),
  );
}
