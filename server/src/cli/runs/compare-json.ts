/** A comparison of two runs as machine output. */
import type { Comparison } from '../../engine/evals/comparisons/compare.ts';
import type { Difference } from '../../engine/evals/comparisons/differences.ts';
import type { Flip, FlipSide } from '../../engine/evals/comparisons/flips.ts';
import type { Counts, RunInfo } from '../../engine/evals/run-data.ts';

/** Plain JSON. Differences are B less A. */
export function comparisonJson(comparison: Comparison): Readonly<Record<string, unknown>> {
  const { a, b, counts, groups, causes } = comparison;
  const by: Record<string, Record<string, unknown>> = {};
  for (const { grouping, value, instances, reward, accuracy } of groups) {
    const group = { instances, reward: differenceJson(reward), accuracy: differenceJson(accuracy) };
    by[grouping] = { ...by[grouping], [String(value)]: group };
  }
  return {
    environment: a.environment,
    instances: comparison.instances,
    a: runJson(a, counts.a),
    b: runJson(b, counts.b),
    reward: differenceJson(comparison.reward),
    accuracy: differenceJson(comparison.accuracy),
    by,
    causes: Object.fromEntries(causes.map(({ cause, ...row }) => [cause, row])),
    fixed: comparison.fixed.map(flipJson),
    broken: comparison.broken.map(flipJson),
    changes: comparison.changes,
    warnings: comparison.warnings,
    seed: comparison.seed,
  };
}

function runJson({ id, folder, label, agent, prompt, suite }: RunInfo, counts: Counts): object {
  return {
    run: id,
    folder,
    label,
    suite,
    prompt: prompt?.name ?? null,
    ...(agent.kind === 'policy' ? { policy: agent.policy } : { model: agent.model }),
    ...counts,
  };
}

function differenceJson({ a, b, mean, error, interval, test, resolves }: Difference): object {
  const { name, aBetter, bBetter, equal, p } = test;
  return {
    a,
    b,
    difference: mean,
    se: error,
    ci95: interval,
    test: name,
    p,
    a_better: aBetter,
    b_better: bBetter,
    equal,
    instances_to_resolve: resolves,
  };
}

function flipJson({ instanceId, groups, a, b, wordingDiffersAt }: Flip): object {
  return {
    instance_id: instanceId,
    ...groups,
    a: sideJson(a),
    b: sideJson(b),
    words_differ_at: wordingDiffersAt,
  };
}

function sideJson({ task, rollout, reward, solved, rollouts, cause, steps }: FlipSide): object {
  return { task, rollout, reward, correct: solved, rollouts, cause, steps };
}
