/** Wires the requests about runs: lists, figures, prompts and notes. What takes long is done in a worker thread. */
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Environment } from '../engine/environments/environment.ts';
import { addUsage } from '../engine/evals/fold.ts';
import { tasksOf } from '../engine/evals/formats/read-stream-row.ts';
import { dollarsOf, type Price } from '../engine/evals/prices.ts';
import { describeOveruse, testSplitUse } from '../engine/evals/split-use.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { checkStepPrompt } from '../engine/prompts/check-prompt.ts';
import { parseStepPrompt } from '../engine/prompts/step-prompt.ts';
import { Failure } from '../host/failure.ts';
import { readPriceTable } from '../host/models/price-file.ts';
import { readConfig } from '../host/runs/folder.ts';
import { readNotes, writeNote } from '../host/runs/notes.ts';
import { createRunLists, type ListedRun, splitsOf } from '../host/runs/run-list.ts';
import type { Tally } from '../host/runs/tally-task.ts';
import { isStreamAddress } from '../host/streams/stream-address.ts';
import { findStreamGroup } from '../host/streams/stream-group.ts';
import type { RunChoices, RunListing, RunRow, RunStatus } from '../protocol.ts';
import type { Answer } from './instances.ts';

export interface RunWiring {
  readonly answer: Answer;
  readonly environments: readonly Environment[];
  /** Absolute path of the bundled worker. */
  readonly script: string;
}

export function wireRuns({ answer, environments, script }: RunWiring): void {
  const lists = createRunLists(script);

  answer('hopscope/listRuns', async ({ folders, prices }): Promise<RunListing> => {
    const priceOf = await pricesIn(prices);
    const runs: ListedRun[] = [];
    for (const folder of folders) {
      const parent = pathOf(folder);
      if (parent !== null) runs.push(...(await lists.list(parent)));
    }
    const rows = runs.flatMap((run) =>
      typeof run.tally === 'string' ? [] : [rowOf(run, run.tally, priceOf)],
    );
    const users = rows.map(({ environment, splits, agent, prompt }) => ({
      environment,
      splits,
      promptHash: agent.kind === 'model' ? (prompt?.hash ?? null) : null,
    }));
    return {
      runs: rows.sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1)),
      broken: runs.flatMap(({ folder, tally }) =>
        typeof tally === 'string' ? [{ uri: pathToFileURL(folder).href, problem: tally }] : [],
      ),
      testSplits: testSplitUse(users, environments).map((use) => ({ ...use, warning: describeOveruse(use) })),
    };
  });

  answer('hopscope/runSummary', ({ uri, prices }) =>
    attempt(uri, async (folder) => {
      const run = await lists.read(folder);
      if (run === null) return refuse(`${folder} holds no run.`);
      if (typeof run.tally === 'string') return refuse(run.tally);
      return accept(rowOf(run, run.tally, await pricesIn(prices)));
    }),
  );

  answer('hopscope/runPrompt', ({ uri }) =>
    attempt(uri, async (folder) => {
      if (isStreamAddress(folder)) return promptOfStream(folder);
      const config = await readConfig(folder);
      if (config === null) return refuse(`${folder} does not say with which prompt it was played.`);
      if (config.prompt === null) return refuse(`Run ${config.id} was played without a step prompt.`);
      const { name, path: file, text } = config.prompt;
      return accept({ name, path: file, text });
    }),
  );

  answer('hopscope/runNote', ({ uri, task }) =>
    attempt(uri, async (folder) => {
      const notes = await readNotes(folder);
      return accept(
        task === null ? { text: notes.text, tags: notes.tags } : (notes.episodes.get(task) ?? none),
      );
    }),
  );

  answer('hopscope/annotateRun', ({ uri, task, note }) =>
    attempt(uri, async (folder) => {
      if (isStreamAddress(folder))
        return refuse('Notes are kept in the folders of runs, and streams have none.');
      const notes = await writeNote(folder, task, note);
      if (!notes.ok) return notes;
      const { text, tags, episodes } = notes.value;
      return accept(task === null ? { text, tags } : (episodes.get(task) ?? none));
    }),
  );

  answer('hopscope/runChoices', ({ text }) => choicesOf(text, environments));
}

const none = { text: '', tags: [] };

/** What `work` gives for a folder; the sentence of a {@link Failure} as a refusal. */
async function attempt<T>(uri: string, work: (folder: string) => Promise<Checked<T>>): Promise<Checked<T>> {
  const folder = pathOf(uri);
  if (folder === null) return refuse(`Runs are folders on a disk, and ${uri} is none.`);
  try {
    return await work(folder);
  } catch (error) {
    if (error instanceof Failure) return refuse(error.message);
    throw error;
  }
}

function pathOf(uri: string): string | null {
  try {
    // Without a slash at its end, so that one folder has one name.
    return uri.startsWith('file:') ? path.resolve(fileURLToPath(uri)) : null;
  } catch {
    return null; // e.g. with a host on a system that has none
  }
}

/** Prices by model; none at all when the table cannot be read, which whoever begins a run is told. */
async function pricesIn(file: string | null): Promise<(model: string) => Price | null> {
  if (file === null) return () => null;
  const table = await readPriceTable(file).catch((error: unknown) => {
    if (error instanceof Failure) return null;
    throw error;
  });
  return table ?? (() => null);
}

function rowOf(run: ListedRun, { info, summary }: Tally, priceOf: (model: string) => Price | null): RunRow {
  const { agent, prompt } = info;
  const used = addUsage([summary.usage, summary.judgeUsage ?? null]);
  const prices = {
    agent: agent.kind === 'model' ? priceOf(agent.model) : null,
    judge: info.judge === undefined ? null : priceOf(info.judge),
  };
  return {
    uri: pathToFileURL(run.folder).href,
    id: info.id,
    time: info.created === null ? run.changed : Date.parse(info.created) || run.changed,
    environment: info.environment,
    label: info.label,
    suite: info.suite,
    splits: splitsOf(run),
    rollouts: info.rollouts,
    prompt: prompt === null ? null : { name: prompt.name, path: prompt.path, hash: prompt.hash },
    agent:
      agent.kind === 'model'
        ? { kind: 'model', name: agent.model, baseUrl: agent.baseUrl }
        : { kind: 'policy', name: agent.policy, baseUrl: null },
    isOwn: run.config !== null,
    status: statusOf(run, summary.all.counts),
    figures: {
      counts: summary.all.counts,
      reward: summary.all.reward,
      accuracy: summary.all.accuracy,
      causes: summary.causes,
      requests: summary.requests,
      tokens: used === null ? null : { input: used.input, output: used.output },
      dollars: dollarsOf(prices, summary),
    },
    note: { text: run.note.text, tags: run.note.tags },
  };
}

function statusOf({ isRunning }: ListedRun, { errored, unfinished }: RunRow['figures']['counts']): RunStatus {
  if (isRunning) return 'running';
  if (unfinished > 0) return 'stopped';
  return errored > 0 ? 'errors' : 'done';
}

function choicesOf(text: string, environments: readonly Environment[]): Checked<RunChoices> {
  const { prompt, problems } = parseStepPrompt(text);
  const wrong = [...problems, ...checkStepPrompt(prompt, environments)].find((it) => it.severity === 'error');
  if (wrong !== undefined) {
    const line = text.slice(0, wrong.start).split('\n').length;
    return refuse(`Line ${line} of the step prompt: ${wrong.message}`);
  }
  const environment = environments.find(({ id }) => id === prompt.environment);
  if (environment === undefined) return refuse('The step prompt names no environment that is known here.');
  const { id, title, description, policies, splits, streams } = environment;
  return accept({
    environment: { id, title, description, splits },
    policies: policies.map((policy) => ({ id: policy.id, description: policy.description })),
    split: prompt.split,
    model: prompt.model,
    streams: streams === undefined ? null : streamChoices(streams),
  });
}

/** The step prompt that streams were played with. @throws Failure when there are no such streams. */
async function promptOfStream(
  address: string,
): Promise<Checked<{ readonly name: string; readonly path: string | null; readonly text: string }>> {
  const { files } = await findStreamGroup(address);
  const prompt = files.map(({ begun }) => begun?.prompt).find((it) => it != null);
  if (prompt == null) return refuse('These streams were played without a step prompt, or do not say which.');
  return accept({ name: prompt.name, path: prompt.path, text: prompt.text });
}

function streamChoices({ methods, list }: NonNullable<Environment['streams']>): RunChoices['streams'] {
  return {
    methods: methods.map(({ id, description }) => ({ id, description })),
    list: list.map((info) => {
      const { id, title, size, windows } = info;
      return { id, title, size, windows, ...tasksOf(info, null, true) };
    }),
  };
}
