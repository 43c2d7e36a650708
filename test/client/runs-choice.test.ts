/** What is remembered of a choice, what it becomes on the command line, and what is told while it is played. */
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeChoice,
  type EvalChoice,
  evalArguments,
  readChoice,
  resumeArguments,
  streamArguments,
} from '../../client/src/runs/choice.ts';
import { durationText, headline, RunFollower } from '../../client/src/runs/follow.ts';

const base = path.resolve('/work space');
const settings = { base, runs: path.join(base, 'outputs'), prices: null, concurrency: 8 };
const choice: EvalChoice = {
  prompts: [path.join(base, 'a', 'terse.step.md'), path.resolve('/elsewhere/other.step.md')],
  agent: { model: '-m,x', baseUrl: 'http://localhost:8000/v1' },
  instances: { split: 'id_test' },
  count: 20,
};

test('a choice as arguments: values behind equal signs, paths from the folder', () => {
  expect(evalArguments(choice, { ...settings, prices: '/p.json' }, true)).toEqual([
    'eval',
    '--json',
    '--until-eof',
    '--concurrency=8',
    '--prices=/p.json',
    `--out=${settings.runs}`,
    '--base-url=http://localhost:8000/v1',
    '--model=-m,x',
    '--split=id_test',
    '--count=20',
    '--estimate',
    '--',
    path.join('a', 'terse.step.md'),
    path.resolve('/elsewhere/other.step.md'),
  ]);
  const policy: EvalChoice = {
    prompts: [],
    agent: { policy: 'oracle' },
    instances: { suite: '/s.suite.json' },
    count: null,
  };
  expect(evalArguments(policy, settings, false)).toEqual([
    'eval',
    '--json',
    '--until-eof',
    '--concurrency=8',
    `--out=${settings.runs}`,
    '--policy=oracle',
    '--suite=/s.suite.json',
    '--',
  ]);
  expect(resumeArguments('/r', null, settings)).toEqual([
    'resume',
    '--json',
    '--until-eof',
    '--concurrency=8',
    '--',
    '/r',
  ]);
  expect(resumeArguments('/r', 'http://x/v1', settings)).toContain('--base-url=http://x/v1');
});

test('what was remembered is read again, and nothing else is', () => {
  expect(readChoice(JSON.parse(JSON.stringify(choice)))).toEqual(choice);
  fc.assert(
    fc.property(fc.anything(), (anything) => {
      const read = readChoice(anything);
      expect(read === undefined || Array.isArray(read.prompts)).toBe(true);
    }),
  );
  for (const wrong of [
    null,
    [],
    {},
    { ...choice, prompts: [1] },
    { ...choice, agent: { model: 'm' } },
    { ...choice, instances: {} },
    { ...choice, count: 0 },
    { ...choice, count: 1.5 },
  ]) {
    expect(readChoice(wrong), JSON.stringify(wrong)).toBeUndefined();
  }
});

test('in words', () => {
  expect(describeChoice(choice)).toBe('terse and other · -m,x · 20 of id_test');
  const suite: EvalChoice = {
    prompts: [],
    agent: { policy: 'oracle' },
    instances: { suite: '/a/twins.suite.json' },
    count: null,
  };
  expect(describeChoice(suite)).toBe('oracle · twins');
});

test('a run on its way', () => {
  const follower = new RunFollower(1000);
  expect(follower.describe(1000)).toBe('starting');
  const start = (folder: string) => ({ start: { folder, remaining: 10, requested: 12 } });
  follower.take(start('/a'));
  follower.take(start('/b'));
  expect(follower.describe(1000)).toBe('0 of 20');
  for (let i = 0; i < 4; i++)
    follower.take({ episode: { scored: true, reward: i < 2 ? 1 : 0, dollars: 0.01 } });
  follower.take({ episode: { scored: false, reward: null, dollars: null } });
  expect(follower.describe(6000)).toBe('5 of 20, 1 errored · reward 0.50 · 1.0/s · $0.04 · 15 s left');
  expect(follower.describe(301_000)).toContain(' · 1.0/min · ');
  expect(follower.share).toBe(0.25);
  for (const odd of [{}, { start: 3 }, { episode: null }, { done: [] }, { later: {} }]) follower.take(odd);
  const done = {
    folder: '/a',
    status: 'done',
    reason: null,
    requested: 12,
    scored: 11,
    errored: 1,
    unfinished: 0,
  };
  follower.take({ done: { ...done, reward: 0.5, reward_se: null } });
  expect(follower.folders).toEqual(['/a', '/b']);
  expect(follower.ends).toEqual([{ ...done, reward: 0.5, error: null }]);
  expect(follower.ends.map(headline)).toEqual(['reward 0.50 ± – · 11 of 12 scored, 1 errored']);
});

test.each([
  [0, '0 s'],
  [59.2, '1 min 0 s'],
  [75, '1 min 15 s'],
  [3700, '1 h 1 min'],
])('%d seconds', (seconds, text) => expect(durationText(seconds)).toBe(text));

test('streams as arguments: policies are given the environment, a method of one’s own by its path', () => {
  const streams = { environment: 'e', method: path.join(base, 'mine.mjs'), streams: ['a', 'b'] };
  const played: EvalChoice = { ...choice, agent: { policy: 'p' }, instances: streams, count: null };
  expect(evalArguments(played, { ...settings, prices: '/p.json' }, false)).toEqual([
    'eval',
    '--json',
    '--until-eof',
    '--concurrency=8',
    `--out=${settings.runs}`,
    '--policy=p',
    '--method=./mine.mjs',
    '--stream=a,b',
    '--brief',
    '--',
    'e',
  ]);
  expect(readChoice(JSON.parse(JSON.stringify(played)))).toEqual(played);
  expect(readChoice({ ...played, instances: { ...streams, streams: [1] } })).toBeUndefined();
  expect(describeChoice(played)).toBe('terse and other · p · mine.mjs on 2 streams');
});

test('going on with streams names everything that they were begun with', () => {
  const resume = {
    method: 'rag',
    streams: ['a'],
    windows: [0, 1],
    options: { turns: 3, judge: 'model' },
    promptPath: 'p.step.md',
    seed: null,
    judge: 'strict',
    published: true,
    out: 'x',
  } as const;
  const agent = { kind: 'model', name: 'm', baseUrl: 'http://localhost/v1' } as const;
  expect(streamArguments({ environment: 'e', out: '/o', agent, resume }, settings)).toEqual([
    'eval',
    '--json',
    '--until-eof',
    '--concurrency=8',
    '--out=/o',
    '--model=m',
    '--base-url=http://localhost/v1',
    '--method=rag',
    '--stream=a',
    '--windows=0,1',
    '--judge-model=strict',
    '--published',
    '--option=turns=3',
    '--option=judge=model',
    '--brief',
    '--',
    'p.step.md',
  ]);
});
