/** Runs as they are read, with as little of them given as a test is about. */
import { reply } from '../../server/src/engine/environments/chat.ts';
import type { ModelFailure } from '../../server/src/engine/evals/model.ts';
import type { Run, RunEpisode, RunInfo } from '../../server/src/engine/evals/run-data.ts';

/** An episode: its reward makes it correct when above 0; null means an error of the provider. */
export interface EpisodeSketch {
  readonly instance: string;
  readonly reward: number | null;
  readonly cause?: string;
  readonly rollout?: number;
  readonly hops?: number;
  readonly hash?: string | null;
  readonly replies?: readonly string[];
}

const failure: ModelFailure = {
  code: 'server',
  message: 'overloaded',
  advice: 'Try again later.',
  attempts: 5,
  retriable: true,
};

/** A run of these episodes, in this order. */
export function sketchRun(episodes: readonly EpisodeSketch[], info: Partial<RunInfo> = {}): Run {
  return {
    info: {
      id: '0a1b2c3d',
      folder: 'outputs/run',
      format: 'hopscope',
      identity: null,
      created: '2026-01-02T03:04:05Z',
      environment: 'navigator',
      generatorVersion: 1,
      options: {},
      label: 'id_test',
      split: 'id_test',
      suite: null,
      rollouts: 1 + Math.max(0, ...episodes.map(({ rollout = 0 }) => rollout)),
      shuffleSeed: null,
      agent: { kind: 'policy', policy: 'oracle', seed: '0' },
      prompt: null,
      requested: episodes.length,
      ...info,
    },
    episodes: episodes.map(sketchEpisode),
  };
}

function sketchEpisode(sketch: EpisodeSketch, task: number): RunEpisode {
  const {
    instance,
    reward,
    cause,
    rollout = 0,
    hops = 2,
    hash = `sha256:${instance}`,
    replies = [],
  } = sketch;
  const correct = (reward ?? 0) > 0;
  return {
    task,
    instanceId: instance,
    instanceHash: hash,
    split: 'id_test',
    index: task,
    rollout,
    groups: { n_hops: hops },
    minSteps: 2,
    outcome:
      reward === null
        ? null
        : { done: true, reward, correct, stop: 'answered', steps: replies.length, metrics: {} },
    error: reward === null ? failure : null,
    cause: reward === null ? 'provider-error' : correct ? null : (cause ?? 'gave-up'),
    causeStep: null,
    causeHop: null,
    events: replies.map(reply),
    steps: replies.length,
    usage: null,
    attempts: replies.length,
  };
}
