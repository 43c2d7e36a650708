import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reply } from '../../../../server/src/engine/environments/chat.ts';
import { navigator } from '../../../../server/src/engine/environments/navigator/index.ts';
import { type Comparison, compareRuns } from '../../../../server/src/engine/evals/comparisons/compare.ts';
import {
  firstDifference,
  firstWording,
} from '../../../../server/src/engine/evals/comparisons/first-difference.ts';
import { promptDiff } from '../../../../server/src/engine/evals/comparisons/prompt-diff.ts';
import type { Run, RunInfo } from '../../../../server/src/engine/evals/run-data.ts';
import { mcnemarExact, signTest } from '../../../../server/src/engine/stats/exact-tests.ts';
import { type EpisodeSketch, sketchRun } from '../../../support/runs.ts';
import { smallInstance } from '../../../support/small-instance.ts';
import { tiny } from '../../../support/tiny-environment.ts';

function compared(a: Run, b: Run): Comparison {
  const comparison = compareRuns(a, b);
  return comparison.ok ? comparison.value : expect.fail(comparison.error);
}

/** Episodes on instances named after their position. */
function episodes(rewards: readonly (number | null)[], more: Partial<EpisodeSketch> = {}): EpisodeSketch[] {
  return rewards.map((reward, i) => ({ instance: `i${i}`, reward, ...more }));
}

describe('compareRuns', () => {
  it('takes differences pair by pair, the second run less the first', () => {
    const a = sketchRun(episodes([0.95, 0, -0.5, 0.9, 0, 0]));
    // In another order, as after a resume.
    const b = sketchRun([...episodes([0.9, 0.95, 0, 0.9, 0, 0.8])].reverse());
    const { reward, accuracy, instances, fixed, broken } = compared(a, b);
    expect(instances).toBe(6);
    expect(reward.mean).toBeCloseTo((-0.05 + 0.95 + 0.5 + 0.8) / 6, 12);
    expect(reward.b - reward.a).toBeCloseTo(reward.mean, 12);
    expect(reward.test).toEqual({ name: 'sign', aBetter: 1, bBetter: 3, equal: 2, p: signTest(3, 1) });
    expect(accuracy).toMatchObject({ a: 2 / 6, b: 4 / 6 });
    expect(accuracy.test).toEqual({
      name: 'mcnemar',
      aBetter: 0,
      bBetter: 2,
      equal: 4,
      p: mcnemarExact(0, 2),
    });
    expect(fixed.map(({ instanceId }) => instanceId)).toEqual(['i1', 'i5']);
    expect(broken).toEqual([]);
  });

  it('is the other way round when the runs are', () => {
    const rewards = fc.array(fc.tuple(fc.constantFrom(0.95, 0.9, 0, -0.5), fc.constantFrom(0.95, 0.8, 0)), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(rewards, (pairs) => {
        const a = sketchRun(episodes(pairs.map(([left]) => left)));
        const b = sketchRun(episodes(pairs.map(([, right]) => right)));
        const there = compared(a, b);
        const back = compared(b, a);
        expect(there.fixed.map((flip) => flip.instanceId)).toEqual(
          back.broken.map((flip) => flip.instanceId),
        );
        for (const figure of ['reward', 'accuracy'] as const) {
          expect(there[figure].mean).toBeCloseTo(-back[figure].mean, 12);
          expect(there[figure].test.p).toBe(back[figure].test.p);
          expect(there[figure].resolves).toBe(back[figure].resolves);
        }
        const { interval, mean } = there.reward;
        if (interval === null) expect(pairs).toHaveLength(1);
        else {
          expect(interval[0]).toBeLessThanOrEqual(mean + 1e-9);
          expect(interval[1]).toBeGreaterThanOrEqual(mean - 1e-9);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('counts an instance once, however many rollouts it has', () => {
    const rollouts = (rewards: readonly number[]) =>
      rewards.flatMap((reward, rollout) => [
        { instance: 'x', reward, rollout },
        { instance: 'y', reward: 0, rollout },
      ]);
    const {
      accuracy,
      reward,
      fixed,
      episodes: scored,
    } = compared(sketchRun(rollouts([0, 0.9, 0])), sketchRun(rollouts([0.9, 0, 0.9])));
    expect(scored).toEqual({ a: 6, b: 6 });
    expect(accuracy.test).toMatchObject({ name: 'sign', aBetter: 0, bBetter: 1, equal: 1 });
    expect(reward.mean).toBeCloseTo(0.15, 12);
    expect(fixed).toMatchObject([
      { a: { rollout: 0, solved: 1 / 3, rollouts: 3 }, b: { rollout: 0, solved: 2 / 3 } },
    ]);
  });

  it('breaks differences down by group and by cause', () => {
    const sketch = (rewards: readonly number[], cause: string): EpisodeSketch[] =>
      rewards.map((reward, i) => ({ instance: `i${i}`, reward, hops: i < 2 ? 10 : 9, cause }));
    const { groups, causes } = compared(
      sketchRun(sketch([0, 0, 0.9], 'wandering')),
      sketchRun(sketch([0.9, 0, 0], 'gave-up')),
    );
    expect(groups.map(({ grouping, value, instances }) => [grouping, value, instances])).toEqual([
      ['n_hops', 9, 1],
      ['n_hops', 10, 2],
    ]);
    expect(groups.map(({ reward }) => reward.mean)).toEqual([-0.9, 0.45]);
    expect(causes).toEqual([
      { cause: 'gave-up', a: 0, b: 2, fixed: 0, broken: 1 },
      { cause: 'wandering', a: 2, b: 0, fixed: 1, broken: 0 },
    ]);
  });

  it('says how many instances would tell the difference from chance', () => {
    // Differences of 1 and 0 in turn: mean 1/2, deviation about 1/2.
    const a = sketchRun(episodes(Array.from({ length: 100 }, () => 0)));
    const b = sketchRun(episodes(Array.from({ length: 100 }, (_, i) => i % 2)));
    expect(compared(a, b).reward.resolves).toBe(8);
    expect(compared(a, a).reward.resolves).toBeNull();
    // Of n pairs half differ, all one way: at least 6 of 15 in four of five studies.
    expect(compared(a, b).accuracy.resolves).toBe(15);
    expect(compared(a, a).accuracy.resolves).toBeNull();
  });

  it('never promises what so few instances cannot show', () => {
    const a = sketchRun(episodes([0, 0, 0]));
    const b = sketchRun(episodes([0.9, 1, 0.95]));
    const { accuracy, reward } = compared(a, b);
    expect([accuracy.resolves, reward.resolves]).toEqual([6, 6]);
  });

  it('depends on the seed alone', () => {
    const a = sketchRun(episodes([0, 0.95, 0.9, -0.5, 0.7, 0.2]));
    const b = sketchRun(episodes([0.3, 0, 0.9, 0.5, 0.7, 0.1]));
    expect(compareRuns(a, b, '1')).toEqual(compareRuns(a, b, '1'));
    expect(compareRuns(a, b, '1')).not.toEqual(compareRuns(a, b, '2'));
  });

  it.each<[string, Run, Run]>([
    ['are of different environments', sketchRun([]), sketchRun([], { environment: 'tiny' })],
    ['have no scored instance in common', sketchRun(episodes([1])), sketchRun(episodes([null]))],
    ['have no scored instance in common', sketchRun([]), sketchRun([])],
  ])('refuses runs that %s', (reason, a, b) => {
    const comparison = compareRuns(a, b);
    expect(comparison).toMatchObject({ ok: false, error: expect.stringContaining(reason) });
  });
});

describe('warnings', () => {
  const rewards = [0, 0.9, 0];
  const prompt = (text: string) => ({ name: 'p', path: null, text, hash: `sha256:${text}` });
  const codes = (a: Run, b: Run) => compared(a, b).warnings.map(({ code }) => code);
  const run = (info: Partial<RunInfo> = {}) => sketchRun(episodes(rewards), info);

  it('has none for a change of the prompt alone', () => {
    const { changes, warnings } = compared(run({ prompt: prompt('one') }), run({ prompt: prompt('two') }));
    expect(warnings).toEqual([]);
    expect(changes).toEqual([{ what: 'prompt', a: 'p (one)', b: 'p (two)' }]);
  });

  it.each<[string, Run, Run]>([
    ['generator', run(), run({ generatorVersion: 2 })],
    ['options', run(), run({ options: { context_ceiling: 800 } })],
    ['instances', run(), sketchRun([...episodes(rewards), { instance: 'more', reward: 0 }])],
    ['partial', run(), run({ requested: 5 })],
    ['errors', run(), sketchRun(episodes([0, null, 0]))],
    ['rollouts', run(), run({ rollouts: 2, requested: 3 })],
    ['same-run', run({ identity: 'x' }), run({ identity: 'x' })],
    ['no-hashes', run(), sketchRun(episodes(rewards, { hash: null }))],
    [
      'several-causes',
      run({ prompt: prompt('one') }),
      run({ prompt: prompt('two'), agent: { kind: 'policy', policy: 'no-read', seed: '0' } }),
    ],
  ])('%s', (code, a, b) => {
    expect(codes(a, b)).toEqual([code]);
  });

  it('tells of instances by one id that are not the same', () => {
    const changed = sketchRun(episodes(rewards).map((it, i) => (i === 0 ? { ...it, hash: 'other' } : it)));
    expect(codes(run(), changed)).toEqual(['instances', 'changed-instances']);
    expect(compared(run(), changed).instances).toBe(2);
  });
});

describe('where two episodes part', () => {
  const events = (texts: readonly string[]) => texts.map(reply);
  const course = (texts: readonly string[]) => ({ options: {}, events: events(texts) });

  it.each<[readonly string[], readonly string[], number | null]>([
    [[], [], null],
    [['READ 0'], ['READ 0'], null],
    [['READ 0'], ['I think.\nREAD 0'], 1],
    [['READ 0', 'READ 1'], ['READ 0'], 2],
    [['READ 0', 'DROP 0'], ['READ 0', 'READ 1'], 2],
  ])('%j and %j: step %j by their words', (a, b, step) => {
    expect(firstWording(events(a), events(b))).toBe(step);
  });

  it.each<[readonly string[], readonly string[], object | null]>([
    [['READ 0'], ['I think.\nACTION: read [0]'], null],
    [
      ['READ 0', 'DROP 0'],
      ['READ 00', 'ANSWER 1'],
      { step: 2, a: { label: 'DROP 0' }, b: { label: 'ANSWER 1' } },
    ],
    [['READ 0', 'DROP 0'], ['READ 0'], { step: 2, a: { label: 'DROP 0' }, b: null }],
    // What goes on after the end is no step.
    [['ANSWER 1', 'READ 0'], ['ANSWER 1'], null],
  ])('%j and %j by their actions', (a, b, expected) => {
    const found = firstDifference(navigator, smallInstance, course(a), course(b));
    if (expected === null) expect(found).toBeNull();
    else expect(found).toMatchObject(expected);
  });

  it('falls back on words where an environment has no labels', () => {
    const instance = { id: 'tiny', split: 'practice', goal: 3 };
    const found = firstDifference(tiny, instance, course(['1', '2']), course(['1', '3']));
    expect(found).toMatchObject({ step: 2, a: { reply: { text: '2' }, label: null } });
  });
});

describe('promptDiff', () => {
  it('shows changed lines with some around them', () => {
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`);
    const changed = lines.map((line) => (line === 'line 10' ? 'line ten' : line));
    const [hunk, ...others] = promptDiff(`${lines.join('\n')}\n`, changed.join('\r\n'));
    expect(others).toEqual([]);
    expect(hunk).toMatchObject({ oldStart: 7, newStart: 7 });
    expect(hunk?.lines.filter(({ kind }) => kind !== 'same')).toContainEqual({
      kind: 'added',
      text: 'line ten',
    });
  });

  it('is empty for equal prompts', () => {
    expect(promptDiff('a\r\nb\n', 'a\nb\n')).toEqual([]);
  });

  it('gives up neatly on prompts that share nothing', () => {
    const text = (word: string) => Array.from({ length: 5000 }, (_, i) => `${word} ${i}`).join('\n');
    const [hunk] = promptDiff(text('old'), text('new'));
    expect(hunk?.lines).toHaveLength(10_000);
  });
});
