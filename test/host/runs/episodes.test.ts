/** Runs over HTTP come out as the same episodes do in process, whatever the connection does, and nothing is lost or doubled. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { navigator } from '../../../server/src/engine/environments/navigator/index.ts';
import type { Model } from '../../../server/src/engine/evals/model.ts';
import { parseStepPrompt } from '../../../server/src/engine/prompts/step-prompt.ts';
import { openModel } from '../../../server/src/host/models/open-model.ts';
import { readRun } from '../../../server/src/host/runs/read-run.ts';
import { type ModelServer, type Respond, startModelServer } from '../../support/model-server.ts';
import {
  finalLines,
  linesOf,
  newFolder,
  newRun,
  playRun,
  policy,
  promptText,
  testModel,
} from '../../support/played-runs.ts';
import { playedAnswers, withFaults } from '../../support/policy-answers.ts';

const indices = Array.from({ length: 100 }, (_, index) => index);

const parsed = navigator.parseOptions({});
if (!parsed.ok) throw new Error(parsed.error);
const options = parsed.value;
const oracle = navigator.policies.find(({ id }) => id === 'oracle');
if (oracle === undefined) throw new Error('no oracle');

const played = playedAnswers({
  environment: navigator,
  prompt: parseStepPrompt(promptText).prompt,
  options,
  policy: oracle,
  seed: '0',
  instances: indices.map((index) => {
    const made = navigator.generate('id_test', index, options);
    if (!made.ok) throw new Error(made.error);
    return made.value.instance;
  }),
});
const steps = played.episodes.reduce((sum, { replies }) => sum + replies.length, 0);
const expected = played.episodes.map(({ instanceId, outcome }) => [instanceId, outcome]);

/** Waits pass at once: what is tested is what happens, not when. */
function modelOn(server: ModelServer): Model {
  return openModel(
    { model: 'test-model', baseUrl: server.baseUrl },
    {
      signal: new AbortController().signal,
      clock: { now: Date.now, sleep: async () => undefined, after: () => () => undefined },
    },
  );
}

async function withServer<T>(respond: Respond, work: (server: ModelServer) => Promise<T>): Promise<T> {
  const server = await startModelServer(respond, { record: false });
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

async function outcomes(folder: string): Promise<unknown> {
  const { episodes } = await readRun(folder);
  return episodes.map(({ instanceId, outcome }) => [instanceId, outcome]);
}

test('with a good connection: the rewards of the policy in process, one request a step', async () => {
  const parent = await newFolder();
  const folder = await newRun({ agent: testModel, parent, indices, options: {} });
  await withServer(played.respond, async (server) => {
    expect((await playRun(folder, modelOn(server))).status).toBe('done');
    expect(server.count).toBe(steps);
  });
  expect(await outcomes(folder.path)).toEqual(expected);

  const alone = await newRun({ agent: policy('oracle'), parent, indices, options: {} });
  await playRun(alone);
  expect(await outcomes(alone.path)).toEqual(expected);
});

test('with 30 % of requests failing: the same after at most one resume, nothing lost, nothing double', async () => {
  const parent = await newFolder();
  const undisturbed = await newRun({ agent: testModel, parent, indices, options: {} });
  const folder = await newRun({ agent: testModel, parent, indices, options: {} });
  await withServer(played.respond, (server) => playRun(undisturbed, modelOn(server)));
  await withServer(withFaults(played.respond, 0.3, 'faults'), async (server) => {
    const model = modelOn(server);
    await playRun(folder, model);
    const first = await readRun(folder.path);
    if (first.episodes.some((episode) => episode.outcome === null)) await playRun(folder, model);
    expect(server.count).toBeGreaterThan(steps * 1.2);
  });
  expect(await outcomes(folder.path)).toEqual(expected);
  expect(await finalLines(folder.path)).toEqual(await finalLines(undisturbed.path));

  const lines = await linesOf(path.join(folder.path, 'steps.jsonl'));
  const events = lines
    .filter((line) => line['type'] === 'event')
    .map((line) => `${line['task']} ${line['step']}`);
  expect(events.length).toBe(steps);
  expect(new Set(events).size).toBe(steps);
  expect(lines.filter((line) => line['type'] === 'end').length).toBe(indices.length);
});
