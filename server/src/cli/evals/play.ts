/** Playing runs from the command line, from opening their folders to the last words. */
import { setMaxListeners } from 'node:events';
import manifest from '../../../../package.json' with { type: 'json' };
import { openDecision } from '../../engine/evals/early-stop.ts';
import type { Estimate } from '../../engine/evals/estimate.ts';
import type { RunEpisode } from '../../engine/evals/run-data.ts';
import { Failure } from '../../host/failure.ts';
import { systemClock } from '../../host/models/clock.ts';
import { openPool, type Pool } from '../../host/pool.ts';
import { createRunFolder, type RunFolder } from '../../host/runs/folder.ts';
import { type Instances, indexParts, openInstances } from '../../host/runs/instances.ts';
import { type OpenRun, openRun, type SpentBefore } from '../../host/runs/open-run.ts';
import { playRuns, type RunEnd } from '../../host/runs/play-runs.ts';
import { type Sink, streamSink } from '../../host/sink.ts';
import type { ExitCode } from '../command.ts';
import {
  describeEnd,
  describeEstimate,
  doneEvent,
  episodeEvent,
  startEvent,
  writeEvent,
} from '../runs/events.ts';
import { type Agents, type ModelWorld, nothingSpent, openJudge, openModelWorld } from '../runs/model.ts';
import type { ModelChoice } from '../runs/options.ts';
import type { NewRun } from '../runs/request.ts';
import { runTable, summarized } from '../runs/table.ts';
import type { Shell } from '../shell.ts';

/** What playing works with; one for a command. */
export interface Stage {
  readonly pool: Pool;
  readonly models: ModelWorld;
  readonly shell: Shell;
  /** Standard output, which is written to even after the first wish to stop. */
  readonly out: Sink;
  readonly choice: ModelChoice;
  /** Fires on the first wish to stop: what is under way may come back. */
  readonly soft: AbortSignal;
  /** Fires when nothing may be waited for any more. */
  readonly hard: AbortSignal;
}

/** Sets the stage, calls `work` and clears it. */
export async function withStage<T>(
  choice: ModelChoice,
  shell: Shell,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const hard = new AbortController();
  // Every request under way listens to them.
  setMaxListeners(0, hard.signal, shell.signal);
  if (choice.untilEof) {
    // Whoever started this holds the other end: when that has gone, nobody is left to wait for anything.
    process.stdin.resume().once('end', () => hard.abort(new Failure('run', 'Standard input ended.')));
    process.stdin.once('error', () => hard.abort(new Failure('run', 'Standard input ended.')));
  }
  const pool = openPool({ script: shell.worker, workers: choice.workers, signal: hard.signal });
  try {
    const models = await openModelWorld(choice, shell, shell.signal, hard.signal);
    const out = streamSink(process.stdout, hard.signal);
    return await work({ pool, models, shell, out, choice, soft: shell.signal, hard: hard.signal });
  } finally {
    await pool.close();
    process.stdin.pause();
  }
}

/** The instances of runs. @throws Failure when a file of them has changed. */
export async function instancesFor(
  runs: readonly Pick<NewRun, 'parts'>[],
  { pool }: Stage,
): Promise<Instances> {
  return openInstances(
    pool,
    await indexParts(
      runs.flatMap(({ parts }) => parts),
      pool,
    ),
  );
}

/** Makes the folders of new runs in `parent` and plays them side by side. */
export async function playNewRuns(
  runs: readonly NewRun[],
  estimates: readonly (Estimate | null)[],
  parent: string,
  stage: Stage,
): Promise<ExitCode> {
  if (stage.choice.untilDecided) checkDecidable(runs);
  // Everything that can be wrong with a model shows before anything is written.
  for (const run of runs) if (run.agent.kind === 'model') openPlayers(stage.models, run, nothingSpent);
  const folders: RunFolder[] = [];
  for (const run of runs) folders.push(await createRunFolder(parent, run));
  return playFolders(folders, estimates, stage);
}

/** Plays what is left of runs. */
export async function playFolders(
  folders: readonly RunFolder[],
  estimates: readonly (Estimate | null)[],
  stage: Stage,
): Promise<ExitCode> {
  const { shell, models } = stage;
  const instances = await instancesFor(
    folders.map(({ config }) => config),
    stage,
  );
  const open: OpenRun[] = [];
  try {
    for (const folder of folders) {
      open.push(
        await openRun(folder, {
          players: (before) => openPlayers(models, folder.config, before),
          prices: models.prices(folder.config),
          instances,
          clock: systemClock,
          version: manifest.version,
          endpoint: models.endpoint(folder.config.agent),
          problem: shell.note,
        }),
      );
    }
    const ends = await playOpen(open, estimates, stage);
    return await conclude(ends, stage);
  } finally {
    for (const run of open) closeRun(run, shell);
  }
}

/** Whoever is asked in a run, at the expense of one account. */
function openPlayers(models: ModelWorld, run: Agents, before: SpentBefore) {
  const account = models.account(run, before);
  return { model: models.open(run.agent, account.agent), judge: openJudge(models, run, account) };
}

function closeRun(run: OpenRun, shell: Shell): void {
  try {
    run.close();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    shell.problem(error.message);
  }
}

/** @throws Failure unless the runs are two that can be compared pair by pair while they go on. */
function checkDecidable(runs: readonly NewRun[]): void {
  if (runs.length !== 2) {
    throw new Failure('request', '--until-decided needs two runs: two prompts, two models, or two policies.');
  }
  if (runs.some(({ rollouts }) => rollouts > 1)) {
    throw new Failure('request', '--until-decided takes one rollout an instance.');
  }
}

/** Watches two runs until one is clearly better. */
function decisionOver([first]: readonly OpenRun[]): (run: OpenRun, episode: RunEpisode) => string | null {
  const decision = openDecision(first?.material.plan.length ?? 0);
  return (run, { task, outcome }) =>
    outcome === null ? null : decision.add(run === first ? 0 : 1, task, outcome.reward);
}

async function playOpen(
  runs: readonly OpenRun[],
  estimates: readonly (Estimate | null)[],
  { shell, out, choice, models, soft, hard }: Stage,
): Promise<readonly RunEnd[]> {
  for (const [at, run] of runs.entries()) {
    const estimate = estimates[at] ?? null;
    if (choice.json) await writeEvent(out, startEvent(run, estimate));
    else if (estimate !== null) shell.note(describeEstimate(estimate, run.material.plan.length));
  }
  const total = runs.reduce((sum, run) => sum + run.remaining.length, 0);
  const progress = shell.progress('eval', total);
  let done = 0;
  const asked = () => shell.note('Finishing the requests under way; Ctrl-C again stops at once.');
  soft.addEventListener('abort', asked, { once: true });
  try {
    return await playRuns(runs, {
      concurrency: choice.concurrency,
      soft,
      hard,
      async episode(run, episode) {
        progress.update(++done);
        if (!choice.json) return;
        await writeEvent(out, episodeEvent(run, episode, models.prices(run.material.config)));
      },
      ...(choice.untilDecided ? { enough: decisionOver(runs) } : {}),
    });
  } finally {
    soft.removeEventListener('abort', asked);
    progress.clear();
  }
}

/** Puts the folders in order and says how the runs came out. */
async function conclude(
  ends: readonly RunEnd[],
  { shell, out, choice, models, soft, hard }: Stage,
): Promise<ExitCode> {
  let good = true;
  for (const end of ends) {
    // With nobody left to wait, the files that follow from the steps can be made by whoever wants them.
    if (!hard.aborted) await end.run.derive();
    const { episodes, info } = end.run.read();
    good &&=
      end.status === 'decided' ||
      episodes.filter((episode) => episode.outcome !== null).length === info.requested;
    if (choice.json) await writeEvent(out, doneEvent(end, models.prices(end.run.material.config)));
    else shell.note(...describeEnd(end));
  }
  if (!choice.json) {
    const runs = ends.map(({ run }) => summarized(run.read(), models.prices(run.material.config)));
    await out.write(runTable(runs, shell.style));
  }
  soft.throwIfAborted();
  hard.throwIfAborted();
  return good ? 0 : 1;
}
