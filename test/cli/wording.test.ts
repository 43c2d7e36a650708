/** Sentences about one thing and about several. */
import { describe, expect, it } from 'vitest';
import { describeEstimate } from '../../server/src/cli/runs/events.ts';
import { overText } from '../../server/src/cli/runs/probe.ts';

describe('what a figure is taken over', () => {
  it.each([
    [1, 'episodes', '1 episode'],
    [2, 'episodes', '2 episodes'],
    [0, 'episodes', '0 episodes'],
    [1, 'summaries', '1 summary'],
    [1, 'misses', '1 miss'],
    [1, 'misses in the right section', '1 miss in the right section'],
    [1, 'wrong answers', '1 wrong answer'],
  ])('%i %s', (n, over, text) => {
    expect(overText({ n, over })).toBe(text);
  });
});

it.each([
  [1, /^1 episode takes at least/],
  [2, /^2 episodes take at least/],
])('an estimate of %i', (episodes, text) => {
  const estimate = { requests: 1, inputTokens: 1, outputTokens: 1, dollars: null };
  expect(describeEstimate(estimate, episodes)).toMatch(text);
});
