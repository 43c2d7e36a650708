/** What a run says while it goes on: lines of JSON for programs, a bar and sentences for people. */
import type { Estimate } from '../../engine/evals/estimate.ts';
import { addUsage } from '../../engine/evals/fold.ts';
import { dollarsOf, type RunPrices } from '../../engine/evals/prices.ts';
import type { RunEpisode, RunInfo } from '../../engine/evals/run-data.ts';
import { figuresOf } from '../../engine/evals/run-summary.ts';
import type { OpenRun } from '../../host/runs/open-run.ts';
import type { RunEnd } from '../../host/runs/play-runs.ts';
import type { Sink } from '../../host/sink.ts';
import { counted, fixed, grouped } from '../table.ts';

/** The first line about a run. */
export function startEvent(
  { folder, material, remaining, read }: OpenRun,
  estimate: Estimate | null,
): object {
  const { info } = read();
  return {
    start: {
      run: info.id,
      folder,
      identity: info.identity,
      environment: info.environment,
      label: info.label,
      suite: info.suite,
      prompt: info.prompt?.name ?? null,
      ...agentJson(info),
      requested: material.plan.length,
      remaining: remaining.length,
      estimate,
    },
  };
}

function agentJson({ agent }: RunInfo): object {
  return agent.kind === 'policy' ? { policy: agent.policy } : { model: agent.model };
}

/** The line about an episode that ended or failed. */
export function episodeEvent(run: OpenRun, episode: RunEpisode, prices: RunPrices): object {
  const { outcome, error, usage, judgeUsage } = episode;
  return {
    episode: {
      run: run.material.config.id,
      task: episode.task,
      instance_id: episode.instanceId,
      split: episode.split,
      index: episode.index,
      rollout: episode.rollout,
      ...episode.groups,
      scored: outcome !== null,
      reward: outcome?.reward ?? null,
      correct: outcome?.correct ?? null,
      stop: outcome?.stop ?? null,
      steps: episode.steps,
      min_steps: episode.minSteps,
      cause: episode.cause,
      error,
      requests: episode.attempts,
      usage,
      ...(judgeUsage === undefined ? {} : { judge_usage: judgeUsage }),
      dollars: dollarsOf(prices, episode),
    },
  };
}

/** The last line about a run. */
export function doneEvent({ run, status, reason }: RunEnd, prices: RunPrices): object {
  const { info, episodes } = run.read();
  const usage = addUsage(episodes.map((episode) => episode.usage));
  const judged = addUsage(episodes.map((episode) => episode.judgeUsage ?? null));
  const judgeUsage = judged === null ? {} : { judgeUsage: judged };
  const { counts, reward, accuracy, stepWeightedReward } = figuresOf(episodes, info.requested);
  return {
    done: {
      run: info.id,
      folder: run.folder,
      status,
      reason,
      ...counts,
      reward: reward.mean,
      reward_se: reward.error,
      step_weighted_reward: stepWeightedReward,
      accuracy: accuracy.mean,
      accuracy_se: accuracy.error,
      usage,
      ...(judged === null ? {} : { judge_usage: judged }),
      dollars: dollarsOf(prices, { usage, ...judgeUsage }),
    },
  };
}

/** How a run came out, in a sentence or two. */
export function describeEnd({ run, status, reason }: RunEnd): readonly string[] {
  const { info, episodes } = run.read();
  const { counts, reward, accuracy } = figuresOf(episodes, info.requested);
  const { requested, scored, errored, unfinished } = counts;
  const figures =
    scored === 0
      ? ''
      : ` Reward ${fixed(reward.mean)} ± ${fixed(reward.error)}, accuracy ${fixed(accuracy.mean)}.`;
  const state = { done: 'Done', stopped: 'Stopped', decided: 'Decided' }[status];
  const why = reason === null ? '' : ` ${reason}`;
  const left = errored + unfinished > 0 ? [`Go on with: hopscope resume ${run.folder}`] : [];
  const of = `${counted(requested, 'episode')}: ${grouped(scored)} scored, ${grouped(errored)} errored, ${grouped(unfinished)} unfinished`;
  return [`${state}, ${of}.${why}${figures}`, run.folder, ...left];
}

/** What a run will take at least, in a sentence. @param estimate null for policies. */
export function describeEstimate(estimate: Estimate | null, episodes: number): string {
  if (estimate === null) return `${counted(episodes, 'episode')}, for which no model is asked.`;
  const { requests, inputTokens, outputTokens, dollars } = estimate;
  const cost = dollars === null ? '' : `, $${dollars.toFixed(2)}`;
  return (
    `${counted(episodes, 'episode')} ${episodes === 1 ? 'takes' : 'take'} at least about ${counted(requests, 'request')}, ` +
    `${grouped(inputTokens)} tokens in and ${grouped(outputTokens)} out${cost}: detours and thoughts come on top.`
  );
}

/** Writes a line of JSON to standard output. */
export async function writeEvent(out: Sink, event: object): Promise<void> {
  await out.write(`${JSON.stringify(event)}\n`);
}
