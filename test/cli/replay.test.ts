import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCommand, expectNoCrash, type HopscopeCommand, parseLines } from '../support/command.ts';
import { smallInstance } from '../support/small-instance.ts';

/** Close enough for what its evidence is allowed to be. */
const sound = { ...smallInstance, generator: { ...smallInstance.generator, min_separation: 900 } };

let hopscope: HopscopeCommand;
let instances: string;
beforeAll(async () => {
  hopscope = await buildCommand();
  instances = hopscope.file('instances.jsonl', `${JSON.stringify(sound)}\n`);
});
afterAll(() => hopscope.remove());

/** Replays episodes given on standard input; `said` are the messages, in order. */
async function replay(
  episodes: readonly unknown[],
  expected: readonly object[],
  said: readonly (string | RegExp)[] = [],
) {
  const input = episodes.map((it) => (typeof it === 'string' ? it : JSON.stringify(it))).join('\n');
  const finished = await hopscope.run(['replay', '--instances', instances, '--episodes', '-'], { input });
  expectNoCrash(finished);
  expect(parseLines(finished.out)).toMatchObject(expected);
  expect(parseLines(finished.out)).toHaveLength(expected.length);
  const messages = finished.err.split('\n').filter(Boolean);
  expect(messages).toHaveLength(said.length);
  for (const [i, message] of said.entries()) expect(messages[i]).toMatch(message);
  expect(finished.code).toBe(said.length === 0 ? 0 : 1);
}

it('plays and scores', () => {
  const episode = {
    instance_id: 'train-small',
    source: 'me',
    actions: ['READ 0', 'DROP 0', 'READ 3', 'ANSWER 4107'],
  };
  const ok = { ok: true, error: null };
  const steps = [
    { ...ok, used_after: 300, done: false, reward: 0 },
    { ...ok, used_after: 0, done: false, reward: 0 },
    { ...ok, used_after: 310, done: false, reward: 0 },
    { ...ok, used_after: 310, done: true, reward: 0.95 },
  ];
  return replay([episode], [{ ...episode, steps, final: { correct: true, reads: [0, 3] }, reward: 0.95 }]);
});

it('plays under the overrides of the episode', () =>
  replay(
    [
      {
        instance_id: 'train-small',
        env_overrides: { context_ceiling: 299 },
        actions: ['READ 0'],
        steps: 'stale',
      },
    ],
    [{ env_overrides: { context_ceiling: 299 }, final: { ceiling_exceeded: true }, reward: -0.5 }],
  ));

it('leaves unfinished episodes unfinished', () =>
  replay([{ instance_id: 'train-small', actions: [] }], [{ steps: [], final: { done: false }, reward: 0 }]));

it('names what is wrong with a line and goes on', () =>
  replay(
    [
      { instance_id: 'train-small', actions: ['ANSWER 4107', 'READ 0', 'READ 3'] },
      { instance_id: 'train-huge', actions: [] },
      { instance_id: 7, actions: [] },
      { instance_id: 'train-small' },
      { instance_id: 'train-small', actions: ['READ 0', null] },
      { instance_id: 'train-small', actions: [], env_overrides: { context_ceiling: -1 } },
      { instance_id: 'train-small', actions: [], env_overrides: { colour: 'red' } },
      { instance_id: 'train-small', actions: [], env_overrides: 'none' },
      '{"instance_id":"train-small","actions":["READ',
      '\0\0\0',
      '[]',
      'step,reward',
      '',
      { actions: [] },
      { instance_id: 'train-\u001b[31m\n', actions: [] },
      { instance_id: 'train-small', actions: ['ANSWER 4107', 'READ 0'] },
      { instance_id: 'train-small', actions: ['READ 0', 'READ 3'] },
    ],
    [{ instance_id: 'train-small', final: { ceiling_exceeded: true } }],
    [
      'standard input line 1 goes on after its end: its episode ends at step 1, take away the last 2 actions.',
      'standard input line 2 is about train-huge, which is not among the instances.',
      'standard input line 3 is no episode: "instance_id" must be a text.',
      'standard input line 4 is no episode: it has no "actions", a list of the raw replies.',
      'standard input line 5 is no episode: "actions" must be a list of texts, the raw replies.',
      /^standard input line 6 has a bad "env_overrides": context_ceiling must be .*\.$/,
      /^standard input line 7 has a bad "env_overrides": navigator has no option "colour"; .*\.$/,
      'standard input line 8 is no episode: "env_overrides" must be an object of options.',
      'standard input line 9 is cut off after 45 characters.',
      'standard input line 10 holds NUL characters, so it is not JSON text.',
      'standard input line 11 holds JSON, but not an object.',
      'standard input line 12 is not valid JSON at character 1, "s".',
      'standard input line 14 is no episode: it has no "instance_id".',
      'standard input line 15 is about train-\\u001b[31m\\n, which is not among the instances.',
      'standard input line 16 goes on after its end: its episode ends at step 1, take away the last action.',
    ],
  ));

it('takes replies of any size and content', async () => {
  const long = 'x'.repeat(10 * 2 ** 20);
  const replies = [long, `ANSWER ${long}`];
  const deep = `ACTION: COMPRESS ${'[('.repeat(100_000)} :: \u2028`;
  const odd = ['\0', '\ud800', '\u2028', deep, ''];
  await replay(
    [
      { instance_id: 'train-small', actions: replies },
      { instance_id: 'train-small', actions: [...odd, 'ANSWER 4107'] },
    ],
    [
      { actions: replies, final: { n_invalid: 1, correct: false } },
      { actions: [...odd, 'ANSWER 4107'], final: { correct: true } },
    ],
  );
});

it('takes what eval prints: episodes are unwrapped, other lines left out', () =>
  replay(
    [
      { start: { run: 'x' } },
      { episode: { policy: 'p', instance_id: 'train-small', actions: ['READ 0'], reward: 7 } },
      { summary: { episodes: 1 } },
      { done: { run: 'x' } },
    ],
    [{ instance_id: 'train-small', steps: [{ used_after: 300 }], reward: 0 }],
  ));

it('plays an instance that is not sound, and says so once', async () => {
  const path = hopscope.file('unsound.jsonl', JSON.stringify(smallInstance));
  const episode = JSON.stringify({ instance_id: 'train-small', actions: ['ANSWER 4107'] });
  const finished = await hopscope.run(['replay', '--instances', path, '--episodes', '-'], {
    input: `${episode}\n${episode}\n`,
  });
  expect(finished).toMatchObject({
    code: 1,
    err: 'train-small is not sound (separation); its episodes were played all the same.\n',
  });
  expect(parseLines(finished.out)).toMatchObject([
    { final: { correct: true } },
    { final: { correct: true } },
  ]);
});

it('judges an instance as it was recorded, whatever it is played under', async () => {
  const episode = {
    instance_id: 'train-small',
    env_overrides: { context_ceiling: 100 },
    actions: ['READ 0'],
  };
  await replay([episode], [{ final: { ceiling_exceeded: true } }]);
});

it('notes the options of the command line with the episode, which come after its own', async () => {
  const recorded = {
    instance_id: 'train-small',
    env_overrides: { context_ceiling: 299 },
    actions: ['READ 0'],
  };
  const args = ['-o', 'context_ceiling=900', '-o', 'max_summary_tokens=5'];
  const finished = await hopscope.run(['replay', '--instances', instances, '--episodes', '-', ...args], {
    input: JSON.stringify(recorded),
  });
  expect(parseLines(finished.out)).toMatchObject([
    { env_overrides: { context_ceiling: 299, max_summary_tokens: 5 }, final: { ceiling_exceeded: true } },
  ]);
});

it('takes the first of two instances of one id', async () => {
  const other = JSON.stringify({ ...sound, answer: '1' });
  const path = hopscope.file('twice.jsonl', `${JSON.stringify(sound)}\n${other}\n`);
  const input = JSON.stringify({ instance_id: 'train-small', actions: ['ANSWER 4107'] });
  const finished = await hopscope.run(['replay', '--instances', path, '--episodes', '-'], { input });
  expect(finished.code).toBe(1);
  expect(finished.err).toBe(
    `${path} line 2 repeats the instance train-small of ${path} line 1, so it was left out.\n`,
  );
  expect(parseLines(finished.out)).toMatchObject([{ final: { correct: true } }]);
});
