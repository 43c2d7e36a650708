import { describe, expect, it } from 'vitest';
import { openDecision } from '../../../server/src/engine/evals/early-stop.ts';
import { openStream } from '../../../server/src/engine/random/stream.ts';

/** Plays pairs until something is clear; the number of pairs it took, or null. */
function play(seed: number, planned: number, chances: readonly [number, number]): number | null {
  const stream = openStream('early', seed);
  const decision = openDecision(planned);
  for (let task = 0; task < planned; task++) {
    const [a, b] = chances.map((chance) => Number(stream.chance(chance)));
    const order = stream.chance(0.5) ? ([0, 1] as const) : ([1, 0] as const);
    for (const side of order) {
      const said = decision.add(side, task, (side === 0 ? a : b) ?? 0);
      if (said !== null) return task + 1;
    }
  }
  return null;
}

describe('an early stop', () => {
  it('comes soon where the difference is large', () => {
    const took = Array.from({ length: 50 }, (_, seed) => play(seed, 300, [0.2, 0.8]) ?? 300);
    expect(Math.max(...took)).toBeLessThan(150);
  });

  it('misleads at most one comparison of equals in twenty, although it looks after every pair', () => {
    const misled = Array.from({ length: 1000 }, (_, seed) => play(seed, 100, [0.5, 0.5])).filter(
      (it) => it !== null,
    );
    expect(misled.length).toBeGreaterThan(5);
    expect(misled.length).toBeLessThan(60);
  });

  it('needs pairs, ten of them, and a spread', () => {
    const decision = openDecision(100);
    for (let task = 0; task < 50; task++) expect(decision.add(0, task, 1)).toBeNull();
    const said = Array.from({ length: 50 }, (_, task) => decision.add(1, task, task === 0 ? 0.1 : 0));
    expect(said.findIndex((it) => it !== null)).toBeGreaterThanOrEqual(9);
    expect(said.find((it) => it !== null)).toMatch(
      /^The first run is better by 0\.\d+ ± 0\.\d+ after 1\d of 100 pairs/,
    );
  });
});
