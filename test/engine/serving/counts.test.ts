/** Sizes and properties of the nine scenarios, as published and as the generator promises. */
import { describe, expect, test } from 'vitest';
import { buildScenario, scenarioTasks } from '../../../server/src/engine/environments/serving/build.ts';
import type { Instance } from '../../../server/src/engine/environments/serving/instance.ts';
import { defaultOptions } from '../../../server/src/engine/environments/serving/options.ts';
import { type Scenario, scenarios } from '../../../server/src/engine/environments/serving/scenarios.ts';
import { validate } from '../../../server/src/engine/environments/serving/validate.ts';

interface Published {
  readonly windows: number;
  readonly serving: number;
  readonly hidden: number;
  readonly specified: number;
}

const published: Readonly<Record<string, Published>> = {
  retail_l1: { windows: 6, serving: 720, hidden: 240, specified: 144 },
  retail_l2: { windows: 7, serving: 810, hidden: 526, specified: 239 },
  retail_l3: { windows: 8, serving: 624, hidden: 223, specified: 314 },
  banking_l1: { windows: 4, serving: 336, hidden: 84, specified: 94 },
  banking_l2: { windows: 5, serving: 500, hidden: 186, specified: 201 },
  banking_l3: { windows: 6, serving: 600, hidden: 313, specified: 238 },
  pitch_l1: { windows: 4, serving: 216, hidden: 96, specified: 0 },
  pitch_l2: { windows: 6, serving: 324, hidden: 144, specified: 0 },
  pitch_l3: { windows: 7, serving: 378, hidden: 168, specified: 0 },
};

const full = scenarios.filter(({ size }) => size === 'full');

describe.each(scenarios)('$id', (scenario: Scenario) => {
  const { serving, test: tests } = scenarioTasks(scenario, 0);
  const all = [...serving, ...tests];

  test('has the sizes it should have', () => {
    const counts = {
      windows: new Set(all.map(({ window }) => window)).size,
      serving: serving.length,
      hidden: tests.filter(({ category }) => category === 'hidden').length,
      specified: tests.filter(({ category }) => category === 'fully_specified').length,
    };
    const small = { windows: 2, serving: 24, hidden: scenario.domain === 'pitch' ? 16 : 10 };
    const expected = published[scenario.id] ?? { ...small, specified: 16 - small.hidden };
    expect(counts).toEqual(expected);
  });

  test('has in each window what is planned for it, hidden tasks being those of the adapt slice', () => {
    for (const [window, size] of scenario.windows.entries()) {
      const own = tests.filter((it) => it.window === window);
      const hidden = own.filter(({ category }) => category === 'hidden');
      expect([
        serving.filter((it) => it.window === window).length,
        hidden.length,
        own.length - hidden.length,
      ]).toEqual([size.serving, size.hidden, size.specified]);
      if (scenario.domain === 'pitch') continue;
      for (const { category, evaluator } of own)
        expect(category === 'hidden').toBe(evaluator.slice === 'adapt');
    }
  });

  test('counts the stream from 1, and dates test tasks by the end of their window', () => {
    expect(serving.map(({ timestamp }) => timestamp)).toEqual(serving.map((_, at) => at + 1));
    for (const task of tests) {
      const last = serving.filter(({ window }) => window === task.window).at(-1);
      expect(task.timestamp).toBe(last?.timestamp);
    }
  });

  test('is sound: the oracle is right, and the reader of documents wrong exactly on the adapt slice', () => {
    const step = scenario.size === 'mini' ? 1 : 7;
    const found = all
      .filter((_, at) => at % step === 0)
      .map((task) => [task.id, validate(task, defaultOptions)]);
    expect(found.filter(([, codes]) => codes?.length !== 0)).toEqual([]);
  });

  test('shares nothing between serving and test tasks', () => {
    const own = new Set(serving.flatMap(belongings));
    expect(tests.flatMap(belongings).filter((it) => own.has(it))).toEqual([]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });
});

/** What is a task's own: nobody else of the other phase may have it. */
function belongings({ own, instruction }: Instance): string[] {
  switch (own.domain) {
    case 'retail':
      return [own.order.order_id, own.user.user_id, ...own.order.items.map(({ item_id }) => item_id)];
    case 'banking': {
      const { case_id, account_id, merchant_id, legs = [] } = own.case;
      return [
        case_id,
        account_id,
        instruction,
        ...[merchant_id, ...legs.map((it) => it.merchant_id)].flatMap((it) => it ?? []),
      ];
    }
    case 'pitch':
      return [own.sheet.name, ...own.sheet.facts.map(({ line }) => line)];
  }
}

test('sums are those that were published', () => {
  const sum = (of: (it: Published) => number) =>
    full.reduce((all, { id }) => all + (published[id] ? of(published[id]) : 0), 0);
  expect(full).toHaveLength(9);
  expect(sum(({ windows }) => windows)).toBe(53);
  expect(sum(({ serving }) => serving)).toBe(4508);
  expect(sum(({ hidden, specified }) => hidden + specified)).toBe(3210);
});

test.each([
  ['retail_l1', [1, 80, 220, 360, 480, 600]],
  ['retail_l2', [1, 100, 228, 363, 494, 628, 718]],
  ['retail_l3', [1, 79, 154, 238, 316, 393, 467, 547]],
])('%s: windows begin where they were published to begin', (id, firsts) => {
  expect(scenarios.find((it) => it.id === id)?.windows.map(({ first }) => first)).toEqual(firsts);
});

test.each([
  ['banking_l1', 4, 84],
  ['banking_l2', 5, 100],
  ['banking_l3', 6, 100],
  ['pitch_l1', 4, 54],
  ['pitch_l2', 6, 54],
  ['pitch_l3', 7, 54],
])('%s: each of %i windows has %i serving tasks', (id, windows, size) => {
  expect(scenarios.find((it) => it.id === id)?.windows.map(({ serving }) => serving)).toEqual(
    Array.from({ length: windows }, () => size),
  );
});

test('retail_l1 tests 20/40/40/40/40/60 tasks of the adapt slice, and 24 others in each window', () => {
  const scenario = scenarios.find(({ id }) => id === 'retail_l1');
  const tests = scenario === undefined ? [] : scenarioTasks(scenario, 0).test;
  const counts = [0, 1, 2, 3, 4, 5].map((window) => {
    const own = tests.filter((it) => it.window === window);
    const adapt = own.filter(({ evaluator }) => evaluator.slice === 'adapt').length;
    return [adapt, own.length - adapt];
  });
  expect(counts).toEqual([20, 40, 40, 40, 40, 60].map((adapt) => [adapt, 24]));
});

test.each([
  ['retail_l1', [44, 64, 64, 64, 64, 84]],
  ['banking_l1', [41, 47, 42, 48]],
  ['banking_l2', [74, 77, 76, 80, 80]],
  ['banking_l3', [72, 90, 89, 97, 105, 98]],
  ['pitch_l1', [24, 24, 24, 24]],
  ['pitch_l2', [24, 24, 24, 24, 24, 24]],
  ['pitch_l3', [24, 24, 24, 24, 24, 24, 24]],
])('%s: windows have as many test tasks as published', (id, sizes) => {
  const windows = scenarios.find((it) => it.id === id)?.windows;
  expect(windows?.map(({ hidden, specified }) => hidden + specified)).toEqual(sizes);
});

test('the same scenario comes out the same, another edition has other tasks', () => {
  const [first] = scenarios.filter(({ id }) => id === 'mini_retail');
  if (first === undefined) throw new Error('there is no small retail scenario');
  expect(buildScenario(first, 0)).toEqual(buildScenario(first, 0));
  const orders = (edition: number) => buildScenario(first, edition).serving.flatMap(belongings);
  expect(orders(1)).not.toEqual(orders(0));
});
