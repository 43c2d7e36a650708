/** What streams will take at least, before they are begun. Nothing is written or sent. */
import type { AnyInstance, Environment } from '../../engine/environments/environment.ts';
import type { StreamInfo } from '../../engine/environments/streams.ts';
import { type EpisodeSize, type Estimate, estimateRun, measureEpisode } from '../../engine/evals/estimate.ts';
import { tasksOf } from '../../engine/evals/formats/read-stream-row.ts';
import { preparePrompt } from '../../engine/prompts/render-prompt.ts';
import { Failure } from '../../host/failure.ts';
import type { Stage } from '../evals/play.ts';
import { optionsOf } from '../instances/selection.ts';
import { describeEstimate } from '../runs/events.ts';
import { judgedOptions } from '../runs/request.ts';
import type { AnyStreams, Player, StreamsChoice } from './play.ts';

interface Planned {
  readonly environment: Environment;
  readonly streams: AnyStreams;
  readonly list: readonly StreamInfo[];
  readonly players: readonly Player[];
  readonly choice: StreamsChoice;
  readonly stage: Stage;
}

/** Tasks of each stream that an estimate is made from. */
const sampled = 5;

/** Says it for every model with every method; policies cost nothing. */
export async function estimateStreams(planned: Planned): Promise<void> {
  const { streams, players, choice, stage } = planned;
  const methods = choice.method ?? [streams.methods[0]?.id ?? ''];
  for (const player of players) {
    for (const method of methods) {
      const { estimate, episodes } = estimateOf(planned, player, method);
      if (choice.json) await stage.out.write(`${JSON.stringify({ estimate: { ...estimate, episodes } })}\n`);
      else if (estimate !== null) await stage.out.write(`${describeEstimate(estimate, episodes)}\n`);
    }
  }
}

function estimateOf(
  { environment, streams, list, choice, stage }: Planned,
  { agent, prompt }: Player,
  name: string,
): { readonly estimate: Estimate | null; readonly episodes: number } {
  const method = streams.methods.find(({ id }) => id === name);
  const option = { ...prompt?.parsed.options, ...judgedOptions(environment, choice) };
  const options = optionsOf(environment, { ...choice, option });
  const price = stage.models.prices({ agent }).agent;
  let episodes = 0;
  let total: Estimate | null = null;
  for (const info of list) {
    const tasks = tasksOf(info, choice.windows ?? null, method?.learns ?? true);
    const count = tasks.serving + tasks.test;
    episodes += count;
    if (prompt === null) continue;
    const opened = streams.open(info.id);
    if (!opened.ok) throw new Failure('request', `${opened.error}.`);
    const all = opened.value.flatMap(({ serving, test }) => [...serving, ...test]);
    const renderer = preparePrompt(prompt.parsed);
    const sizes = sampleOf(all).flatMap((instance: AnyInstance): EpisodeSize[] => {
      const size = measureEpisode(environment, instance, options, renderer);
      return size === null ? [] : [size];
    });
    total = add(total, estimateRun(sizes, count, price));
    // A method that asks asks once after every block.
    const blocks = method?.question === undefined ? 0 : Math.ceil(tasks.serving / streams.blockSize);
    if (total !== null) total = { ...total, requests: total.requests + blocks };
  }
  return { estimate: total, episodes };
}

/** A few members, spread over the list. */
function sampleOf<T>(list: readonly T[]): readonly T[] {
  const step = Math.max(1, Math.floor(list.length / sampled));
  return list.filter((_, at) => at % step === 0).slice(0, sampled);
}

function add(a: Estimate | null, b: Estimate | null): Estimate | null {
  if (a === null || b === null) return a ?? b;
  return {
    requests: a.requests + b.requests,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    dollars: a.dollars === null || b.dollars === null ? null : a.dollars + b.dollars,
  };
}
