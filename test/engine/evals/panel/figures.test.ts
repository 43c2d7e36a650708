import { describe, expect, test } from 'vitest';
import { contextUse } from '../../../../server/src/engine/evals/panel/context-use.ts';
import { runFacts } from '../../../../server/src/engine/evals/panel/facts.ts';
import { panelFigures } from '../../../../server/src/engine/evals/panel/figures.ts';
import { lightEpisode } from '../../../../server/src/engine/evals/panel/light.ts';
import type { Run } from '../../../../server/src/engine/evals/run-data.ts';
import { summarizeRun } from '../../../../server/src/engine/evals/run-summary.ts';
import { sketchRun } from '../../../support/runs.ts';

const nothing = { groupings: [], metrics: [] };
const hops = { groupings: [{ id: 'n_hops', label: 'hops' }], metrics: [] };

const run = sketchRun(
  [
    { instance: 'a', reward: 1, replies: ['x', 'y'] },
    { instance: 'b', reward: 0, cause: 'guessed', hops: 3, replies: ['x', 'y', 'z'] },
    { instance: 'c', reward: 0, cause: 'guessed', replies: [''] },
    { instance: 'd', reward: null },
  ],
  { requested: 6 },
);

describe('the figures', () => {
  const figures = panelFigures(run, hops);

  test('say what they stand for', () => {
    expect(figures.counts).toEqual({ requested: 6, scored: 3, errored: 1, unfinished: 2 });
    expect(figures.reward).toMatchObject({ n: 3, mean: expect.closeTo(1 / 3) });
    expect(figures.stepWeightedReward).toBeCloseTo(2 / 6);
  });

  test('have intervals around their means', () => {
    const [low = 0, high = 0] = figures.reward.interval ?? [];
    expect((low + high) / 2).toBeCloseTo(1 / 3);
    const [from = -1, to = 2] = figures.accuracy.interval ?? [];
    expect(from).toBeGreaterThanOrEqual(0);
    expect(to).toBeLessThanOrEqual(1);
  });

  test('count causes, those of episodes that were never begun included', () => {
    expect(figures.causes).toEqual([
      { cause: 'guessed', count: 2 },
      { cause: 'unfinished', count: 2 },
      { cause: 'provider-error', count: 1 },
    ]);
  });

  test('are broken down', () => {
    const [group] = figures.groups;
    expect(group?.values.map(({ value, outcomes }) => [value, outcomes])).toEqual([
      [2, { correct: 1, wrong: 1, errored: 1, unfinished: 0 }],
      [3, { correct: 0, wrong: 1, errored: 0, unfinished: 0 }],
    ]);
  });

  test('tell steps over the fewest', () => {
    const filled = figures.stepsOverMin.filter(({ correct, wrong }) => correct + wrong > 0);
    expect(filled).toEqual([
      { from: 0, to: 1, correct: 0, wrong: 1 },
      { from: 1, to: 1.25, correct: 1, wrong: 0 },
      { from: 1.5, to: 2, correct: 0, wrong: 1 },
    ]);
  });

  test('give pass rates of several rollouts', () => {
    const twice = sketchRun([
      { instance: 'a', reward: 1 },
      { instance: 'b', reward: 0 },
      { instance: 'a', reward: 1, rollout: 1 },
      { instance: 'b', reward: 1, rollout: 1 },
    ]);
    expect(panelFigures(twice, nothing).pass).toEqual([
      { k: 1, some: 0.75, all: 0.75 },
      { k: 2, some: 1, all: 0.5 },
    ]);
  });

  test('are null where there is nothing', () => {
    const empty = panelFigures(sketchRun([], { rollouts: 1, requested: 0 }), hops);
    expect(empty.reward).toEqual({ n: 0, mean: null, error: null, interval: null });
    expect([empty.causes, empty.pass, empty.stepsOverMin]).toEqual([[], [], []]);
  });

  test('stay small, however many causes and groups there are', () => {
    const many: Run = sketchRun(
      Array.from({ length: 3000 }, (_, i) => ({ instance: `${i}`, reward: 0, cause: `cause ${i}`, hops: i })),
    );
    const figures = panelFigures(many, hops);
    expect(JSON.stringify(figures).length).toBeLessThan(100_000);
    expect(figures.otherCauses).toEqual({ causes: 2960, episodes: 2960 });
  });
});

test('episodes without their texts give the same figures', () => {
  const light = { ...run, episodes: run.episodes.map(lightEpisode) };
  expect(JSON.stringify(light)).not.toContain('"x"');
  expect(summarizeRun(light, ['n_hops'])).toEqual(summarizeRun(run, ['n_hops']));
});

test('what is said of a run is short, whatever it is called', () => {
  const long = 'x'.repeat(100_000);
  const facts = runFacts(
    {
      ...run.info,
      id: long,
      label: long,
      options: { a: long },
      agent: { kind: 'policy', policy: long, seed: long },
    },
    null,
  );
  expect(JSON.stringify(facts).length).toBeLessThan(3000);
});

test('a run that names no split is of its environment, by the title of that', () => {
  const note = { id: 'navigator', title: 'Navigator', groupings: [], metrics: [] };
  const info = { ...run.info, environment: 'navigator' };
  expect(runFacts({ ...info, label: 'navigator' }, note)).toMatchObject({
    environment: note.title,
    label: note.title,
  });
  expect(runFacts({ ...info, label: 'id_test' }, note).label).toBe('id_test');
});

describe('context use', () => {
  const gauge = (used: number) => ({ used, limit: 10, unit: 'tokens' });
  const commentary = { gauge, label: () => '', describe: () => '', notes: () => [] };

  test('is told step by step', () => {
    expect(
      contextUse(
        commentary,
        [
          [0, 2, 4],
          [0, 4, 6, 8],
          [0, 6],
        ],
        5,
      ),
    ).toEqual({
      unit: 'tokens',
      limit: 10,
      episodes: 3,
      of: 5,
      steps: [
        { step: 1, episodes: 3, median: 4, low: 4, high: 6, most: 6 },
        { step: 2, episodes: 2, median: 6, low: 4, high: 6, most: 6 },
        { step: 3, episodes: 1, median: 8, low: 8, high: 8, most: 8 },
      ],
    });
  });

  test.each<[string, readonly (readonly number[])[]]>([
    ['nothing was played', []],
    ['nothing was said', [[0]]],
  ])('is nothing where %s', (_, courses) => expect(contextUse(commentary, courses, 0)).toBeNull());

  test('is nothing where nothing is scarce', () => {
    const { gauge: _, ...plenty } = commentary;
    expect(contextUse(plenty, [[0, 1]], 1)).toBeNull();
  });
});
