import { describe, expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import type { Environment, Outcome } from '../../../server/src/engine/environments/environment.ts';
import { EndlessEpisode, playEpisode } from '../../../server/src/engine/evals/play.ts';
import {
  type EpisodeRow,
  groupRows,
  summarize,
  summarizeBy,
} from '../../../server/src/engine/evals/summarize.ts';

function row(
  reward: number,
  correct: boolean,
  stop: string,
  metrics: Outcome['metrics'],
  hops: number,
): EpisodeRow {
  const outcome = { done: true, reward, correct, stop, steps: 1, metrics };
  return { instance: 'i', split: 's', groups: { hops }, minSteps: 1, outcome };
}

describe('summarize', () => {
  const rows = [
    row(0.95, true, 'answered', { reads: 2, kept: null }, 3),
    row(0, false, 'answered', { reads: 4, kept: 0.5 }, 2),
    row(-0.5, false, 'budget-exhausted', { reads: 6, kept: null }, 2),
  ];

  it('takes means per episode, with n − 1 in the standard error', () => {
    const summary = summarize(rows);
    expect(summary.episodes).toBe(3);
    expect(summary.reward.mean).toBeCloseTo(0.15, 12);
    // Deviations 0.8, -0.15, -0.65: squares sum to 1.085.
    expect(summary.reward.error).toBeCloseTo(Math.sqrt(1.085 / 2 / 3), 12);
    expect(summary.accuracy.mean).toBeCloseTo(1 / 3, 12);
    expect(summary.metrics['reads']).toMatchObject({ n: 3, mean: 4 });
    expect(summary.stops).toEqual({ answered: 2, 'budget-exhausted': 1 });
  });

  it('leaves out what does not apply', () => {
    expect(summarize(rows).metrics['kept']).toEqual({ n: 1, mean: 0.5, error: null });
  });

  it('has no figures over nothing', () => {
    expect(summarize([])).toEqual({
      episodes: 0,
      reward: { n: 0, mean: null, error: null },
      accuracy: { n: 0, mean: null, error: null },
      metrics: {},
      stops: {},
    });
  });

  it('goes by group, smallest first', () => {
    const groups = summarizeBy(rows, 'hops');
    expect(groups.map(({ value, summary }) => [value, summary.episodes])).toEqual([
      [2, 2],
      [3, 1],
    ]);
    expect(summarizeBy(rows, 'none')).toEqual([]);
  });

  it('orders groups by size, then by code unit', () => {
    const values = ['b', 10, 'a', 9, undefined, 'B'];
    expect(groupRows(values, (value) => value).map(([value]) => value)).toEqual([9, 10, 'B', 'a', 'b']);
  });
});

/** An environment that ends after as many replies as its instance says, and needs a judge after that. */
interface Countdown {
  readonly id: string;
  readonly split: string;
  readonly steps: number;
  readonly judged: boolean;
}

const countdown: Pick<Environment<Countdown, null, Countdown>, 'start' | 'next' | 'advance' | 'outcome'> = {
  start: (instance) => instance,
  next: ({ steps, judged }) => {
    if (steps > 0) return { kind: 'reply' };
    return judged ? { kind: 'verdict', judge: 'j', messages: [] } : { kind: 'nothing' };
  },
  advance: (state) => ({ ...state, steps: state.steps - 1 }),
  outcome: ({ steps }) => ({ done: steps === 0, reward: 1, correct: true, stop: 'x', steps, metrics: {} }),
};

describe('playEpisode', () => {
  const policy = {
    id: 'p',
    description: '',
    privileged: false,
    begin: (_: Countdown, seed: string) => {
      let count = 0;
      return () => reply(`${seed}${++count}`);
    },
  };
  const play = (steps: number, judged = false) =>
    playEpisode(
      countdown as Environment<Countdown, null, Countdown>,
      { id: 'i', split: 's', steps, judged },
      null,
      policy,
      'seed',
    );

  it('asks for replies until the end', () => {
    const { events, outcome } = play(3);
    expect(events).toEqual([reply('seed1'), reply('seed2'), reply('seed3')]);
    expect(outcome.done).toBe(true);
  });

  it('stops where a judge is needed', () => expect(play(1, true).events).toHaveLength(1));

  it('does not play for ever', () => {
    expect(() => play(Number.POSITIVE_INFINITY)).toThrow(
      new EndlessEpisode('the episode of p on i was given up after 100,000 steps, since nothing ended it'),
    );
  });
});
