/** Which instances two runs have in common, and what each made of them. */
import type { Run, RunEpisode } from '../run-data.ts';

/** What one run made of one instance. */
export interface Side {
  /** Its scored episodes, by rollout; at least one. */
  readonly episodes: readonly RunEpisode[];
  /** Mean over them. */
  readonly reward: number;
  /** Share of them that are correct, 0 to 1. */
  readonly solved: number;
}

/** An instance that both runs have scored. */
export interface Pair {
  readonly instanceId: string;
  readonly groups: Readonly<Record<string, string | number>>;
  readonly a: Side;
  readonly b: Side;
}

export interface Pairing {
  /** In the order of the first run. */
  readonly pairs: readonly Pair[];
  /** Instances begun in one run and unknown to the other. */
  readonly onlyA: number;
  readonly onlyB: number;
  /** Instances that both have begun and one of them has not scored: they are in no figure. */
  readonly unscored: number;
  /** Ids that both have, with another content: other instances, in no figure. */
  readonly changed: number;
  /** Whether instances were matched by id alone, because a run does not say what they were made of. */
  readonly byId: boolean;
}

/** Matches instances by the hash of their content; by id where a run has no hashes. */
export function pairRuns(a: Run, b: Run): Pairing {
  const byId = [a, b].some((run) => run.episodes.some((episode) => episode.instanceHash === null));
  const keyOf = (episode: RunEpisode): string =>
    byId ? episode.instanceId : (episode.instanceHash ?? episode.instanceId);
  const inA = groupEpisodes(a, keyOf);
  const inB = groupEpisodes(b, keyOf);
  const idsOfB = new Set(b.episodes.map((episode) => episode.instanceId));
  const pairs: Pair[] = [];
  let onlyA = 0;
  let unscored = 0;
  let changed = 0;
  for (const [key, mine] of inA) {
    const [first] = mine;
    const theirs = inB.get(key);
    if (theirs === undefined || first === undefined) {
      onlyA++;
      if (first !== undefined && idsOfB.has(first.instanceId)) changed++;
      continue;
    }
    const sides = [sideOf(mine), sideOf(theirs)] as const;
    const [left, right] = sides;
    if (left === null || right === null) unscored++;
    else pairs.push({ instanceId: first.instanceId, groups: first.groups, a: left, b: right });
  }
  const onlyB = [...inB.keys()].filter((key) => !inA.has(key)).length;
  return { pairs, onlyA, onlyB, unscored, changed, byId };
}

function groupEpisodes(run: Run, keyOf: (episode: RunEpisode) => string): Map<string, RunEpisode[]> {
  const groups = new Map<string, RunEpisode[]>();
  for (const episode of run.episodes) {
    const key = keyOf(episode);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [episode]);
    else group.push(episode);
  }
  return groups;
}

function sideOf(episodes: readonly RunEpisode[]): Side | null {
  const scored = episodes.filter(({ outcome }) => outcome !== null).sort((x, y) => x.rollout - y.rollout);
  if (scored.length === 0) return null;
  const sum = (of: (episode: RunEpisode) => number) =>
    scored.reduce((total, episode) => total + of(episode), 0) / scored.length;
  return {
    episodes: scored,
    reward: sum(({ outcome }) => outcome?.reward ?? 0),
    solved: sum(({ outcome }) => (outcome?.correct === true ? 1 : 0)),
  };
}
