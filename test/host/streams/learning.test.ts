/** An agent that remembers what was refused, at full size, through the endpoint for tests, with real tool calls. */
import { expect, test } from 'vitest';
import type { CurvePoint } from '../../../server/src/engine/environments/streams.ts';
import { served } from '../../support/served.ts';

/**
 * The published schedule: the last window in which no rule changes, and those in which one does. In the shop rules change in
 * every window, so its last one stands for the former.
 */
const cases = [
  { stream: 'banking_l1', steady: 2, changes: [1, 3] },
  { stream: 'retail_l1', steady: 5, changes: [1, 2, 3, 4, 5] },
];

test.each(cases)(
  '$stream: who remembers refusals learns, and falls behind when rules change',
  async ({ stream, steady, changes }) => {
    const hiddenOf = async (method: string, windows: readonly number[] | null) =>
      (await served(stream, 'remembering', method, windows)).curves.filter((it) => it.category === 'hidden');
    const learned = await hiddenOf('refusals', null);
    const blind = await hiddenOf('blind', [steady]);
    const tested = (points: readonly CurvePoint[], window: number) =>
      of(points, 'test', window)[0]?.score ?? Number.NaN;
    expect(tested(learned, steady)).toBeGreaterThanOrEqual(tested(blind, steady) + 30);
    for (const window of changes) {
      const [first] = of(learned, 'serving', window);
      expect(first?.score).toBeLessThan(tested(learned, window - 1));
    }
  },
  300_000,
);

function of(curves: readonly CurvePoint[], phase: string, window: number): CurvePoint[] {
  return curves.filter((it) => it.phase === phase && it.window === window);
}
