/** The inventory from the command line: the published arguments, the figures of scripted agents, what is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand, expectNoCrash, type HopscopeCommand, parseLines } from '../support/command.ts';

let command: HopscopeCommand;
beforeAll(async () => {
  command = await buildCommand();
});
afterAll(() => command?.remove());

const here = ['--environment', 'inventory'];

it('every instance of both splits is sound', async () => {
  const { code, out, err } = await command.run(['validate', 'inventory']);
  expect({ code, out, err }).toEqual({ code: 0, out: 'train: 100 sound\ntest: 100 sound\n', err: '' });
});

describe('a hundred episodes with the published arguments', () => {
  interface Summary {
    readonly policy: string;
    readonly reward: number;
    readonly episode_length: number;
    readonly first_wrong_turn: number | null;
  }
  let summaries: ReadonlyMap<string, Summary>;
  beforeAll(async () => {
    const policies = 'carrier,oracle,append-only,echo-seen,everything,empty,silent,last-chunk-only';
    const finished = await command.run(['eval', ...here, '-s', 'train', '-p', policies, '--json']);
    expect(finished.code).toBe(0);
    summaries = new Map(
      parseLines(finished.out).flatMap((line) => {
        const summary = line['summary'] as Summary | undefined;
        return summary === undefined ? [] : [[summary.policy, summary] as const];
      }),
    );
  });

  it.each([
    ['carrier', 1],
    ['oracle', 1],
    ['append-only', -1],
    ['echo-seen', -1],
    ['everything', -1],
    ['empty', -1],
    ['silent', -1],
  ])('%s scores %d', (policy, reward) => {
    expect(summaries.get(policy)).toMatchObject({ episodes: 100, reward, reward_se: 0, episode_length: 10 });
  });

  it('the last chunk alone wins about one in eight', () => {
    // 0.128 over 4,000 episodes; four standard errors of a share over 100 are 0.13.
    expect(Math.abs((1 + (summaries.get('last-chunk-only')?.reward ?? 0)) / 2 - 0.128)).toBeLessThan(0.13);
  });

  it('who is right is right in every turn', () => {
    expect(summaries.get('carrier')?.first_wrong_turn).toBeNull();
    expect(summaries.get('empty')?.first_wrong_turn).toBeGreaterThanOrEqual(1);
  });
});

it('options decide how many there are', async () => {
  const count = async (...args: string[]) => {
    const { out } = await command.run(['generate', ...here, '-s', 'train', '-o', 'chunk_size=5', ...args]);
    return parseLines(out).length;
  };
  expect(await count()).toBe(100);
  expect(await count('-o', 'max_episodes=7')).toBe(7);
  expect(await count('--start', '100', '-n', '2')).toBe(2);
});

it.each<[readonly string[], RegExp]>([
  [['-o', 'n_chunks=0'], /^Bad --option: n_chunks must be a whole number from 1 to 1000, not 0\.$/m],
  [['-o', 'n_ops=many'], /n_ops must be a whole number from 0 to 1152, not "many"/],
  [['-o', 'max_episodes=0'], /max_episodes must be a whole number from 1 to 1000000, not 0/],
  [
    ['-o', 'chunk_size=100000', '-o', 'n_chunks=1000'],
    /n_chunks × chunk_size must not be above 2000000 words/,
  ],
  [['-o', 'answer_block=third'], /answer_block must be last or first, not "third"/],
  [['-o', 'chunks=3'], /there is no option "chunks"; there are n_chunks, /],
  [['-o', 'max_episodes=3', '--indices', '5'], /index 5 is out of range; .* since max_episodes is 3/],
])('%j is refused', async (args, message) => {
  const finished = await command.run(['eval', ...here, '-s', 'train', '-p', 'carrier', ...args]);
  expectNoCrash(finished);
  expect(finished.code).toBeGreaterThan(0);
  expect(finished.err).toMatch(message);
});

it('an empty inventory throughout can be played', async () => {
  const args = [
    'eval',
    ...here,
    '-s',
    'train',
    '-n',
    '3',
    '-p',
    'empty,carrier,silent',
    '-o',
    'n_ops=0',
    '--json',
  ];
  const { code, out } = await command.run(args);
  expect(code).toBe(0);
  const rewards = parseLines(out).flatMap((line) => {
    const summary = line['summary'] as { policy: string; reward: number } | undefined;
    return summary === undefined ? [] : [[summary.policy, summary.reward]];
  });
  expect(rewards).toEqual([
    ['empty', 1],
    ['carrier', 1],
    ['silent', -1],
  ]);
});
