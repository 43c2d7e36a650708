/** Several rollouts of scripted policies: those that leave things to chance draw anew each time. */
import { describe, expect, it } from 'vitest';
import type { RunPrompt } from '../../../server/src/engine/evals/run-data.ts';
import { readRun } from '../../../server/src/host/runs/read-run.ts';
import { newFolder, newRun, playRun, policy, shippedPrompt } from '../../support/played-runs.ts';

/** What was said in each rollout on one instance, in the order of the rollouts. */
async function rolloutsOf(
  id: string,
  rollouts: number,
  prompt: RunPrompt | null,
): Promise<readonly string[]> {
  const agent = policy(id);
  const folder = await newRun({ agent, parent: await newFolder(), indices: [3], rollouts, prompt });
  await playRun(folder);
  const { episodes } = await readRun(folder.path);
  expect(episodes.map(({ rollout }) => rollout)).toEqual(Array.from({ length: rollouts }, (_, i) => i));
  return episodes.map(({ events }) => JSON.stringify(events));
}

describe.each([
  ['with a step prompt', shippedPrompt],
  ['without a prompt', null],
])('rollouts %s', (_, prompt) => {
  it('of a policy that draws differ, and come again as they were', async () => {
    const found = await rolloutsOf('random-reader', 4, prompt);
    expect(new Set(found).size).toBeGreaterThan(1);
    expect(await rolloutsOf('random-reader', 4, prompt)).toEqual(found);
  });

  it('begin with what a run of a single rollout has', async () => {
    const [first] = await rolloutsOf('random-reader', 3, prompt);
    expect(await rolloutsOf('random-reader', 1, prompt)).toEqual([first]);
  });

  it('of a policy that leaves nothing to chance are equal', async () => {
    expect(new Set(await rolloutsOf('oracle', 2, prompt)).size).toBe(1);
  });
});
