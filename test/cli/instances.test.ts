/** Files of instances that are not as they should be, options without effect, and episodes that can be played again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand, expectNoCrash, type HopscopeCommand, parseLines } from '../support/command.ts';
import { smallInstance } from '../support/small-instance.ts';

let hopscope: HopscopeCommand;
beforeAll(async () => {
  hopscope = await buildCommand();
});
afterAll(() => hopscope.remove());

/** Close enough for what its evidence is allowed to be. */
const sound = { ...smallInstance, generator: { ...smallInstance.generator, min_separation: 900 } };

function lines(...instances: readonly object[]): string {
  return instances.map((instance) => `${JSON.stringify(instance)}\n`).join('');
}

describe('an id that comes again', () => {
  const twice = lines(sound, { ...sound, id: 'other' }, sound, { ...sound, seed: 7 });
  const left = [3, 4].map(
    (n) =>
      `standard input line ${n} repeats the instance train-small of standard input line 1, so it was left out.\n`,
  );

  it.each([
    ['eval', ['-p', 'no-read', '--json', '--instances', '-'], { summary: { episodes: 2 } }],
    ['baselines', ['--json', '--instances', '-'], { n: 2 }],
    ['audit', ['--json', '-'], { instances: 2 }],
  ])('counts once in %s', async (command, args, last) => {
    const finished = await hopscope.run([command, ...args], { input: twice });
    expectNoCrash(finished);
    expect(finished.code).toBe(1);
    expect(finished.err).toContain(left.join(''));
    expect(parseLines(finished.out).at(-1)).toMatchObject(last);
  });

  it('is a remark to validate, which judges every line', async () => {
    const finished = await hopscope.run(['validate', '--json', '-'], { input: twice });
    expect(parseLines(finished.out).map(({ id }) => id)).toEqual([
      'train-small',
      'other',
      'train-small',
      'train-small',
    ]);
    expect(finished).toMatchObject({
      code: 0,
      err:
        'Remark: 2 lines repeat an id, standard input line 3 that of standard input line 1; ' +
        'where figures are taken only the first one counts.\n',
    });
  });
});

describe('inspect', () => {
  const mixed = `\n${lines(sound)}x\n${lines({ ...sound, id: 'b\u001b\n' }, smallInstance)}`;
  const inspect = (...args: string[]) => hopscope.run(['inspect', '--file', '-', ...args], { input: mixed });

  it.each([
    [['--index', '0'], 0, /^# train-small\n/, ''],
    [
      ['--index', '2'],
      1,
      /^# b\\u001b\\n\n/,
      'standard input line 3 is not valid JSON at character 1, "x".\n',
    ],
    [
      ['--index', '1'],
      1,
      /^$/,
      'standard input line 3, which has index 1, is not valid JSON at character 1, "x".\n',
    ],
    [
      ['--index', '4'],
      2,
      /^$/,
      'standard input line 3 is not valid JSON at character 1, "x".\n' +
        'standard input holds 4 lines, counted from 0, so none at 4.\n',
    ],
    [
      ['--index', '3', '--json'],
      1,
      /^\{"id":"train-small"/,
      'standard input line 3 is not valid JSON at character 1, "x".\ntrain-small is not sound: separation.\n',
    ],
    [['--id', ''], 2, /^$/, /\nstandard input holds no instance ""\. /],
  ])('%j', async (args, code, out, err) => {
    const finished = await inspect(...args);
    expectNoCrash(finished);
    expect(finished.code).toBe(code);
    expect(finished.out).toMatch(out);
    if (typeof err === 'string') expect(finished.err).toBe(err);
    else expect(finished.err).toMatch(err);
  });

  it('says that an index beyond a split is a fresh instance', async () => {
    const finished = await hopscope.run(['inspect', '--split', 'id_test', '--index', '300']);
    expect(finished).toMatchObject({
      code: 0,
      err: 'id_test has 300 instances, counted from 0, so 300 is a fresh one.\n',
    });
  });
});

describe('an option without effect', () => {
  const made = (key: string) =>
    `Bad --option: ${key} decides how instances are made, and those of files are made `;
  const played = (key: string) => `Bad --option: ${key} decides how episodes are played, and "`;

  it.each([
    ['validate a.jsonl -o n_hops=2', made('n_hops')],
    ['audit a.jsonl -o doc_tokens=64000', made('doc_tokens')],
    ['eval -p oracle --instances a.jsonl -o n_hops=2', made('n_hops')],
    ['eval -p oracle --instances a.jsonl --out runs -o n_hops=2', made('n_hops')],
    ['baselines --instances a.jsonl -o n_hops=2', made('n_hops')],
    ['replay --instances a.jsonl --episodes - -o n_hops=2', made('n_hops')],
    ['inspect --file a.jsonl -o n_hops=2', made('n_hops')],
    ['inspect --file a.jsonl -o context_ceiling=900', played('context_ceiling')],
    ['inspect -s train -o reward.beta=0.1', played('reward')],
    ['generate -s train -n 1 -o context_ceiling=900', played('context_ceiling')],
    ['audit -s train -o context_ceiling=900', played('context_ceiling')],
    ['baselines -s train -o max_summary_tokens=9', played('max_summary_tokens')],
  ])('%s', async (line, message) => {
    hopscope.file('a.jsonl', lines(sound));
    const finished = await hopscope.run(line.split(' '));
    expect(finished).toMatchObject({ code: 2, out: '' });
    expect(finished.err).toContain(message);
  });
});

describe('eval', () => {
  const options = ['-o', 'context_ceiling=900', '-o', 'reward.beta=0.1', '-o', 'step_budget_base=9'];

  it('says under which options was played, and what the fewest steps are for', async () => {
    const args = ['eval', '-p', 'oracle', '--split', 'train', '-n', '2', ...options, '-o', 'n_hops=2'];
    const { out } = await hopscope.run(args);
    const [heading] = out.split('\n\n', 1);
    expect(heading?.replace(/\n +/g, ' ')).toBe(
      'navigator · train · 2 instances · context_ceiling=900 · reward.beta=0.1 · step_budget_base=9 · n_hops=2',
    );
    expect(out).toMatch(/\nFewest steps are those recorded for a ceiling of 600\.\n$/);
    const plain = await hopscope.run(['eval', '-p', 'oracle', '--split', 'train', '-n', '2']);
    expect(plain.out).not.toContain('Fewest steps are those');
  });

  it('prints episodes that replay scores the same', async () => {
    const made = await hopscope.run(['generate', '--split', 'ood_test', '-n', '4', '--no-audit']);
    const instances = hopscope.file('ood.jsonl', made.out);
    const args = [
      '--policy',
      'oracle',
      '--policy',
      'random-reader,stall',
      '--seed',
      '3',
      '--json',
      ...options,
    ];
    const played = await hopscope.run(['eval', '--instances', instances, ...args]);
    const rows = parseLines(played.out);
    const overrides = { context_ceiling: 900, reward: { beta: 0.1 }, step_budget_base: 9 };
    const episodes = rows.flatMap(({ episode }) => (episode === undefined ? [] : [Object(episode)]));
    expect(episodes).toHaveLength(12);
    for (const episode of episodes) expect(episode).toMatchObject({ env_overrides: overrides });
    for (const { summary } of rows.slice(12))
      expect(summary).toMatchObject({ options: overrides, seed: '3' });

    const again = await hopscope.run(['replay', '--instances', instances, '--episodes', '-'], {
      input: played.out,
    });
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(parseLines(again.out).map(({ reward }) => reward)).toEqual(episodes.map(({ reward }) => reward));
  });

  it('leaves generation options out of the episodes, which instances of files know themselves', async () => {
    const args = ['eval', '-p', 'no-read', '--split', 'train', '-n', '1', '-o', 'n_hops=2', '--json'];
    const [first, last] = parseLines((await hopscope.run(args)).out);
    expect(first?.['episode']).not.toHaveProperty('env_overrides');
    expect(last?.['summary']).toMatchObject({ options: { n_hops: 2 }, seed: '0' });
  });

  it('gives up an episode that does not end, and scores the others', async () => {
    const endless = { ...sound, env: { ...sound.env, step_budget: 10_000_000 } };
    const finished = await hopscope.run(['eval', '-p', 'babble,no-read', '--json', '--instances', '-'], {
      input: lines(endless),
    });
    expectNoCrash(finished);
    expect(finished.err).toBe(
      'No score: the episode of babble on train-small was given up after 100,000 steps, since nothing ended it.\n',
    );
    expect(finished.code).toBe(1);
    expect(parseLines(finished.out)).toMatchObject([
      { episode: { policy: 'no-read' } },
      { summary: { policy: 'babble', episodes: 0 } },
      { summary: { policy: 'no-read', episodes: 1 } },
    ]);
  });
});
