/**
 * Two runs on the same instances, held against each other pair by pair. Differences are always the second run less the first:
 * above 0, the second is better.
 *
 * The unit is the instance: where there are several rollouts, their mean counts, because rollouts on one instance are not
 * independent of each other.
 */
import { accept, type Checked, refuse } from '../../problem.ts';
import { measured } from '../formats/read-stream-row.ts';
import { type Counts, countEpisodes, type Run, type RunInfo } from '../run-data.ts';
import { type Change, changesBetween, type Warning, warningsFor } from './comparability.ts';
import {
  compareAccuracies,
  compareGroups,
  compareRewards,
  type Difference,
  type GroupDifference,
} from './differences.ts';
import { type CauseDifference, compareCauses, type Flip, findFlips } from './flips.ts';
import { type Pair, pairRuns } from './pairing.ts';
import { type DiffHunk, promptDiff } from './prompt-diff.ts';

export interface Comparison {
  readonly a: RunInfo;
  readonly b: RunInfo;
  readonly counts: { readonly a: Counts; readonly b: Counts };
  /** Instances compared, and the scored episodes on them. */
  readonly instances: number;
  readonly episodes: { readonly a: number; readonly b: number };
  readonly reward: Difference;
  readonly accuracy: Difference;
  /** Solved more often by the second run, and by the first, in the order of the first run. */
  readonly fixed: readonly Flip[];
  readonly broken: readonly Flip[];
  readonly groups: readonly GroupDifference[];
  /** Largest change first. */
  readonly causes: readonly CauseDifference[];
  readonly changes: readonly Change[];
  /** Empty when the prompts are equal or a run has none. */
  readonly promptDiff: readonly DiffHunk[];
  readonly warnings: readonly Warning[];
  /** What the bootstrap was seeded with. */
  readonly seed: string;
}

/**
 * Compares `b` with `a` over the instances that both have scored.
 *
 * @param seed of the bootstrap: same runs and seed, same comparison.
 * @returns an error, half a sentence that continues "the runs …", when nothing can be compared.
 */
export function compareRuns(first: Run, second: Run, seed = '0'): Checked<Comparison> {
  const [a, b] = [measured(first), measured(second)];
  if (a.info.environment !== b.info.environment) {
    return refuse(`are of different environments: ${a.info.environment} and ${b.info.environment}`);
  }
  const pairing = pairRuns(a, b);
  const { pairs } = pairing;
  if (pairs.length === 0) return refuse('have no scored instance in common');
  const changes = changesBetween(a.info, b.info);
  const { fixed, broken } = findFlips(pairs);
  const [before, after] = [a.info.prompt?.text, b.info.prompt?.text];
  return accept({
    a: a.info,
    b: b.info,
    counts: {
      a: countEpisodes(a.episodes, a.info.requested),
      b: countEpisodes(b.episodes, b.info.requested),
    },
    instances: pairs.length,
    episodes: { a: countScored(pairs, 'a'), b: countScored(pairs, 'b') },
    reward: compareRewards(pairs, seed),
    accuracy: compareAccuracies(pairs, seed),
    fixed,
    broken,
    groups: compareGroups(pairs, seed),
    causes: compareCauses(pairs, fixed, broken),
    changes,
    promptDiff: before === undefined || after === undefined ? [] : promptDiff(before, after),
    warnings: warningsFor(a, b, pairing, changes),
    seed,
  });
}

function countScored(pairs: readonly Pair[], side: 'a' | 'b'): number {
  return pairs.reduce((sum, pair) => sum + pair[side].episodes.length, 0);
}
