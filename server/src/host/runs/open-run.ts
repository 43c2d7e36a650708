/** A run that this process works on: locked, mended, with its log open and its episodes as far as they got. */
import type { Usage } from '../../engine/environments/chat.ts';
import type { Clock } from '../../engine/evals/clock.ts';
import { addUsage, type TaskRecord, toEpisode } from '../../engine/evals/fold.ts';
import type { Model } from '../../engine/evals/model.ts';
import type { Judge } from '../../engine/evals/next-event.ts';
import type { PlannedTask } from '../../engine/evals/plan.ts';
import { type Progress, playTask, type StopSignals } from '../../engine/evals/play-task.ts';
import {
  modelResponder,
  policyResponder,
  type Responder,
  rolloutSeed,
} from '../../engine/evals/responder.ts';
import { describeRun } from '../../engine/evals/run-config.ts';
import type { Run, RunEpisode } from '../../engine/evals/run-data.ts';
import type { Spent } from '../../engine/evals/spending.ts';
import { Failure } from '../failure.ts';
import type { Prepared } from '../run-tasks.ts';
import { type DeriveDeps, deriveFiles } from './derive-files.ts';
import { type DerivedFiles, openDerivedFiles } from './derived-log.ts';
import { clearLeftovers, type RunFolder } from './folder.ts';
import { lockRun } from './lock.ts';
import { materialOf, type RunMaterial, rowsOf } from './material.ts';
import { openStepLog, type StepLog } from './step-log.ts';

/** What a run needs of the process that works on it. */
export interface RunDeps extends DeriveDeps {
  /** Opens the model of a run that has one, and the judge that it names, if it names one. */
  readonly players: (before: SpentBefore) => { readonly model: Model; readonly judge?: Judge | null };
  /** Who judges where no model plays; it costs nothing. */
  readonly judge?: Judge | null;
  readonly clock: Pick<Clock, 'now'>;
  /** Where requests go in this attempt; null for policies. */
  readonly endpoint: string | null;
  /** Told, in one sentence, of what had to be left out of an earlier attempt's log. */
  problem(sentence: string): void;
}

/** What a run has used up before this attempt. */
export interface SpentBefore {
  /** The requests are those of both, the tokens those of the agent. */
  readonly agent: Spent;
  readonly judge: Usage | null;
}

export interface OpenRun {
  readonly folder: string;
  readonly material: RunMaterial;
  /** Episodes that are not over, in the order of the plan; those that failed earlier are among them. */
  readonly remaining: readonly PlannedTask[];
  /** Plays one of them as far as it gets. @throws Failure when it cannot be kept or its instance cannot be had. */
  play(task: PlannedTask, stop: StopSignals): Promise<Progress<unknown>>;
  /** The episode as it stands; undefined when it was never begun. */
  episode(task: number): RunEpisode | undefined;
  /** The run as it stands. */
  read(): Run;
  /** Puts the files that other tools read in their final form. @throws Failure when they cannot be written. */
  derive(): Promise<void>;
  /** Gives the folder free. @throws Failure when the last steps cannot be forced to the disk. */
  close(): void;
}

/**
 * Opens a run to work on it.
 *
 * @throws Failure when another process is at work on it, or its folder cannot be read or written.
 */
export async function openRun({ path, config }: RunFolder, deps: RunDeps): Promise<OpenRun> {
  const material = materialOf(config);
  const lock = await lockRun(path);
  let log: StepLog | undefined;
  let derived: DerivedFiles | undefined;
  try {
    await clearLeftovers(path);
    log = await openStepLog(path, deps.problem);
    const attempt = log.fold.attempts + 1;
    const { version, endpoint, clock } = deps;
    log.append({ type: 'attempt', attempt, time: clock.now(), version, endpoint });
    const { fold } = log;
    const open = material.plan.filter(({ task }) => (fold.get(task)?.end ?? null) === null);
    derived = await openDerivedFiles(
      path,
      open.map(({ task }) => task),
    );
    return workOn({ path, material, deps, log, derived, attempt, release: lock.release });
  } catch (error) {
    derived?.close();
    log?.close();
    lock.release();
    throw error;
  }
}

interface Opened {
  readonly path: string;
  readonly material: RunMaterial;
  readonly deps: RunDeps;
  readonly log: StepLog;
  readonly derived: DerivedFiles;
  readonly attempt: number;
  release(): void;
}

function workOn({ path, material, deps, log, derived, attempt, release }: Opened): OpenRun {
  const { config, environment, options, plan } = material;
  const { fold } = log;
  const info = describeRun(config, path);
  const read = (): Run => ({ info, episodes: fold.records().map(toEpisode) });
  const players = config.agent.kind === 'model' ? deps.players(spentSoFar(read())) : null;

  function respond(
    prepared: Prepared,
    task: PlannedTask,
  ): (earlier: readonly unknown[]) => Responder<unknown> {
    const { agent } = config;
    if (agent.kind === 'policy') {
      const policy = environment.policies.find((it) => it.id === agent.policy);
      if (policy === undefined)
        throw new Failure('request', `${environment.id} has no policy ${agent.policy}.`);
      const seed = rolloutSeed(agent.seed, task.rollout);
      return (earlier) => policyResponder(policy, prepared.instance, seed, earlier);
    }
    const { ask } = material;
    if (ask === null || players === null)
      throw new Failure('request', `Run ${config.id} has no step prompt.`);
    return () => modelResponder(ask, players.model, agent.sampling, task.rollout);
  }

  async function instanceOf(task: PlannedTask, record: TaskRecord | undefined): Promise<Prepared> {
    const prepared = await deps.instances.get(config, task.source);
    const expected = record?.begin.instance.hash ?? task.pin;
    if (expected === null || expected === prepared.note.hash) return prepared;
    const what = record === undefined ? 'the suite was made' : `run ${config.id} was begun`;
    throw new Failure('run', `${prepared.note.id} is not what it was when ${what}, so it cannot be played.`);
  }

  return {
    folder: path,
    material,
    remaining: plan.filter(({ task }) => (fold.get(task)?.end ?? null) === null),
    async play(task, stop) {
      const record = fold.get(task.task);
      const prepared = await instanceOf(task, record);
      const ids = { task: task.task, attempt };
      if (record === undefined) {
        log.append({ type: 'begin', ...ids, rollout: task.rollout, instance: prepared.note });
      }
      const progress = await playTask({
        environment,
        instance: prepared.instance,
        options,
        ...ids,
        events: (record?.events ?? []).map(({ event }) => event),
        respond: respond(prepared, task),
        judge: players?.judge ?? deps.judge ?? null,
        record: log.append,
        clock: deps.clock,
        stop,
      });
      const played = fold.get(task.task);
      if (progress.kind === 'ended' && played !== undefined) {
        derived.add(task.task, rowsOf(material, played, progress.states));
      }
      return progress;
    },
    episode(task) {
      const record = fold.get(task);
      return record === undefined ? undefined : toEpisode(record);
    },
    read,
    async derive() {
      derived.close();
      await deriveFiles(path, material, fold.records(), deps);
    },
    close() {
      derived.close();
      try {
        log.close();
      } finally {
        release();
      }
    },
  };
}

function spentSoFar({ episodes }: Run): SpentBefore {
  const usage = addUsage(episodes.map((episode) => episode.usage));
  const agent = {
    requests: episodes.reduce((sum, { attempts }) => sum + attempts, 0),
    input: usage?.input ?? 0,
    output: usage?.output ?? 0,
    dollars: null,
    estimated: 0,
  };
  return { agent, judge: addUsage(episodes.map((episode) => episode.judgeUsage ?? null)) };
}
