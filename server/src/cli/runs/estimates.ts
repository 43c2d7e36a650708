/** What runs will take, before they are begun. */
import { type EpisodeSize, type Estimate, estimateRun, measureEpisode } from '../../engine/evals/estimate.ts';
import { planTasks } from '../../engine/evals/plan.ts';
import { configureRun } from '../../engine/evals/run-config.ts';
import type { Instances } from '../../host/runs/instances.ts';
import { materialOf, type RunMaterial } from '../../host/runs/material.ts';
import { instancesFor, type Stage } from '../evals/play.ts';
import type { NewRun } from './request.ts';

/** Instances that an estimate is made from. */
const sampled = 5;

/** What each run will take at least; null where nobody can say. Nothing is written or sent. */
export async function estimateRuns(
  runs: readonly NewRun[],
  stage: Stage,
): Promise<readonly (Estimate | null)[]> {
  const instances = await instancesFor(runs, stage);
  return Promise.all(
    runs.map(async (run) => {
      if (run.agent.kind === 'policy') return null;
      const material = materialOf(configureRun({ ...run, id: '00000000', created: '' }));
      const sizes = await Promise.all(
        sampleOf(planTasks(run)).map((task) => measure(material, task.source, instances)),
      );
      const known = sizes.flatMap((size) => (size === null ? [] : [size]));
      return estimateRun(known, material.plan.length, stage.models.prices(run).agent);
    }),
  );
}

/** A few members, spread over the list. */
function sampleOf<T>(list: readonly T[]): readonly T[] {
  const step = Math.max(1, Math.floor(list.length / sampled));
  return list.filter((_, at) => at % step === 0).slice(0, sampled);
}

async function measure(
  { config, environment, options, prompt }: RunMaterial,
  source: Parameters<Instances['get']>[1],
  instances: Instances,
): Promise<EpisodeSize | null> {
  if (prompt === null) return null;
  const { instance } = await instances.get(config, source);
  return measureEpisode(environment, instance, options, prompt);
}
