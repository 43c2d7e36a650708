/** How many tries it takes: the chance that one of k tries succeeds, and that all of them do. */

export interface PassRates {
  /** By k, the mean over examples of the chance that at least one of k of their rollouts is correct, 0 to 1. */
  readonly pass_at_k: Readonly<Record<string, number>>;
  /** By k, the chance that all k are. */
  readonly pass_all_k: Readonly<Record<string, number>>;
}

/**
 * The unbiased estimates for k = 1, 2, 4, … up to the number of rollouts: the mean of `1 − C(n−c, k) / C(n, k)` and of
 * `C(c, k) / C(n, k)` over examples with n rollouts, c of them correct. Source: Chen et al., "Evaluating large language models
 * trained on code" (2021), section 2.1. With one rollout an example there is nothing to say, so both are empty.
 *
 * @param correctCounts correct rollouts of each example; every example has exactly `rollouts` rollouts.
 */
export function passRates(rollouts: number, correctCounts: readonly number[]): PassRates {
  const atK: Record<string, number> = {};
  const allK: Record<string, number> = {};
  if (rollouts > 1 && correctCounts.length > 0) {
    const average = (of: (correct: number) => number): number =>
      correctCounts.reduce((sum, correct) => sum + of(correct), 0) / correctCounts.length;
    for (let k = 1; k <= rollouts; k *= 2) {
      atK[String(k)] = average((correct) => 1 - allAmong(rollouts - correct, rollouts, k));
      allK[String(k)] = average((correct) => allAmong(correct, rollouts, k));
    }
  }
  return { pass_at_k: atK, pass_all_k: allK };
}

/** `C(some, k) / C(all, k)`: the chance that k things drawn from `all` are all among `some` of them. */
function allAmong(some: number, all: number, k: number): number {
  if (some < k) return 0;
  let chance = 1;
  for (let i = 0; i < k; i++) chance *= (some - i) / (all - i);
  return chance;
}
