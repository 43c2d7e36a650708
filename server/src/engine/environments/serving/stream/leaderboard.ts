/** The published results, to be shown beside one's own. Facts from the public table of the protocol's authors. */
import type { Leaderboard } from '../../streams.ts';
import { PREFIX } from '../published/playable.ts';
import { scenarios } from '../scenarios.ts';
import published from './leaderboard.json' with { type: 'json' };

export const leaderboard: Leaderboard = {
  caveat:
    'The published rows were measured on the original tasks with other worlds, and pitches there were judged by a model: ' +
    'read them as a scale, not as opponents.',
  columns: published.columns,
  columnsOf: Object.fromEntries(
    scenarios
      .filter(({ size }) => size === 'full')
      .flatMap(({ id, domain, tier }) => {
        const own = ['H', 'F'].map((category) => `${domain}_${category}_L${tier}`);
        return [id, `${PREFIX}${id}`].map((stream) => [stream, own]);
      }),
  ),
  rows: published.rows.map((row) =>
    Object.fromEntries(published.columns.map((column, at) => [column, row[at] ?? null])),
  ),
};
