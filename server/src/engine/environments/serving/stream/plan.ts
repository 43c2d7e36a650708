/** Streams: the scenarios with their tasks, window by window. */
import { accept, type Checked, refuse } from '../../../problem.ts';
import { suggest } from '../../../text/nearest.ts';
import type { StreamInfo, StreamWindow } from '../../streams.ts';
import { bankingPractice } from '../banking/policy.ts';
import { scenarioTasks } from '../build.ts';
import type { Instance } from '../instance.ts';
import { personaOf } from '../pitch/tastes.ts';
import { retailPractice } from '../retail/policy.ts';
import { type Domain, findScenario, type Scenario, scenarios, type Tier } from '../scenarios.ts';

/** What is to be known of a scenario. */
export function streamInfo({ id, domain, tier, size, windows, rules }: Scenario): StreamInfo {
  return {
    id,
    title: `${domain}, tier ${tier}`,
    windows: windows.length,
    size,
    isJudged: domain === 'pitch',
    place: [domain, `tier ${tier}`],
    plan: windows.map(({ serving, hidden, specified }, window) => ({
      serving,
      test: hidden + specified,
      changes: window === 0 ? 0 : changesBetween(domain, tier, rules[window - 1] ?? 0, rules[window] ?? 0),
    })),
  };
}

/** Every stream there is. */
export const streamList: readonly StreamInfo[] = scenarios.map(streamInfo);

/** How many rules differ between two windows of the schedule. */
function changesBetween(domain: Domain, tier: Tier, before: number, after: number): number {
  const rulesOf = (window: number): readonly unknown[] => {
    if (domain === 'pitch') return [personaOf(tier, window)];
    const policy = domain === 'retail' ? retailPractice(tier, window) : bankingPractice(tier, window);
    return Object.values(policy).flatMap((rule: unknown) =>
      // Limits by category are rules of their own.
      typeof rule === 'object' && rule !== null && !Array.isArray(rule) ? Object.values(rule) : [rule],
    );
  };
  const [earlier, later] = [rulesOf(before), rulesOf(after)];
  return later.filter((rule, at) => JSON.stringify(rule) !== JSON.stringify(earlier[at])).length;
}

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
