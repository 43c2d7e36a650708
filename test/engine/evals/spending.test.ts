/** Prices as users write them, what requests cost, and the limits of a run. */
import { expect, test } from 'vitest';
import { costOf, parsePrices, priceOf } from '../../../server/src/engine/evals/prices.ts';
import { limitProblem, openSpending } from '../../../server/src/engine/evals/spending.ts';

const table = parsePrices({
  'gpt-x': { input: 1, output: 2 },
  'gpt-*': { input: 3, output: 4, cachedInput: 0.5 },
  'gpt-x-mini*': { input: 5, output: 6 },
});

test.each([
  ['gpt-x', 1],
  ['gpt-x-mini-2026', 5],
  ['gpt-x-mini', 5],
  ['gpt-x-large', 3],
  ['gpt-', 3],
  ['other', null],
  ['toString', null],
])('the price of %s', (model, input) => {
  expect(table.ok && (priceOf(table.value, model)?.input ?? null)).toBe(input);
});

test.each<[unknown, RegExp]>([
  [null, /JSON object/],
  [[], /JSON object/],
  [{ m: 5 }, /"m" must be an object/],
  [{ m: { input: 1 } }, /"m" needs "output"/],
  [{ m: { output: 1 } }, /"m" needs "input"/],
  [{ m: { input: -1, output: 1 } }, /"m" needs "input"/],
  [{ m: { input: 1, output: 1, cachedInput: 'x' } }, /"cachedInput" in the price of "m"/],
  [{ m: { input: 1, output: 1, ouput: 1 } }, /unknown key "ouput"/],
])('%j is no table', (raw, error) => {
  expect(parsePrices(raw)).toEqual({ ok: false, error: expect.stringMatching(error) });
});

test('cached input has a price of its own', () => {
  const usage = { input: 1000, output: 100, cachedInput: 600 };
  expect(costOf({ input: 2, output: 8 }, usage)).toBeCloseTo(0.0028, 12);
  expect(costOf({ input: 2, output: 8, cachedInput: 0.5 }, usage)).toBeCloseTo(0.0019, 12);
});

test('a resumed run goes on from what it had spent', () => {
  const price = { input: 1, output: 2 };
  const before = { requests: 4, input: 1000, output: 500, dollars: 0.002, estimated: 1 };
  const spending = openSpending({ dollars: 0.003 }, price, before);
  expect(spending.exceeded()).toBeNull();
  spending.request();
  spending.usage({ input: 600, output: 200 });
  expect(spending.spent).toMatchObject({ requests: 5, input: 1600, output: 700, estimated: 1 });
  expect(spending.exceeded()).toMatch(/limit of \$0[.]003 is reached/);
  expect(openSpending({}, price, { ...before, dollars: null }).spent.dollars).toBeCloseTo(0.002, 12);
  expect(openSpending({}, null, before).spent.dollars).toBeNull();
});

test('limits that cannot be kept are refused', () => {
  expect(limitProblem({ dollars: 1 }, null, 'm')).toMatch(/price of m/);
  expect(limitProblem({ dollars: 1 }, { input: 1, output: 1 }, 'm')).toBeNull();
  expect(limitProblem({ tokens: 0 }, null, 'm')).toMatch(/tokens/);
  expect(limitProblem({ requests: Number.NaN }, null, 'm')).toMatch(/requests/);
  expect(limitProblem({}, null, 'm')).toBeNull();
  expect(() => openSpending({ dollars: 1 }, null)).toThrow(RangeError);
});
