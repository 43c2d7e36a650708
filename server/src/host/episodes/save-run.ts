/** A branch of a session as a run of one episode: written by what writes all runs, with replies that are there already. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Event, Reply } from '../../engine/environments/chat.ts';
import type { Clock } from '../../engine/evals/clock.ts';
import { canonicalJson, hashInstance, hashText } from '../../engine/evals/identity.ts';
import type { Model, ModelResult } from '../../engine/evals/model.ts';
import type { Judge } from '../../engine/evals/next-event.ts';
import type { InstancePart } from '../../engine/evals/run-config.ts';
import type { RunAgent } from '../../engine/evals/run-data.ts';
import type { Session } from '../../engine/evals/sessions/session.ts';
import { branchOf, type SessionNode } from '../../engine/evals/sessions/tree.ts';
import type { SavedRun } from '../../engine/evals/sessions/view.ts';
import { groupsOf } from '../../engine/evals/summarize.ts';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import { Failure } from '../failure.ts';
import { createRunFolder, files, type NewRun, runPath } from '../runs/folder.ts';
import { hashFile } from '../runs/instances.ts';
import { openRun } from '../runs/open-run.ts';

export interface SaveRunDeps {
  readonly clock: Clock;
  /** Version of the program. */
  readonly version: string;
  /** The file that holds the session's instance, by its address; null for a generated one. */
  readonly file: string | null;
}

/**
 * Writes the branch that is followed into the folder of runs at `parent`, an address. An episode that is not over is one
 * that was stopped. The error is a sentence.
 *
 * @returns where the run is, which is there already when this branch was written before
 */
export async function saveRun(
  session: Session,
  parent: string,
  deps: SaveRunDeps,
): Promise<Checked<SavedRun>> {
  if (!parent.startsWith('file:')) return refuse('Runs are written to folders of this machine only.');
  try {
    const request = await requestOf(session, deps);
    if (!request.ok) return request;
    return accept(await writeOnce(session, fileURLToPath(parent), request.value, deps));
  } catch (error) {
    if (error instanceof Failure) return refuse(error.message);
    throw error;
  }
}

/** What is being written, by path: whoever asks for the same meanwhile waits for it. */
const underWay = new Map<string, Promise<string>>();

/** A branch is a run once: what is in it makes the id of the run, and so the name of its folder. */
async function writeOnce(
  session: Session,
  parent: string,
  request: NewRun,
  deps: SaveRunDeps,
): Promise<SavedRun> {
  const id = idOf(session, request);
  const path = runPath(parent, request, id);
  const before = underWay.get(path);
  if (before !== undefined) return { folder: await before, isNew: false };
  // Written last of all.
  if (existsSync(join(path, files.metadata))) return { folder: path, isNew: false };
  const writing = write(session, parent, request, deps, id);
  underWay.set(path, writing);
  try {
    return { folder: await writing, isNew: true };
  } finally {
    underWay.delete(path);
  }
}

function idOf({ instance, tree }: Session, { version: _, ...request }: NewRun): string {
  const said = branchOf(tree).map(({ event, by }) => ({ event, by }));
  return hashText(canonicalJson({ request, instance: hashInstance(instance), said })).slice(-8);
}

async function requestOf(session: Session, { version, file }: SaveRunDeps): Promise<Checked<NewRun>> {
  const { environment, instance, rawOptions, prompts, tree } = session;
  const path = branchOf(tree);
  const place = await partOf(session, file);
  if (!place.ok) return place;
  const prompt = prompts[path.at(-1)?.prompt ?? 0] ?? null;
  const agent = agentOf(session, path);
  if (agent.kind === 'model' && prompt === null) {
    return refuse('A run of these replies needs a step prompt: choose one in the panel first.');
  }
  const judges = new Set(path.flatMap(({ event }) => (event?.kind === 'verdict' ? [event.judge] : [])));
  return accept({
    version,
    environment: environment.id,
    generatorVersion: environment.generatorVersion,
    options: rawOptions,
    ...(judges.size === 0 ? {} : { judge: [...judges].join('+') }),
    label: instance.split,
    suite: null,
    parts: [place.value],
    rollouts: 1,
    shuffleSeed: null,
    agent,
    prompt: prompt && {
      name: prompt.source.name,
      path: prompt.source.uri,
      text: prompt.source.text,
      hash: hashText(prompt.source.text),
    },
  });
}

async function partOf(
  { environment, instance, origin }: Session,
  file: string | null,
): Promise<Checked<InstancePart>> {
  if (file !== null) {
    const path = fileURLToPath(file);
    return accept({ file: path, hash: await hashFile(path), ids: [instance.id] });
  }
  const place = environment.locate?.(instance.id) ?? null;
  if (place === null || origin.kind !== 'instance') {
    return refuse(
      `It is not known where the instance ${instance.id} comes from, so no run can be made of it.`,
    );
  }
  return accept({ split: place.split, indices: [place.index] });
}

/** One policy that gave all replies plays them again; for anything else, the replies are those of a model by that name. */
function agentOf({ environment, prompts }: Session, path: readonly SessionNode[]): RunAgent {
  const names = [...new Set(path.flatMap(({ event, by }) => (event?.kind === 'reply' ? [by] : [])))];
  const [first] = names;
  const isPolicy = names.length === 1 && environment.policies.some(({ id }) => id === first);
  if (isPolicy && first !== undefined) return { kind: 'policy', policy: first, seed: '0' };
  const sampling = prompts[path.at(-1)?.prompt ?? 0]?.prompt.sampling ?? {};
  return { kind: 'model', model: names.join('+') || 'nobody', baseUrl: null, sampling, extraBody: {} };
}

async function write(
  session: Session,
  parent: string,
  request: NewRun,
  { clock, version }: SaveRunDeps,
  id: string,
): Promise<string> {
  const { environment, instance } = session;
  const folder = await createRunFolder(parent, request, id);
  const events = branchOf(session.tree).flatMap(({ event }) => (event === null ? [] : [event]));
  const { model, judge } = recorded(events);
  const prepared = {
    instance,
    note: {
      id: instance.id,
      hash: hashInstance(instance),
      split: instance.split,
      index: environment.locate?.(instance.id)?.index ?? null,
      groups: groupsOf(environment, instance),
      minSteps: environment.minSteps(instance),
    },
  };
  const run = await openRun(folder, {
    players: () => ({ model, judge }),
    judge,
    clock,
    endpoint: null,
    version,
    prices: { agent: null, judge: null },
    instances: { get: async () => prepared },
    problem: () => {},
  });
  try {
    const end = branchOf(session.tree).at(-1)?.state;
    const isOver = environment.next(end).kind === 'nothing';
    let left = events.length;
    const stop = {
      soft: {
        // Asked before every event. A policy would go on by itself where the session has stopped.
        get aborted() {
          return !isOver && left-- <= 0;
        },
      },
      hard: new AbortController().signal,
    };
    for (const task of run.remaining) await run.play(task, stop);
    await run.derive();
  } finally {
    run.close();
  }
  return folder.path;
}

/** Those who gave the events once give them again, one after another. */
function recorded(events: readonly Event[]): { readonly model: Model; readonly judge: Judge } {
  const replies = events.flatMap((event) => (event.kind === 'reply' ? [event] : []));
  const verdicts = events.flatMap((event) => (event.kind === 'verdict' ? [event] : []));
  let nextReply = 0;
  let nextVerdict = 0;
  return {
    model: {
      endpoint: { model: 'recorded', baseUrl: '' },
      complete: async () => given(replies[nextReply++]),
    },
    judge: {
      // Asked for after each answer, and perhaps another one then.
      get name() {
        return verdicts[nextVerdict - 1]?.judge ?? '';
      },
      async ask() {
        const verdict = verdicts[nextVerdict++];
        if (verdict === undefined) return given(undefined);
        const { value, usage } = verdict;
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        return given({ kind: 'reply', text, ...(usage === undefined ? {} : { usage }) });
      },
    },
  };
}

function given(reply: Reply | undefined): ModelResult {
  if (reply !== undefined) return { ok: true, reply, attempts: 1, cached: false, waitedMs: 0 };
  const failure = { code: 'cancelled', message: '', advice: '', attempts: 0, retriable: true } as const;
  return { ok: false, failure, waitedMs: 0 };
}
