/** Where the episodes of two runs part: found by playing both again on the same instance. */
import {
  type FirstDifference,
  firstDifference,
  type StepView,
} from '../../engine/evals/comparisons/first-difference.ts';
import type { Flip } from '../../engine/evals/comparisons/flips.ts';
import type { Run, RunEpisode } from '../../engine/evals/run-data.ts';
import { Failure } from '../../host/failure.ts';
import { openRunInstances, type RunInstances } from '../../host/run-instances.ts';
import type { Shell } from '../shell.ts';
import { sideBySide } from './side-by-side.ts';

/** Columns between two texts beside each other. */
const gap = 3;

/** Two runs with what it takes to play their episodes again. */
export interface Partings {
  /** Labels of the environment's groupings, by id. */
  readonly groupings: Readonly<Record<string, string>>;
  /** Where the episodes of a flip part; null where that is not known, which is told of once. */
  of(flip: Flip): Promise<FirstDifference | null>;
  /** What was said on one instance at the step at which the episodes part. @throws Failure when a run has none. */
  show(instance: string): Promise<string>;
}

/** @param files of instances that the runs do not say how to make again. */
export async function openPartings(
  a: Run,
  b: Run,
  files: readonly string[],
  shell: Shell,
): Promise<Partings> {
  const open = (run: Run) => openRunInstances(run, files, shell.problem, shell.signal);
  const left = await open(a);
  const right = await open(b);
  let told = false;

  async function parting(mine: RunEpisode, theirs: RunEpisode): Promise<FirstDifference | null> {
    const instance = await left.get(mine);
    if (!instance.ok) {
      if (!told) shell.note(`${instance.error} So it is not known where episodes part.`);
      told = true;
      return null;
    }
    return firstDifference(left.environment, instance.value, course(left, mine), course(right, theirs));
  }

  return {
    groupings: Object.fromEntries((left.environment.groupings ?? []).map(({ id, label }) => [id, label])),
    async of(flip) {
      const [mine, theirs] = [episodeOf(a, flip.a.task), episodeOf(b, flip.b.task)];
      return mine === undefined || theirs === undefined ? null : await parting(mine, theirs);
    },
    async show(instance) {
      const [mine, theirs] = [firstOn(a, instance), firstOn(b, instance)];
      const found = await parting(mine, theirs);
      if (found === null) return `${instance}: the episodes do the same in every step.\n`;
      const width = Math.floor((shell.style.width - gap) / 2);
      const columns = (mineText: string, theirText: string) => sideBySide(mineText, theirText, width);
      const lines = [
        ...columns(`A: ${headline(mine)}`, `B: ${headline(theirs)}`),
        ...columns(`step ${found.step}: ${viewText(found.a)}`, viewText(found.b)),
        '',
        ...columns(found.a?.reply.text ?? '', found.b?.reply.text ?? ''),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}

function course({ options }: RunInstances, { events }: RunEpisode) {
  return { options, events };
}

function episodeOf(run: Run, task: number): RunEpisode | undefined {
  return run.episodes.find((episode) => episode.task === task);
}

function firstOn(run: Run, instance: string): RunEpisode {
  const episode = run.episodes.find(({ instanceId }) => instanceId === instance);
  if (episode !== undefined) return episode;
  throw new Failure('request', `Run ${run.info.id} has no episode on ${instance}.`);
}

function headline({ cause, outcome }: RunEpisode): string {
  return `${cause ?? 'correct'}${outcome === null ? '' : `, reward ${outcome.reward.toFixed(3)}`}`;
}

function viewText(view: StepView | null): string {
  return view === null ? 'the episode is over' : (view.label ?? 'a reply');
}
