/** The tables of evals of streams, and what machines are told: legible at any width, in one order, the same figures in both. */
import { describe, expect, it } from 'vitest';
import { summaryOf } from '../../server/src/cli/streams/summary.ts';
import { leaderboardTable, streamTables, type Tally } from '../../server/src/cli/streams/table.ts';
import { styleFor } from '../../server/src/cli/style.ts';
import { streams } from '../../server/src/engine/environments/serving/stream/index.ts';
import type { StreamRow } from '../../server/src/engine/environments/streams.ts';
import { noTokens } from '../../server/src/host/streams/play-served.ts';
import type { EpisodeRow } from '../../server/src/host/streams/stream-file.ts';

const narrow = styleFor({ isTTY: false }, '80');
const listed = streams.list.filter(({ id }) => id === 'retail_l1' || id === 'banking_l1');

/** A test task of each category in each window, in an order that changes from window to window. */
function rows(reward: (at: number) => number): EpisodeRow[] {
  return listed.flatMap(({ id, windows }) =>
    Array.from({ length: windows * 6 }, (_, at): EpisodeRow => {
      const window = Math.floor(at / 6);
      return {
        scenario: id,
        phase: 'test',
        window,
        timestamp: window,
        task_id: `${id}-${at}`,
        category: (at + window) % 2 === 0 ? 'fully_specified' : 'hidden',
        reward: reward(at),
        block: null,
        source: 'somebody',
        judge: 'phrases',
        judge_tokens: { input: 19, output: 0, cache_input: 0, reasoning: 0, calls: 1 },
      };
    }),
  );
}

function tally(agent: string, method: string, reward: (at: number) => number): Tally {
  const own = rows(reward);
  const report = streams.score(own.map((row): StreamRow => ({ ...row, stream: row.scenario })));
  const price = { input: 1, output: 1 };
  return { agent, method, report, rows: own, learning: noTokens, prices: { agent: price, judge: price } };
}

const tallies = [
  tally('openai/gpt-oss-120b', 'blind', () => 0),
  tally('openai/gpt-oss-120b', './methods/mine.mjs', () => 1),
  tally('openai/gpt-oss-120b', 'rag', (at) => (at % 3 === 0 ? 0.3 : 0.1)),
];

/** The parts of what is printed, each a list of lines. */
const blocks = (text: string) => text.split('\n\n').map((block) => block.split('\n'));

describe('at 80 columns', () => {
  const text = streamTables(tallies, listed, narrow);

  it('no line is longer', () => {
    for (const line of text.split('\n')) expect([...line].length).toBeLessThanOrEqual(80);
  });

  it('every row of every part says what it is about', () => {
    for (const style of [narrow, styleFor({ isTTY: false }, '72'), styleFor({ isTTY: false }, '200')]) {
      const parts = blocks(streamTables(tallies, listed, style)).filter((part) =>
        part.slice(0, 2).some((head) => head.includes('by window')),
      );
      expect(parts.length).toBeGreaterThan(0);
      for (const part of parts) {
        for (const { id } of listed) {
          for (const { method } of tallies) {
            const own = part.filter((line) => line.includes(`· ${method} `) && line.includes(id));
            const said = own.map((line) => /fully specified|hidden/.exec(line)?.[0]);
            expect(said).toEqual(['hidden', 'fully specified']);
          }
        }
      }
    }
  });

  it('a table is not cut into a part for each column', () => {
    expect(blocks(text).length).toBeLessThanOrEqual(8);
  });

  it('a chance is given as in other comparisons', () => {
    expect(text).toMatch(/\d+:0 {2}<0\.001/);
    expect(text).not.toMatch(/\d:\d+ +0\.0$/m);
  });

  it('what is cheap does not look free', () => {
    expect(text).toContain('$0.00');
    expect(text).toMatch(/\$0\.00\d\d/);
    expect(text).not.toMatch(/\$0\.00(?!\d)/);
  });
});

describe('published rows', () => {
  const board = streams.leaderboard;
  if (board === undefined) throw new Error('nobody publishes anything');
  const printed = (wanted: (id: string) => boolean) =>
    leaderboardTable(
      board,
      streams.list.filter(({ id }) => wanted(id)),
      narrow,
    );

  it.each([
    ['of a small size: averages alone', 'mini_', ['avg_h', 'avg_f'], ['retail_', 'banking_', 'pitch_']],
    [
      'of one stream: its columns',
      'retail_l2',
      ['retail_H_L2', 'retail_F_L2', 'avg_h'],
      ['retail_H_L1', 'banking_'],
    ],
    ['of a stream without documents', 'pitch_l3', ['pitch_H_L3'], ['pitch_F', 'pitch_H_L2']],
  ])('%s', (_, prefix, there, absent) => {
    const text = printed((id) => id.startsWith(prefix));
    for (const column of there) expect(text).toContain(column);
    for (const column of absent) expect(text).not.toContain(column);
  });

  it('name model and method in every part', () => {
    const parts = blocks(printed(() => true)).filter(([head]) => head?.startsWith('model'));
    expect(parts.length).toBeGreaterThan(1);
    for (const [head, , row] of parts) {
      expect(head).toMatch(/^model +method /);
      expect(row).toMatch(/^Kimi K3 +Oracle /);
      expect([...(head ?? '')].length).toBeLessThanOrEqual(80);
    }
  });
});

describe('what machines are told', () => {
  const summaries = tallies.map((one) => summaryOf(one, tallies[0])) as readonly Readonly<
    Record<string, unknown>
  >[];

  it('has where tasks came from, who judged, and the pairs of the table', () => {
    expect(summaries[0]).toMatchObject({ sources: ['somebody'], judges: ['phrases'], against: null });
    expect(summaries[1]).toMatchObject({
      against: {
        agent: 'openai/gpt-oss-120b',
        method: 'blind',
        pairs: [
          { category: 'hidden', difference: 100, interval: [100, 100], worse: 0 },
          { category: 'fully_specified', difference: 100, interval: [100, 100], worse: 0 },
        ],
      },
    });
  });

  it('has no figure with what adding fractions leaves behind', () => {
    expect(JSON.stringify(summaries)).not.toMatch(/\d\.\d*(?:00000000|99999999)\d/);
    const thirds = [0.1, 0.2, 0.3, 0.3, 0.6].map((reward, at) => ({
      ...rows(() => reward)[at],
      stream: 'retail_l1',
      category: 'hidden',
    })) as unknown as StreamRow[];
    expect(streams.score(thirds).scores.map(({ score }) => score)).toEqual([30]);
  });
});
