/** `metadata.json`: what the older public format says of a run as a whole. */
import type { RunInfo } from '../run-data.ts';
import type { RunSummary } from '../run-summary.ts';

/** What the figures do not know. */
export interface MetadataFacts {
  /** Version of the program. */
  readonly version: string;
  /** From the first request to the last reply, in seconds. */
  readonly time: number;
  /** In US dollars, what a judge cost included; null where a price is not known. */
  readonly cost: { readonly input: number; readonly output: number } | null;
}

/** Means are over scored episodes only; how many those are stands beside them, in keys of our own (`n_…`). */
export function runMetadata(info: RunInfo, summary: RunSummary, facts: MetadataFacts): object {
  const { all, pass, usage, judgeUsage } = summary;
  const { agent, shuffleSeed, rollouts } = info;
  const { requested, scored, errored, unfinished } = all.counts;
  const isModel = agent.kind === 'model';
  const tried = scored + errored;
  const metrics = Object.entries(all.metrics).flatMap(([id, { mean }]) =>
    mean === null ? [] : [[id, mean]],
  );
  return {
    env_id: info.environment,
    env_args: info.options,
    model: isModel ? agent.model : agent.policy,
    base_url: isModel ? agent.baseUrl : null,
    num_examples: Math.round(requested / rollouts),
    rollouts_per_example: rollouts,
    shuffle: shuffleSeed !== null,
    shuffle_seed: shuffleSeed,
    sampling_args: isModel ? { ...agent.sampling, ...agent.extraBody } : {},
    time: facts.time,
    avg_reward: all.reward.mean,
    avg_metrics: Object.fromEntries(metrics),
    avg_error: tried === 0 ? 0 : errored / tried,
    pass_at_k: pass.pass_at_k,
    pass_all_k: pass.pass_all_k,
    pass_threshold: pass.threshold,
    usage: usage === null ? null : { input_tokens: usage.input, output_tokens: usage.output },
    ...(judgeUsage === undefined
      ? {}
      : { judge_usage: { input_tokens: judgeUsage.input, output_tokens: judgeUsage.output } }),
    ...(facts.cost === null
      ? {}
      : {
          cost: {
            input_usd: facts.cost.input,
            output_usd: facts.cost.output,
            total_usd: facts.cost.input + facts.cost.output,
          },
        }),
    version_info: { hopscope: facts.version, generator: info.generatorVersion },
    state_columns: ['task', 'ok'],
    tools: null,
    n_requested: requested,
    n_scored: scored,
    n_errored: errored,
    n_unfinished: unfinished,
  };
}
