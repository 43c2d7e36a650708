/** The files that other tools read: what is in them, that they are read back as what they were made from, and their order. */
import { createHash } from 'node:crypto';
import { appendFile, copyFile, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../server/src/engine/environments/chat.ts';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import type { Model, ModelResult } from '../../../server/src/engine/evals/model.ts';
import type { Run, RunEpisode } from '../../../server/src/engine/evals/run-data.ts';
import { convertRun } from '../../../server/src/host/runs/convert-run.ts';
import type { RunFolder } from '../../../server/src/host/runs/folder.ts';
import { locateRun, readRun } from '../../../server/src/host/runs/read-run.ts';
import {
  finalLines,
  linesOf,
  newFolder,
  newRun,
  open,
  playRun,
  shippedPrompt,
  testModel,
} from '../../support/played-runs.ts';

/** A model that says what `say` says, given the number of the request from 0. */
function sayingModel(say: (number: number) => Reply | null): Model {
  let number = 0;
  return {
    endpoint: { model: 'test-model', baseUrl: 'http://127.0.0.1:1/v1' },
    async complete(): Promise<ModelResult> {
      const said = say(number++);
      if (said !== null) return { ok: true, reply: said, attempts: 1, cached: false, waitedMs: 0 };
      const failure = {
        code: 'server',
        message: 'It broke.',
        advice: '',
        attempts: 2,
        retriable: true,
        status: 500,
      } as const;
      return { ok: false, failure, waitedMs: 0 };
    },
  };
}

const odd: Reply = {
  ...reply('thinking\u2028aloud\u0085\n\ud800\nACTION: READ 1'),
  reasoning: 'because',
  finish: 'length',
  usage: { input: 100, output: 9, cachedInput: 30, reasoning: 5 },
};

/** What both formats can keep of an episode: metrics that do not apply are left out there, tokens are summed up. */
function kept(episode: RunEpisode): object {
  const { attempts: _, usage: __, events, error, outcome, ...rest } = episode;
  const metrics = Object.entries(outcome?.metrics ?? {}).filter(
    ([id, value]) => id !== 'steps_used' && value !== null,
  );
  return {
    ...rest,
    texts: events.map((event) => (event.kind === 'reply' ? event.text : '')),
    outcome: outcome === null ? null : { ...outcome, metrics: Object.fromEntries(metrics) },
    error: error === null ? null : error.code,
  };
}

let parent: string;
let folder: RunFolder;

beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'hopscope-rows-'));
  folder = await newRun({ agent: testModel, parent, indices: [3, 0, 2, 1], rollouts: 2 });
  // The third request fails, so that one episode has an error; the others are played to their end.
  await playRun(
    folder,
    sayingModel((number) => (number === 2 ? null : number % 3 === 0 ? odd : reply('ACTION: ANSWER 1'))),
    {
      concurrency: 3,
    },
  );
});

afterAll(() => rm(parent, { recursive: true }));

/** A copy of the run, to be damaged. */
async function copy(without: readonly string[] = []): Promise<RunFolder> {
  const target = path.join(await newFolder(), 'run');
  await mkdir(path.join(target, 'configs'), { recursive: true });
  for (const name of ['configs/eval.json', 'steps.jsonl', 'traces.jsonl', 'results.jsonl', 'metadata.json']) {
    if (!without.includes(name)) await copyFile(path.join(folder.path, name), path.join(target, name));
  }
  return { ...folder, path: target };
}

describe('rows', () => {
  it.each(['traces.jsonl', 'results.jsonl'])('%s is read back as what it was made from', async (name) => {
    const ours = await readRun(folder.path);
    const theirs = await readRun(path.join(folder.path, name));
    expect(ours.episodes.some((episode) => episode.error !== null)).toBe(true);
    expect(theirs.episodes.map(kept)).toEqual(ours.episodes.map(kept));
    const input = ({ episodes }: Run) => episodes.map(({ usage }) => usage?.input ?? 0);
    expect(input(theirs)).toEqual(input(ours));
    expect(theirs.info).toMatchObject({ environment: 'navigator', rollouts: 2, requested: 8 });
  });

  it('no time is before another one, in episodes that failed either', async () => {
    const spans = (value: unknown): Record<string, unknown>[] =>
      typeof value !== 'object' || value === null
        ? []
        : [value as Record<string, unknown>, ...Object.values(value).flatMap(spans)];
    const rows = [
      ...(await linesOf(path.join(folder.path, 'results.jsonl'))),
      ...(await linesOf(path.join(folder.path, 'traces.jsonl'))),
    ];
    const found = rows.flatMap(spans).filter(({ start, end }) => start !== undefined && end !== undefined);
    expect(found.length).toBeGreaterThan(rows.length);
    for (const { start, end, duration } of found) {
      expect(start).toBeGreaterThan(1e9);
      expect(end).toBeGreaterThanOrEqual(Number(start));
      if (duration !== undefined) expect(duration).toBeGreaterThanOrEqual(0);
    }
    for (const row of rows.slice(0, 8)) {
      const { total, overhead } = row['timing'] as { total: number; overhead: number };
      expect(Math.min(total, overhead)).toBeGreaterThanOrEqual(0);
    }
  });

  it('each step is a conversation of its own and carries the reward of its episode', async () => {
    const [first] = await linesOf(path.join(folder.path, 'traces.jsonl'));
    const traces = first?.['traces'];
    if (!Array.isArray(traces)) throw new Error('no traces');
    for (const trace of traces) {
      expect(trace.nodes.map((node: { message: { role: string } }) => node.message.role)).toEqual([
        ...['system', 'user', 'assistant'],
      ]);
      expect(trace.nodes.map((node: { parent?: number }) => node.parent)).toEqual([undefined, 0, 1]);
      expect(trace.rewards).toEqual(traces[0].rewards);
      expect(trace.calls[0].node).toBe(2);
    }
    expect(traces[0].calls[0].usage).toEqual({
      prompt_tokens: 70,
      completion_tokens: 9,
      cached_input_tokens: 30,
      reasoning_tokens: 5,
    });
    expect(JSON.stringify(first)).not.toContain(':null');
  });

  it('are in the order of the plan, rollouts on one instance in one group', async () => {
    const rows = await linesOf(path.join(folder.path, 'traces.jsonl'));
    expect(rows.map((row) => row['id'])).toEqual(rows.map((_, task) => `${folder.config.id}-${task}`));
    const groups = rows.map((row) => (row['group'] as { id: string }).id);
    expect(groups.slice(0, 4)).toEqual(groups.slice(4));
    expect(new Set(groups).size).toBe(4);
    const results = await linesOf(path.join(folder.path, 'results.jsonl'));
    expect(results.map((row) => row['example_id'])).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
  });

  it('the older ones keep all that was said, and every metric as a column', async () => {
    const [row = {}] = await linesOf(path.join(folder.path, 'results.jsonl'));
    const roles = (key: string) => (row[key] as { role: string }[]).map(({ role }) => role);
    expect(roles('prompt')).toEqual(['system', 'user']);
    const { steps } = row['info'] as { steps: number };
    expect(roles('completion').filter((role) => role === 'assistant').length).toBe(steps);
    for (const [id, value] of Object.entries(row['metrics'] as object)) expect(row[id]).toBe(value);
  });
});

describe('files that are out of date', () => {
  it.each<[string, (run: RunFolder) => Promise<void>]>([
    [
      'gone',
      (run) =>
        Promise.all(['traces', 'results'].map((it) => rm(path.join(run.path, `${it}.jsonl`)))).then(
          () => undefined,
        ),
    ],
    ['torn', (run) => truncate(path.join(run.path, 'traces.jsonl'), 20_000)],
    ['empty', (run) => writeFile(path.join(run.path, 'results.jsonl'), '')],
    ['full of something else', (run) => writeFile(path.join(run.path, 'traces.jsonl'), 'x\n{"id":"y"}\n')],
    [
      'doubled',
      async (run) =>
        appendFile(path.join(run.path, 'traces.jsonl'), await readFile(path.join(run.path, 'traces.jsonl'))),
    ],
  ])('%s: they are made again from the steps, byte for byte', async (_, damage) => {
    const run = await copy();
    await damage(run);
    const opened = await open(
      run,
      sayingModel(() => null),
    );
    await opened.derive();
    opened.close();
    for (const name of ['traces.jsonl', 'results.jsonl', 'metadata.json']) {
      expect(await readFile(path.join(run.path, name), 'utf8')).toBe(
        await readFile(path.join(folder.path, name), 'utf8'),
      );
    }
  });

  it('an episode whose error is mended has its old line no more', async () => {
    const run = await copy();
    await playRun(
      run,
      sayingModel(() => reply('ACTION: ANSWER 1')),
    );
    const rows = await linesOf(path.join(run.path, 'traces.jsonl'));
    expect(rows.map((row) => row['ok'])).toEqual(Array.from({ length: 8 }, () => true));
    const fresh = await copy(['traces.jsonl', 'results.jsonl', 'metadata.json']);
    await copyFile(path.join(run.path, 'steps.jsonl'), path.join(fresh.path, 'steps.jsonl'));
    const opened = await open(
      fresh,
      sayingModel(() => null),
    );
    await opened.derive();
    opened.close();
    expect(await finalLines(fresh.path)).toEqual(await finalLines(run.path));
  });
});

describe('runs of other programs', () => {
  it.each([
    ['traces', 'results'],
    ['results', 'traces'],
  ] as const)('%s become %s', async (have, wanted) => {
    const source = await newFolder();
    await copyFile(path.join(folder.path, `${have}.jsonl`), path.join(source, `${have}.jsonl`));
    const into = await newFolder();
    const place = await locateRun(source);
    await convertRun(place, { into, traces: true, results: true }, { version: 'v' });
    const there = await readRun(path.join(into, `${wanted}.jsonl`));
    const here = await readRun(source);
    const shared = ({
      task,
      instanceId,
      instanceHash,
      rollout,
      groups,
      outcome,
      events,
      error,
    }: RunEpisode) => ({
      ...{ task, instanceId, instanceHash, rollout, groups },
      said: events.map((event) => (event.kind === 'reply' ? event.text : '')),
      outcome: outcome === null ? null : [outcome.reward, outcome.correct, outcome.stop, outcome.metrics],
      error: error?.code,
    });
    expect(there.episodes.map(shared)).toEqual(here.episodes.map(shared));
    expect(await readFile(path.join(into, `${have}.jsonl`))).toEqual(
      await readFile(path.join(source, `${have}.jsonl`)),
    );
  });
});

it('a prompt that prints too much is an error of its own, and nothing is sent', async () => {
  const text = '---\nformat: 1\nenvironment: navigator\n---\nuser:\n{{question}}\n'.replace(
    '{{question}}',
    Array.from({ length: 400 }, () => '{{#map}}{{#map}}{{id}} {{header}}{{/map}}{{/map}}').join(''),
  );
  const run = await newRun({
    agent: testModel,
    parent: await newFolder(),
    prompt: { ...shippedPrompt, text, hash: `sha256:${createHash('sha256').update(text).digest('hex')}` },
  });
  const end = await playRun(
    run,
    sayingModel(() => {
      throw new Error('asked');
    }),
  );
  expect(end.run.read().episodes.map(({ error }) => error?.code)).toEqual([
    'prompt-too-large',
    'prompt-too-large',
    'prompt-too-large',
  ]);
  const [row] = await linesOf(path.join(run.path, 'results.jsonl'));
  expect(row?.['error']).toMatchObject({ error: 'prompt-too-large' });
  for (const name of ['.', 'traces.jsonl', 'results.jsonl']) {
    const { episodes } = await readRun(path.join(run.path, name));
    expect(episodes.map(({ cause }) => cause)).toEqual(Array.from(episodes, () => 'prompt-too-large'));
    expect(episodes).toHaveLength(3);
  }
});
