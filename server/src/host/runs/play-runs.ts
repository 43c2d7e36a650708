/** Playing runs: many episodes at once, of one run or of several side by side, until all are over or something stops them. */

import { setMaxListeners } from 'node:events';
import { explainFailure } from '../../engine/evals/explain-failure.ts';
import type { ModelFailure } from '../../engine/evals/model.ts';
import type { PlannedTask } from '../../engine/evals/plan.ts';
import type { RunEpisode } from '../../engine/evals/run-data.ts';
import type { OpenRun } from './open-run.ts';

export interface PlaySettings {
  /** Episodes under way at the same time, over all runs. */
  readonly concurrency: number;
  /** Stops after the requests under way. */
  readonly soft: AbortSignal;
  /** Stops at once. */
  readonly hard: AbortSignal;
  /** Told of every episode that ended or failed. The play waits for it. */
  episode(run: OpenRun, episode: RunEpisode): Promise<void> | void;
  /** Asked after every episode: a sentence ends all runs, as reached. */
  enough?(run: OpenRun, episode: RunEpisode): string | null;
}

/**
 * How a run came out of it. `done`: every episode ended or failed; `stopped`: some are left, and `reason` says why unless
 * somebody wanted it so; `decided`: some are left because nobody needs them.
 */
export interface RunEnd {
  readonly run: OpenRun;
  readonly status: 'done' | 'stopped' | 'decided';
  readonly reason: string | null;
}

/** Failures that every other request of the run would meet as well. */
const hopeless: ReadonlySet<ModelFailure['code']> = new Set(['auth', 'not-found', 'redirect']);

/** So many failures without a single reply are enough to give a run up. */
const patience = 5;

interface Lane {
  readonly run: OpenRun;
  reason: string | null;
  /** Episodes that have neither ended nor failed in this attempt. */
  left: number;
  failures: number;
  replied: boolean;
  decided: boolean;
}

/**
 * Plays what is left of `runs`: the first episode of each, then the second of each, and so on, so that runs to be compared
 * meet the same conditions.
 *
 * @throws Failure when something cannot be kept; everything under way has stopped then.
 */
export async function playRuns(runs: readonly OpenRun[], settings: PlaySettings): Promise<readonly RunEnd[]> {
  const lanes = runs.map(
    (run): Lane => ({
      run,
      reason: null,
      left: run.remaining.length,
      failures: 0,
      replied: false,
      decided: false,
    }),
  );
  const broken = new AbortController();
  // Every request under way listens to it.
  setMaxListeners(0, broken.signal);
  const stop = () => broken.abort(settings.hard.reason);
  if (settings.hard.aborted) stop();
  else settings.hard.addEventListener('abort', stop, { once: true });
  const queue = interleave(lanes);
  const failures: unknown[] = [];

  async function work(): Promise<void> {
    for (const { lane, task } of queue) {
      if (settings.soft.aborted || broken.signal.aborted) return;
      if (lane.reason !== null) continue;
      const soft = {
        get aborted() {
          return settings.soft.aborted || lane.reason !== null;
        },
      };
      const progress = await lane.run.play(task, { soft, hard: broken.signal });
      if (progress.states.length > 1) lane.replied = true;
      if (progress.kind !== 'stopped') lane.left--;
      if (progress.kind === 'errored') giveUp(lane, progress.failure);
      if (progress.kind === 'stopped') {
        const isLimit = progress.failure?.code === 'limit' && !settings.soft.aborted;
        if (isLimit) lane.reason ??= progress.failure.message;
        continue;
      }
      const episode = lane.run.episode(task.task);
      if (episode === undefined) continue;
      await settings.episode(lane.run, episode);
      const reason = settings.enough?.(lane.run, episode) ?? null;
      if (reason !== null) decide(lanes, reason);
    }
  }

  try {
    await Promise.all(
      Array.from({ length: Math.max(1, settings.concurrency) }, () =>
        work().catch((error: unknown) => {
          failures.push(error);
          broken.abort(error);
        }),
      ),
    );
  } finally {
    settings.hard.removeEventListener('abort', stop);
  }
  if (failures.length > 0 && !settings.hard.aborted) throw failures[0];
  return lanes.map(({ run, reason, left, decided }) => ({
    run,
    status: left === 0 ? 'done' : decided ? 'decided' : 'stopped',
    reason,
  }));
}

/** Ends all runs that go on: what they are played for is known. */
function decide(lanes: readonly Lane[], reason: string): void {
  for (const lane of lanes) {
    if (lane.reason !== null) continue;
    lane.reason = reason;
    lane.decided = true;
  }
}

/** Ends a run whose requests have no hope. */
function giveUp(lane: Lane, failure: ModelFailure): void {
  lane.failures++;
  const all = !lane.replied && lane.failures >= patience;
  if (hopeless.has(failure.code)) lane.reason ??= explainFailure(failure);
  else if (all)
    lane.reason ??= `Nothing but failures so far, so the run was stopped: ${explainFailure(failure)}`;
}

/** The tasks of all runs in turn; one iterator that all workers take from. */
function* interleave(lanes: readonly Lane[]): Generator<{ readonly lane: Lane; readonly task: PlannedTask }> {
  const all = lanes.flatMap((lane) => lane.run.remaining.map((task) => ({ lane, task })));
  // Sorting is stable: runs keep their order within each number.
  yield* all.sort((a, b) => a.task.task - b.task.task);
}
