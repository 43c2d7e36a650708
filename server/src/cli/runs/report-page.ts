/** The page of a run, for `hopscope export --html`. */
import { setImmediate as breathe } from 'node:timers/promises';
import { stepViews } from '../../engine/evals/comparisons/first-difference.ts';
import { type ReportContext, runReport } from '../../engine/evals/html/run-report.ts';
import type { Run } from '../../engine/evals/run-data.ts';
import { Failure } from '../../host/failure.ts';
import { openRunInstances, type RunInstances } from '../../host/run-instances.ts';
import { showNotes } from '../../host/runs/notes.ts';
import { fileSink } from '../../host/sink.ts';
import type { Shell } from '../shell.ts';

/** What the page needs beside the run. */
export interface ReportChoice {
  /** Files of instances that the run does not say how to make again. */
  readonly instances: readonly string[];
  /** In US dollars; null when no price is known. */
  readonly cost: number | null;
}

/**
 * Writes the page. Episodes whose instances are not to be had are told without what their steps were, which is noted once.
 *
 * @throws Failure when it cannot be written.
 */
export async function writeReportPage(
  path: string,
  run: Run,
  choice: ReportChoice,
  shell: Shell,
): Promise<void> {
  const sink = await fileSink(path);
  try {
    for await (const piece of runReport(run, {
      ...(await contextOf(run, choice, shell)),
      notes: await showNotes(run.info.folder, shell.problem),
    })) {
      await sink.write(piece);
    }
    await sink.close();
  } finally {
    await sink.discard();
  }
}

async function contextOf(
  run: Run,
  { instances: files, cost }: ReportChoice,
  shell: Shell,
): Promise<ReportContext> {
  let note = (sentence: string) => {
    shell.note(`${sentence} Steps are told without what they did.`);
    note = () => undefined;
  };
  const instances = await open(run, files, shell).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    note(error.message);
    return null;
  });
  if (instances === null) return { metrics: [], groupings: [], steps: async () => null, cost };
  const { environment, options } = instances;
  return {
    metrics: environment.metrics,
    groupings: environment.groupings ?? [],
    cost,
    async steps(episode) {
      // Lets a signal in: nothing else here waits for anything outside.
      await breathe();
      shell.signal.throwIfAborted();
      const instance = await instances.get(episode);
      if (instance.ok) return stepViews(environment, instance.value, { options, events: episode.events });
      note(instance.error);
      return null;
    },
  };
}

function open(run: Run, files: readonly string[], shell: Shell): Promise<RunInstances> {
  return openRunInstances(run, files, shell.problem, shell.signal);
}
