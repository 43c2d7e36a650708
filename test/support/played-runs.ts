/** Runs as tests play them: in this process, on instances made on the spot, in a folder that goes with the test. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { hashText } from '../../server/src/engine/evals/identity.ts';
import type { Model } from '../../server/src/engine/evals/model.ts';
import type { RunAgent, RunPrompt } from '../../server/src/engine/evals/run-data.ts';
import { systemClock } from '../../server/src/host/models/clock.ts';
import { prepare } from '../../server/src/host/run-tasks.ts';
import { createRunFolder, type RunFolder } from '../../server/src/host/runs/folder.ts';
import type { Instances } from '../../server/src/host/runs/instances.ts';
import { type OpenRun, openRun } from '../../server/src/host/runs/open-run.ts';
import { type PlaySettings, playRuns, type RunEnd } from '../../server/src/host/runs/play-runs.ts';

/** A folder that is removed when the running test is over. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hopscope-runs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Text of the step prompt that ships with the navigator. */
export const promptText = await readFile(
  path.resolve(import.meta.dirname, '../../prompts/navigator/navigator.step.md'),
  'utf8',
);

export const shippedPrompt: RunPrompt = {
  name: 'navigator',
  path: null,
  text: promptText,
  hash: hashText(promptText),
};

/** The same model in every test; what it says is up to the test. */
export const testModel: RunAgent = {
  kind: 'model',
  model: 'test-model',
  baseUrl: 'http://127.0.0.1:1/v1',
  sampling: {},
  extraBody: {},
};

export function policy(id: string): RunAgent {
  return { kind: 'policy', policy: id, seed: '0' };
}

/** Small documents: several times faster to make than those of the splits. */
const smallOptions = { doc_tokens: [8000] };

interface Asked {
  readonly agent: RunAgent;
  readonly parent: string;
  readonly indices?: readonly number[];
  readonly options?: Readonly<Record<string, unknown>>;
  readonly rollouts?: number;
  readonly prompt?: RunPrompt | null;
}

/** Makes the folder of a navigator run. */
export function newRun({ agent, parent, indices = [0, 1, 2], ...rest }: Asked): Promise<RunFolder> {
  return createRunFolder(parent, {
    version: 'test',
    environment: 'navigator',
    generatorVersion: 1,
    options: rest.options ?? smallOptions,
    label: 'id_test',
    suite: null,
    parts: [{ split: 'id_test', indices }],
    rollouts: rest.rollouts ?? 1,
    shuffleSeed: null,
    agent,
    prompt: rest.prompt === undefined ? shippedPrompt : rest.prompt,
  });
}

/** Makes instances in this thread. */
const directInstances: Instances = {
  async get({ environment, options }, source) {
    if ('file' in source) throw new Error('no files here');
    const prepared = prepare({ environment, options, from: source });
    if (!prepared.ok) throw new Error(prepared.error);
    return prepared.value;
  },
};

/** Opens a run; `model` is not asked for by policies. */
export function open(
  folder: RunFolder,
  model?: Model,
  problem?: (sentence: string) => void,
): Promise<OpenRun> {
  return openRun(folder, {
    players: () => {
      if (model === undefined) throw new Error('no model');
      return { model };
    },
    prices: { agent: null, judge: null },
    instances: directInstances,
    clock: systemClock,
    version: 'test',
    endpoint: null,
    problem: problem ?? ((sentence) => expectNothing(sentence)),
  });
}

function expectNothing(sentence: string): never {
  throw new Error(`unexpected: ${sentence}`);
}

/** Opens a run, plays what is left of it, writes what follows from it and closes it. */
export async function playRun(
  folder: RunFolder,
  model?: Model,
  settings: Partial<PlaySettings> = {},
): Promise<RunEnd> {
  const run = await open(folder, model);
  try {
    const never = new AbortController().signal;
    const [end] = await playRuns([run], {
      concurrency: 8,
      soft: never,
      hard: never,
      episode: () => undefined,
      ...settings,
    });
    if (end === undefined) throw new Error('no end');
    await run.derive();
    return end;
  } finally {
    run.close();
  }
}

/** The objects in a file of lines. */
export async function linesOf(file: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** What differs between two runs of the same: ids, times, and how often something was asked. */
const volatile: ReadonlySet<string> = new Set([
  ...['time', 'ms', 'attempt', 'requests', 'cached', 'timestamp', 'timing', 'start', 'end', 'id', 'run'],
  ...['created', 'start_time', 'duration'],
]);

/** A value without what differs between two runs of the same. */
function stable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stable);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !volatile.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, stable(inner)]));
}

/** The lines of the files that other tools read, without what differs between two runs of the same. */
export async function finalLines(folder: string): Promise<unknown> {
  const traces = await linesOf(path.join(folder, 'traces.jsonl'));
  const results = await linesOf(path.join(folder, 'results.jsonl'));
  const metadata = stable(JSON.parse(await readFile(path.join(folder, 'metadata.json'), 'utf8')));
  return { traces: traces.map(stable), results: results.map(stable), metadata };
}
