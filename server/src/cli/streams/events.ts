/** What an eval of streams says while it goes on, as lines of JSON: in the words of runs, see `run-events.ts`. */

import path from 'node:path';
import type { StreamInfo } from '../../engine/environments/streams.ts';
import { tasksOf } from '../../engine/evals/formats/read-stream-row.ts';
import type { Begun } from '../../engine/evals/stream-begun.ts';
import { mean, standardError } from '../../engine/stats/means.ts';
import type { EpisodeRow, StreamConfig } from '../../host/streams/stream-file.ts';
import { streamAddress } from '../../host/streams/stream-group.ts';
import type { Play } from './play.ts';

/** Before the first episode of a stream. @param file where it is kept; null when it is not. */
export function streamStart(
  file: string | null,
  config: StreamConfig,
  info: StreamInfo,
  { requested, remaining }: { readonly requested: number; readonly remaining: number },
): { readonly start: { readonly folder: string | null; readonly [field: string]: unknown } } {
  return {
    start: {
      stream: info.id,
      method: config['method'],
      file,
      // Under which the editor finds it.
      folder: file === null ? null : streamAddress(path.dirname(path.resolve(file)), config, info),
      requested,
      remaining,
    },
  };
}

/** An episode that has just ended. */
export function playedEvent({ scenario, phase, window, category, reward }: EpisodeRow): object {
  return { played: { stream: scenario, phase, window, category, reward } };
}

/** After the last stream of an agent and a method. */
export function streamDone(folder: string | null, rows: readonly EpisodeRow[]): object {
  const tests = rows.filter(({ phase }) => phase === 'test');
  const rewards = tests.map(({ reward }) => reward);
  return {
    done: {
      folder,
      status: 'done',
      reason: null,
      requested: rows.length,
      scored: rows.length,
      errored: 0,
      unfinished: 0,
      reward: mean(rewards),
      reward_se: standardError(rewards),
    },
  };
}

/** How streams were begun, for whoever goes on with them. @param defaultOut where they are kept unless asked otherwise */
export function beginning({ player, list, choice }: Play, defaultOut: string): Begun {
  const { agent, prompt } = player;
  return {
    created: new Date().toISOString(),
    streams: list.map(({ id }) => id),
    prompt: prompt === null ? null : { ...prompt.run, path: prompt.run.path ?? prompt.run.name },
    baseUrl: agent.kind === 'model' ? agent.baseUrl : null,
    published: choice.published ?? null,
    out: choice.out ?? defaultOut,
  };
}

/** How many tasks a stream has for the method, and how many are left. */
export function countsOf(
  { streams, name, choice }: Play,
  info: StreamInfo,
  recorded: number,
): { readonly requested: number; readonly remaining: number } {
  const learns = streams.methods.find(({ id }) => id === name)?.learns ?? true;
  const { serving, test } = tasksOf(info, choice.windows ?? null, learns);
  const requested = serving + test;
  return { requested, remaining: Math.max(0, requested - recorded) };
}
