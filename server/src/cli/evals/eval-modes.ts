/**
 * What an eval can be, and which options decide anything in it. An option that would be ignored is refused by its name:
 * whoever gave it believes that it does something.
 */
import type { Command } from 'commander';
import { Failure } from '../../host/failure.ts';

/**
 * - `table`: policies that leave no run behind;
 * - `policy-run`, `model-run`: runs with a folder of their own, of which an estimate is one that is not played;
 * - `policy-streams`, `model-streams`: learning methods on streams of tasks.
 */
export type EvalMode = 'table' | 'policy-run' | 'model-run' | 'policy-streams' | 'model-streams';

const policies = ['table', 'policy-run', 'policy-streams'] as const;
const models = ['model-run', 'model-streams'] as const;
const runs = ['policy-run', 'model-run'] as const;
const streams = ['policy-streams', 'model-streams'] as const;
const single = ['table', ...runs] as const;
const all = [...policies, ...models] as const;

/** Options whose very presence makes an eval one of streams. */
export const streamOptions = ['method', 'stream', 'size', 'windows', 'published', 'leaderboard'] as const;

/** Where each option decides anything, by the name that the parser gives it. */
export const effects: Readonly<Record<string, readonly EvalMode[]>> = {
  model: all,
  policy: all,
  environment: all,
  option: all,
  out: all,
  json: all,
  seed: policies,
  sampling: models,
  extraBody: models,
  judgeModel: models,
  baseUrl: models,
  timeout: models,
  tries: models,
  cache: models,
  cacheAll: models,
  prices: models,
  limit: models,
  instances: single,
  split: single,
  count: single,
  start: single,
  indices: single,
  workers: single,
  suite: runs,
  shuffleSeed: runs,
  // One rollout is what a table plays.
  rollouts: single,
  untilDecided: runs,
  estimate: [...runs, 'model-streams'],
  brief: streams,
  concurrency: [...runs, ...streams],
  untilEof: [...runs, ...streams],
  ...Object.fromEntries(streamOptions.map((name) => [name, streams])),
};

/** The names of the options that somebody gave, in the order in which help lists them. */
export function givenOptions(command: Command): readonly string[] {
  return command.options
    .map((option) => option.attributeName())
    .filter((name) => !['default', undefined].includes(command.getOptionValueSource(name)));
}

/** @throws Failure for the first option that would decide nothing, with the reason. */
export function refuseIdle(mode: EvalMode, given: readonly string[]): void {
  if (given.includes('model') && given.includes('policy')) {
    throw new Failure('request', 'Name models or policies, not both.');
  }
  for (const name of given) {
    const where = effects[name] ?? all;
    if (!where.includes(mode)) {
      throw new Failure('request', `${flagOf(name)} has no effect ${reason(mode, where)}: leave it out.`);
    }
  }
  if (given.includes('cacheAll') && !given.includes('cache')) {
    throw new Failure('request', '--cache-all has no effect without --cache, which names the folder.');
  }
}

/** An option as it is typed. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function reason(mode: EvalMode, where: readonly EvalMode[]): string {
  const isScripted = policies.some((it) => it === mode);
  if (where === models && isScripted) return 'where policies play, since no model is asked';
  if (where === policies) return 'where a model plays, since nothing but policies draws from it';
  if (mode === 'table') return 'where policies only print a table; --out keeps a run';
  return 'on streams, which have tasks, order and pace of their own (--environment plays single episodes)';
}
