/** The episodes of a run, numbered. */
import { instancesOf, type RunConfig } from './run-config.ts';
import type { InstanceSource } from './run-data.ts';

/** One episode to be played. */
export interface PlannedTask {
  /** From 0; everything on disk refers to it. */
  readonly task: number;
  /** Number of the instance among those of the run, from 0. */
  readonly example: number;
  readonly source: InstanceSource;
  /** The hash that the instance must have; null when any will do. */
  readonly pin: string | null;
  /** Which repetition on that instance, from 0. */
  readonly rollout: number;
}

/**
 * The plan of a run: all instances once, then all again, as often as there are rollouts, so that a run that is stopped
 * early has seen as many instances as it could.
 */
export function planTasks({ parts, rollouts }: Pick<RunConfig, 'parts' | 'rollouts'>): PlannedTask[] {
  const instances = instancesOf(parts);
  return Array.from({ length: rollouts }, (_, rollout) =>
    instances.map((instance, example) => ({
      task: rollout * instances.length + example,
      example,
      ...instance,
      rollout,
    })),
  ).flat();
}
