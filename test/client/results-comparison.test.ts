/** What the comparison page shows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  readComparisonState,
  readFromComparison,
  readToComparison,
  type ToComparison,
} from '../../client/webview/results/comparison/messages.ts';
import {
  type ComparisonModel,
  emptyComparison,
  flipKey,
  receiveComparison,
} from '../../client/webview/results/comparison/model.ts';
import { compareRuns } from '../../server/src/engine/evals/comparisons/compare.ts';
import { comparisonView, flipRow, partingOf } from '../../server/src/engine/evals/panel/comparison.ts';
import { runFacts } from '../../server/src/engine/evals/panel/facts.ts';
import { sketchRun } from '../support/runs.ts';

const a = sketchRun([
  { instance: 'i', reward: 0, replies: ['x'] },
  { instance: 'j', reward: 1, replies: ['x'] },
]);
const b = sketchRun([
  { instance: 'i', reward: 1, replies: ['y'] },
  { instance: 'j', reward: 1, replies: ['x'] },
]);
const compared = compareRuns(a, b);
if (!compared.ok) throw new Error(compared.error);
const comparison = comparisonView(compared.value, runFacts(a.info, null), runFacts(b.info, null));
const flips = compared.value.fixed.map(flipRow);

const begin: ToComparison = { kind: 'begin', round: 1, runs: ['a', 'b', 'c'] };

function told(messages: readonly ToComparison[], model: ComparisonModel = emptyComparison): ComparisonModel {
  return messages.reduce(receiveComparison, model);
}

test('pairs are shown as they come', () => {
  const model = told([
    begin,
    { kind: 'pair', round: 1, at: 1, comparison },
    { kind: 'refused', round: 1, at: 0, reason: 'No.' },
  ]);
  expect(model.pairs.map((pair) => [pair.comparison?.fixed ?? null, pair.refusal])).toEqual([
    [null, 'No.'],
    [1, null],
  ]);
});

test('what belongs to an earlier comparison is not taken', () => {
  const model = told([begin, { ...begin, round: 2 }]);
  expect(told([{ kind: 'pair', round: 1, at: 0, comparison }], model)).toBe(model);
});

test('flips come in portions, each once', () => {
  const list = (from: number, next: number | null): ToComparison => ({
    ...{ kind: 'flips', round: 1, at: 0, flips: 'fixed', from },
    page: { flips, next },
  });
  const model = told([begin, list(0, 1), list(1, null), list(1, null), list(7, null)]);
  expect(model.pairs[0]?.lists.fixed.flips.length).toBe(2);
  expect(model.pairs[0]?.lists.fixed.next).toBeNull();
  expect(model.pairs[0]?.lists.broken.flips).toEqual([]);
});

test('where episodes part is kept by flip', () => {
  const parting = partingOf(null, true);
  const model = told([begin, { kind: 'parting', round: 1, at: 0, flips: 'broken', flip: 3, parting }]);
  expect(model.pairs[0]?.partings.get(flipKey('broken', 3))).toEqual(parting);
});

test('messages pass as they are, and nothing else does', () => {
  const messages: readonly ToComparison[] = [
    begin,
    { kind: 'pair', round: 1, at: 0, comparison },
    { kind: 'flips', round: 1, at: 0, flips: 'fixed', from: 0, page: { flips, next: null } },
  ];
  for (const message of messages) expect(readToComparison(message)).toEqual(message);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(readFromComparison(value)).toBeUndefined();
      expect(readToComparison(value)).toBeUndefined();
      expect(readComparisonState(value)).toBeUndefined();
    }),
  );
});

test('long texts of foreign runs are cut', () => {
  const long = 'x'.repeat(100_000);
  const foreign = compareRuns(
    sketchRun([{ instance: long, reward: 0, cause: long, replies: [long] }]),
    sketchRun([{ instance: long, reward: 1, replies: ['x'] }]),
  );
  if (!foreign.ok) throw new Error(foreign.error);
  const facts = runFacts(a.info, null);
  expect(JSON.stringify(comparisonView(foreign.value, facts, facts)).length).toBeLessThan(20_000);
  expect(JSON.stringify(foreign.value.fixed.map(flipRow)).length).toBeLessThan(2000);
  const side = { reply: { kind: 'reply', text: long }, label: long } as const;
  expect(JSON.stringify(partingOf({ step: 1, a: side, b: side }, false)).length).toBeLessThan(20_000);
});
