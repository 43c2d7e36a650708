import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSuite } from '../../server/src/engine/evals/suite-file.ts';
import { buildCommand, expectNoCrash, type HopscopeCommand, parseLines } from '../support/command.ts';
import { oracleReplies, writeRunFolder } from '../support/run-folders.ts';

const indices = [0, 1, 2, 3, 4, 5];

let hopscope: HopscopeCommand;
/** A fails on odd indices, B on index 2, C with the provider on index 0. */
let runs: { readonly a: string; readonly b: string; readonly c: string };
beforeAll(async () => {
  hopscope = await buildCommand();
  const base = { split: 'id_test', indices };
  const numberOf = (id: string) => Number(id.split('-').at(-1));
  runs = {
    a: writeRunFolder(hopscope.folder, {
      ...base,
      id: '0000000a',
      prompt: 'user:\nOne.\n{{question}}\n',
      replies: (it) => (numberOf(it.id) % 2 === 1 ? ['I give up.\nANSWER unknown'] : oracleReplies(it)),
    }),
    b: writeRunFolder(hopscope.folder, {
      ...base,
      id: '0000000b',
      prompt: 'user:\nTwo.\n{{question}}\n',
      replies: (it) => {
        const best = oracleReplies(it);
        return numberOf(it.id) === 2 ? [...best.slice(0, 1), 'ANSWER 1'] : best;
      },
    }),
    c: writeRunFolder(hopscope.folder, {
      ...base,
      id: '0000000c',
      replies: (it) => (numberOf(it.id) === 0 ? null : oracleReplies(it)),
    }),
  };
});
afterAll(() => hopscope.remove());

async function good(...args: readonly string[]): Promise<{ out: string; err: string }> {
  const finished = await hopscope.run(args);
  expect(finished).toMatchObject({ code: 0 });
  expectNoCrash(finished);
  return finished;
}

describe('compare', () => {
  it('says what was fixed and broken, and where the episodes part', async () => {
    const { out, err } = await good('compare', runs.a, runs.b);
    expect(err).toBe('');
    expect(out).toMatch(
      /^navigator · id_test · 6 instances compared\nA {2}p · test-model \(0000000a\): 6 requested, 6 scored, 0 errored\nB /,
    );
    expect(out).toMatch(/\nreward +6 +0\.475 +0\.792 +\+0\.317 +[-+0]\S+ to \+0\.\d+ +3:1 +0\.625 +\d+\n/);
    expect(out).toMatch(/\ncorrect +6 +0\.500 +0\.833 +\+0\.333 .* +3:1 +0\.625 +\d+\n/);
    expect(out).toContain("McNemar's test of correct");
    expect(out).toMatch(/\ngave-up +3 +0 +-3 +3 +0\n/);
    expect(out).toMatch(
      /\nFixed: 3\n {2}hs1-id_test-1 {2}gave-up 0\.000 in 1 step -> correct 0\.950 in [46] steps {2}n_hops [23], doc_tokens 32000\n {4}they part at step 1: ANSWER unknown \| READ \d+\n/,
    );
    expect(out).toMatch(
      /\nBroken: 1\n {2}hs1-id_test-2 {2}correct 0\.950 .*\n {4}they part at step 2: COMPRESS \d+ → S1 \| ANSWER 1\n/,
    );
    expect(out).toMatch(/\n {2}prompt: p \([0-9a-f]{8}\) -> p \([0-9a-f]{8}\)\n/);
    expect(out).toMatch(/\n {2}- One\.\n {2}\+ Two\.\n/);
  });

  it('gives the same as JSON, for any number of runs', async () => {
    const { out, err } = await good('compare', runs.a, runs.b, runs.c, '--json', '--seed', '3');
    expect(err).toBe('');
    const [first, second] = parseLines(out);
    expect(first).toMatchObject({
      instances: 6,
      a: { run: '0000000a', requested: 6, scored: 6, errored: 0, unfinished: 0 },
      accuracy: { a: 0.5, b: 5 / 6, test: 'mcnemar', p: 0.625, b_better: 3, a_better: 1, equal: 2 },
      fixed: [{ instance_id: 'hs1-id_test-1' }, {}, {}],
      broken: [{ a: { cause: null }, b: { cause: 'other-value' } }],
      causes: { 'gave-up': { a: 3, b: 0, fixed: 3, broken: 0 } },
      warnings: [],
      seed: '3',
    });
    expect(second).toMatchObject({
      instances: 5,
      b: { scored: 5, errored: 1 },
      warnings: [{ code: 'errors' }],
    });
    expect((await good('compare', runs.a, runs.b, '--json', '--seed', '3')).out).toBe(
      `${out.split('\n')[0]}\n`,
    );
  });

  it('warns of what is not comparable, and that several comparisons were made', async () => {
    const { out, err } = await good('compare', runs.b, runs.a, runs.c);
    expect(out).toContain('! 1 of 6 episodes of the second run failed at the provider');
    expect(err).toContain('Of 2 comparisons, one with a p below 0.025 is what one alone with 0.05 is.');
  });

  it('shows one instance reply beside reply', async () => {
    const { out } = await good('compare', runs.a, runs.b, '--show', 'hs1-id_test-1');
    expect(out).toMatch(
      /^A: gave-up, reward 0\.000 +\| B: correct, reward 0\.950\nstep 1: ANSWER unknown +\| READ \d+\n/,
    );
    expect(out).toMatch(/\nI give up\. +\| THOUGHT: /);
    for (const line of out.split('\n')) expect(line.length).toBeLessThan(100);
    const same = await good('compare', runs.a, runs.b, '--show', 'hs1-id_test-0');
    expect(same.out).toBe('hs1-id_test-0: the episodes do the same in every step.\n');
  });

  it.each<[string, (it: typeof runs) => readonly string[], string]>([
    ['one run', ({ a }) => [a], 'Name two runs at least'],
    ['no run', ({ a }) => [a, `${a}/nothing`], 'There is no run '],
    ['a folder without a run', ({ a }) => [a, '.'], '. holds no run'],
    [
      'an instance that is not there',
      ({ a, b }) => [a, b, '--show', 'x'],
      'Run 0000000a has no episode on x.',
    ],
  ])('refuses %s', async (_, args, message) => {
    const finished = await hopscope.run(['compare', ...args(runs)]);
    expect(finished).toMatchObject({ code: 2, out: '' });
    expect(finished.err).toContain(message);
    expectNoCrash(finished);
  });
});

describe('probe', () => {
  it('prints every probe with what it is taken over', async () => {
    const { out, err } = await good('probe', runs.a, '--by', 'n_hops');
    expect(err).toBe('');
    expect(out).toContain('6 episodes requested, 6 scored, 0 errored, 0 unfinished; figures are over 6.');
    expect(out).toMatch(/\nAnswers without reading +value {2}over +n_hops 2 +n_hops 3\n/);
    expect(out).toMatch(/\nepisodes without a read +0\.500 {2}6 episodes /);
    expect(out).toMatch(/\ncorrect among them +0\.000 {2}3 episodes /);
  });

  it('gives them as JSON', async () => {
    const [report] = parseLines((await good('probe', runs.a, '--by', 'n_hops', '--json')).out);
    expect(report).toMatchObject({
      run: '0000000a',
      probed: 6,
      guess_without_reading: { zero_read_rate: { value: 0.5, n: 6, over: 'episodes' } },
      compression_noop: { fact_retention_rate: { value: 1 } },
    });
    expect(report).toHaveProperty('by.n_hops.2.outcomes.accuracy.n');
  });

  it('notices an episode that does not score what is recorded', async () => {
    const folder = writeRunFolder(hopscope.folder, {
      id: '0000000d',
      split: 'id_test',
      indices: [0],
      replies: oracleReplies,
    });
    const steps = join(folder, 'steps.jsonl');
    const text = readFileSync(steps, 'utf8').replace('"reward":0.95', '"reward":0.5');
    hopscope.file(steps.slice(hopscope.folder.length + 1), text);
    const finished = await hopscope.run(['probe', folder]);
    expect(finished.code).toBe(1);
    expect(finished.err).toContain('Episode 0 on hs1-id_test-0 scores 0.95 now; 0.5 is recorded.');
  });

  it.each(['traces', 'results'])('finds the same in %s that were exported', async (format) => {
    await good('export', runs.a, `--${format}`, '--out', format);
    const [exported] = parseLines((await good('probe', format, '--json')).out);
    const [own] = parseLines((await good('probe', runs.a, '--json')).out);
    expect({ ...exported, run: null }).toEqual({ ...own, run: null });
    const { out } = await good('compare', runs.a, format);
    expect(out).toMatch(/\nreward +6 +0\.475 +0\.475 +0\.000 /);
    expect(out).toContain('-> not recorded');
  });

  it('refuses a grouping that there is not', async () => {
    const finished = await hopscope.run(['probe', runs.a, '--by', 'hops']);
    expect(finished).toMatchObject({ code: 2 });
    expect(finished.err).toContain('navigator has no grouping hops; it has n_hops, doc_tokens.');
  });
});

describe('suite', () => {
  const read = (name: string) => {
    const suite = parseSuite(readFileSync(join(hopscope.folder, name), 'utf8'));
    return suite.ok ? suite.value : expect.fail(suite.error);
  };

  it("takes a run's failures, or those with one cause", async () => {
    const { out, err } = await good('suite', runs.a, '--name', 'the failures');
    expect(out).toBe('the-failures.suite.json\n');
    expect(err).toBe(
      'the failures (3 instances, pinned) of id_test\n' +
        'id_test is for testing: the more you work on it, the less its figures say.\n',
    );
    const suite = read('the-failures.suite.json');
    expect(suite.members.map(({ id }) => id)).toEqual(['hs1-id_test-1', 'hs1-id_test-3', 'hs1-id_test-5']);
    expect(suite.origin).toMatchObject({ run: '0000000a', chosen: ['failed'] });
    await good('suite', runs.c, '--name', 'again', '--cause', 'provider-error', '--no-pin');
    expect(read('again.suite.json').members).toEqual([
      { source: { split: 'id_test', index: 0 }, id: 'hs1-id_test-0', hash: null },
    ]);
  });

  it('takes members of a split', async () => {
    await good('suite', '--split', 'train', '--indices', '3,7', '--name', 'few', '--out', 'x.suite.json');
    const hashes = read('x.suite.json').members.map(({ id, hash }) => [id, hash?.slice(0, 7)]);
    expect(hashes).toEqual([
      ['hs1-train-3', 'sha256:'],
      ['hs1-train-7', 'sha256:'],
    ]);
  });

  it('does not write over a suite unless it is told to', async () => {
    const args = ['suite', '--split', 'train', '-n', '1', '--name', 'once'];
    await good(...args);
    const finished = await hopscope.run(args);
    expect(finished).toMatchObject({ code: 2, out: '' });
    expect(finished.err).toContain('it is there already; write over it with --force');
    await good(...args, '--force');
  });

  it.each<[string, readonly string[], string]>([
    ['nothing to take', ['--name', 'x'], 'Name a run folder, or a split'],
    ['a name that is no name', ['--split', 'train', '--name', '../x'], 'Bad --name: a suite has a name of'],
    [
      'a cause without a run',
      ['--split', 'train', '--name', 'x', '--cause', 'twin'],
      'Causes are those of a run',
    ],
  ])('refuses %s', async (_, args, message) => {
    const finished = await hopscope.run(['suite', ...args]);
    expect(finished).toMatchObject({ code: 2, out: '' });
    expect(finished.err).toContain(message);
    expect(existsSync(join(hopscope.folder, 'x.suite.json.partial'))).toBe(false);
  });

  it('refuses a cause that no episode has', async () => {
    const finished = await hopscope.run(['suite', runs.a, '--name', 'none', '--cause', 'twin']);
    expect(finished.err).toContain('No episode of the run failed by twin: its causes are gave-up.');
  });
});
