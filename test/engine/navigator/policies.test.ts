import { beforeAll, describe, expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import type { Policy } from '../../../server/src/engine/environments/environment.ts';
import { parseAction } from '../../../server/src/engine/environments/navigator/actions.ts';
import {
  advance,
  outcome,
  type State,
  start,
} from '../../../server/src/engine/environments/navigator/episode.ts';
import type { Instance } from '../../../server/src/engine/environments/navigator/instance.ts';
import { observe } from '../../../server/src/engine/environments/navigator/observation.ts';
import { policies } from '../../../server/src/engine/environments/navigator/policies/index.ts';
import { oracle } from '../../../server/src/engine/environments/navigator/policies/oracle.ts';
import { population } from '../../support/population.ts';
import { describeShared, readVectors, sharedInstances } from '../../support/shared.ts';

type NavigatorPolicy = Policy<Instance, State>;

interface Played {
  /** Before each reply. */
  readonly states: readonly State[];
  readonly replies: readonly string[];
  readonly end: State;
}

function play(policy: NavigatorPolicy, instance: Instance, seed = '0'): Played {
  const answer = policy.begin(instance, seed);
  const states: State[] = [];
  const replies: string[] = [];
  let end = start(instance, {});
  while (end.ended === null) {
    const next = answer(end);
    states.push(end);
    replies.push(next.text);
    end = advance(end, next);
  }
  return { states, replies, end };
}

function named(id: string): NavigatorPolicy {
  const policy = policies.find((each) => each.id === id);
  if (policy === undefined) throw new Error(`no policy ${id}`);
  return policy;
}

describeShared('recorded oracle episodes', () => {
  const instances = sharedInstances();
  const episodes = readVectors<{ instance_id: string; source: string; actions: string[] }>(
    'navigator/episodes.jsonl',
  ).filter(({ source }) => source.startsWith('oracle'));
  const recorded = episodes.map((episode) => {
    const instance = instances.get(episode.instance_id);
    if (instance === undefined) throw new Error(`no instance ${episode.instance_id}`);
    return { ...episode, instance };
  });
  const quiet = recorded.filter(({ source }) => source === 'oracle');
  const noisy = recorded.filter(({ source }) => source !== 'oracle');

  it('are there', () => {
    expect(quiet.length).toBeGreaterThan(0);
    expect(noisy.length).toBeGreaterThan(0);
  });

  it.each(quiet)('of $instance_id are played again action by action', ({ instance, actions }) => {
    expect(play(oracle(), instance).replies.map(parseAction)).toEqual(actions.map(parseAction));
  });

  it.each(noisy)('of $instance_id ($source) leave the path only for detours', ({ instance, actions }) => {
    let state = start(instance, {});
    for (const text of actions) {
      const action = parseAction(text);
      const planned = parseAction(oracle().begin(instance, '0')(state).text);
      const wanted = state.instance.evidence.map(({ chunk_idx }) => chunk_idx);
      const isDetour =
        action.kind === 'DROP' ||
        (action.kind === 'READ' && wanted.some((idx) => Math.abs(idx - Number(action.ids[0])) === 1));
      if (!isDetour) expect(action).toEqual(planned);
      state = advance(state, reply(text));
    }
  });
});

describe('over 600 instances', () => {
  let instances: readonly Instance[] = [];
  beforeAll(() => {
    instances = [...population('id_test', 300), ...population('ood_test', 300)];
  });

  interface Figures {
    readonly accuracy: number;
    readonly reward: number;
    /** Mean of steps over the least number of steps. */
    readonly effort: number;
  }

  function figures(policy: NavigatorPolicy, seed = '0'): Figures {
    const ends = instances.map((instance) => play(policy, instance, seed).end);
    const mean = (of: (end: State) => number) => ends.reduce((sum, end) => sum + of(end), 0) / ends.length;
    return {
      accuracy: mean((end) => (outcome(end).correct ? 1 : 0)),
      reward: mean((end) => outcome(end).reward),
      effort: mean((end) => end.steps / end.instance.min_steps),
    };
  }

  it('the oracle takes exactly the fewest steps', () => {
    for (const instance of instances) {
      const { end } = play(named('oracle'), instance);
      expect(end.steps).toBe(instance.min_steps);
      expect(outcome(end)).toMatchObject({ correct: true, reward: 0.95 });
    }
  });

  it('the noisy oracle gets there by detours', () => {
    const { accuracy, effort } = figures(named('oracle-noise-0.15'));
    expect(accuracy).toBe(1);
    // A hop takes two steps, and so does each detour before it, 0.15 / 0.85 of them on average: 1.176 (published:
    // 1.161). The ratio spreads by about 0.24 between instances, so this is four standard errors over 600.
    expect(Math.abs(effort - (1 + 0.15 / 0.85))).toBeLessThan(0.04);
  });

  it('a teacher gives nothing away that the prompt of the step does not show', () => {
    for (const instance of instances.slice(0, 60)) {
      const names = instance.chunks.flatMap((chunk) => chunk.entity_names);
      for (const id of ['oracle', 'oracle-noise-0.15']) {
        const { states, replies } = play(named(id), instance);
        for (const [at, text] of replies.entries()) {
          const state = states[at];
          if (state === undefined) continue;
          const { question, map_text, ledger_text, held_text, free, ceiling } = observe(state);
          const prompt = [question, map_text, ledger_text, held_text, free, ceiling].join('\n');
          const told = [...names, ...(text.match(/(?:[A-Z]{2}-)?\d[\d,]{2,}/g) ?? [])];
          expect(told.filter((each) => text.includes(each) && !prompt.includes(each))).toEqual([]);
        }
      }
    }
  });

  it('reading at random, or not at all, does not answer', () => {
    expect(figures(named('random-reader')).accuracy).toBeLessThanOrEqual(0.01);
    expect(figures(named('no-read'))).toMatchObject({ accuracy: 0, reward: 0 });
  });

  it('the answer chunk alone is worth one guess among its entries, the whole document everything', () => {
    // Four standard errors of a share near 0.18 over 600.
    expect(Math.abs(figures(named('single-chunk-oracle')).accuracy - 0.18)).toBeLessThan(0.063);
    expect(figures(named('full-document-oracle')).accuracy).toBe(1);
  });

  it.each(['guess-fixed', 'answer-unknown', 'list-candidates', 'join-digits', 'overload', 'babble', 'stall'])(
    '%s earns nothing',
    (id) => {
      const policy = named(id);
      expect(policy.privileged).toBe(false);
      expect(figures(policy).reward).toBeLessThanOrEqual(0);
    },
  );

  it('copying a chunk into a summary is worse than guessing among the candidates', () => {
    const seeds = ['0', '1', '2', '3', '4'];
    const runs = seeds.map((seed) => figures(named('copy-chunk'), seed));
    const hits = Math.round(runs.reduce((sum, { accuracy }) => sum + accuracy * instances.length, 0));
    const chance =
      instances.reduce((sum, { candidate_answers: { length } }) => sum + 1 / length, 0) / instances.length;
    // So few hits would come up by guessing less than once in a thousand times.
    expect(atMost(hits, seeds.length * instances.length, chance)).toBeLessThan(0.001);
    for (const { reward } of runs) expect(reward).toBeLessThan(chance);
  });
});

/** The probability of at most `hits` in `trials` of probability `p`. */
function atMost(hits: number, trials: number, p: number): number {
  let sum = 0;
  let term = (1 - p) ** trials;
  for (let k = 0; k <= hits; k++) {
    sum += term;
    term *= (((trials - k) / (k + 1)) * p) / (1 - p);
  }
  return sum;
}

it('every policy has an id of its own and plays the same episode again', () => {
  expect(new Set(policies.map(({ id }) => id)).size).toBe(policies.length);
  for (const instance of population('train', 3)) {
    for (const policy of policies) {
      expect(play(policy, instance, '7').replies).toEqual(play(policy, instance, '7').replies);
    }
  }
});

it('policies keep their wits where nothing fits', () => {
  for (const instance of population('train', 1)) {
    const tiny = { ...instance, env: { ...instance.env, context_ceiling: 10 } };
    for (const policy of policies) expect(play(policy, tiny).end.ended).not.toBeNull();
  }
});
