/** Instances on which two runs come out differently, and the causes that came and went with them. */

import type { RunEpisode } from '../run-data.ts';
import { firstWording } from './first-difference.ts';
import type { Pair, Side } from './pairing.ts';

/** One run's part in a flip: the episode that shows it best. */
export interface FlipSide {
  readonly task: number;
  readonly rollout: number;
  readonly reward: number;
  /** Share of the rollouts that are correct. */
  readonly solved: number;
  readonly rollouts: number;
  readonly cause: string | null;
  readonly steps: number;
}

/** An instance that one run solves and the other does not, or not as often. */
export interface Flip {
  readonly instanceId: string;
  readonly groups: Readonly<Record<string, string | number>>;
  readonly a: FlipSide;
  readonly b: FlipSide;
  /** The first step, from 1, at which the two episodes are not the same text; null when they never differ. */
  readonly wordingDiffersAt: number | null;
}

/** How often a cause is found among the scored episodes of the pairs. */
export interface CauseDifference {
  readonly cause: string;
  readonly a: number;
  readonly b: number;
  /** Flips by the cause that one side shows: fixed ones by the first run's, broken ones by the second's. */
  readonly fixed: number;
  readonly broken: number;
}

/** Instances that the second run solves more often, and those that the first does, in the order of the pairs. */
export function findFlips(pairs: readonly Pair[]): { readonly fixed: Flip[]; readonly broken: Flip[] } {
  return {
    fixed: pairs.filter(({ a, b }) => b.solved > a.solved).map(flipOf),
    broken: pairs.filter(({ a, b }) => b.solved < a.solved).map(flipOf),
  };
}

/** Shows the flip by one episode of each run: the first wrong one of the run that fails more, the first right one of the other. */
function flipOf({ instanceId, groups, a, b }: Pair): Flip {
  const isFixed = b.solved > a.solved;
  const [left, right] = [pick(a, !isFixed), pick(b, isFixed)];
  return {
    instanceId,
    groups,
    a: flipSide(a, left),
    b: flipSide(b, right),
    wordingDiffersAt: firstWording(left?.events ?? [], right?.events ?? []),
  };
}

function pick({ episodes }: Side, correct: boolean): RunEpisode | undefined {
  return episodes.find(({ outcome }) => outcome?.correct === correct) ?? episodes[0];
}

function flipSide({ episodes, solved }: Side, shown: RunEpisode | undefined): FlipSide {
  return {
    task: shown?.task ?? 0,
    rollout: shown?.rollout ?? 0,
    reward: shown?.outcome?.reward ?? 0,
    solved,
    rollouts: episodes.length,
    cause: shown?.cause ?? null,
    steps: shown?.steps ?? 0,
  };
}

/** Counts every cause on both sides. */
export function compareCauses(
  pairs: readonly Pair[],
  fixed: readonly Flip[],
  broken: readonly Flip[],
): CauseDifference[] {
  const tally = (causes: readonly (string | null)[]) => {
    const counts = new Map<string, number>();
    for (const cause of causes) if (cause !== null) counts.set(cause, (counts.get(cause) ?? 0) + 1);
    return counts;
  };
  const inA = tally(pairs.flatMap((pair) => pair.a.episodes.map(({ cause }) => cause)));
  const inB = tally(pairs.flatMap((pair) => pair.b.episodes.map(({ cause }) => cause)));
  const ofFixed = tally(fixed.map((flip) => flip.a.cause));
  const ofBroken = tally(broken.map((flip) => flip.b.cause));
  const rows = [...new Set([...inA.keys(), ...inB.keys()])].map((cause) => ({
    cause,
    a: inA.get(cause) ?? 0,
    b: inB.get(cause) ?? 0,
    fixed: ofFixed.get(cause) ?? 0,
    broken: ofBroken.get(cause) ?? 0,
  }));
  const change = (row: CauseDifference) => Math.abs(row.b - row.a);
  return rows.sort((x, y) => change(y) - change(x) || y.a + y.b - x.a - x.b || (x.cause < y.cause ? -1 : 1));
}
