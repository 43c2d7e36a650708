import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { navigator } from '../../server/src/engine/environments/navigator/index.ts';
import { buildCommand, expectNoCrash, type HopscopeCommand, parseLines } from '../support/command.ts';

let hopscope: HopscopeCommand;
beforeAll(async () => {
  hopscope = await buildCommand();
});
afterAll(() => hopscope.remove());

/** Runs a command line that must end well, with nothing but what it is told to say. */
async function good(
  args: readonly string[],
  input?: string | Uint8Array,
): Promise<{ out: string; err: string }> {
  const finished = await hopscope.run(args, input === undefined ? {} : { input });
  expect(finished).toMatchObject({ code: 0 });
  expectNoCrash(finished);
  return finished;
}

/** Instances of a split as the engine makes them. */
function lines(split: string, indices: readonly number[]): string {
  return indices
    .map((index) => {
      const generated = navigator.generate(split, index, {});
      if (!generated.ok) throw new Error(generated.error);
      return `${JSON.stringify(generated.value.instance)}\n`;
    })
    .join('');
}

describe('help', () => {
  const commands = [
    'generate',
    'validate',
    'audit',
    'inspect',
    'check',
    'replay',
    'eval',
    'compare',
    'probe',
    'suite',
    'teach',
    'baselines',
    'models',
    'policies',
    'environments',
  ];

  it('names every command and the exit codes', async () => {
    const { out } = await good(['--help']);
    for (const command of commands) expect(out).toContain(`  ${command}`);
    expect(out).toContain('Exit codes: 0 all well');
  });

  it.each(commands)('%s: the same in both ways, and no line too long for a terminal', async (command) => {
    const { out, err } = await good([command, '--help']);
    expect((await good(['help', command])).out).toBe(out);
    expect(out).toContain(`Usage: hopscope ${command}`);
    expect(err).toBe('');
    if (command !== 'policies' && command !== 'environments')
      expect(out).toContain('\nExamples:\n  hopscope ');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it.each(['40', '60', '132'])('fits into %s columns', async (columns) => {
    const { out } = await hopscope.run(['help', 'generate'], { env: { COLUMNS: columns } });
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(Number(columns));
  });

  it('tells the version', async () => {
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect((await good(['--version'])).out).toBe(`${manifest.version}\n`);
  });
});

describe('generate', () => {
  it.each(['1', '2', '3'])('gives what the engine gives, in order, with %s workers', async (workers) => {
    const args = ['generate', '--split', 'ood_test', '--indices', '11,0-8,4', '--workers', workers];
    const { out, err } = await good(args);
    expect(out).toBe(lines('ood_test', [0, 1, 2, 3, 4, 5, 6, 7, 8, 11]));
    expect(err).toMatch(/^ood_test: 10 instances from \d+ attempts, \d+ rejected \(\d+\.\d %\)/);
    expect(err).toMatch(/\nNo audit: sets of fewer than 300 instances fail it by chance; /);
  });

  it('goes beyond the end of a split', async () => {
    const { out } = await good([
      'generate',
      '--split',
      'scale_test',
      '--start',
      '150',
      '-n',
      '1',
      '--no-audit',
    ]);
    expect(out).toBe(lines('scale_test', [150]));
  });

  it('takes options of the environment', async () => {
    const { out } = await good([
      'generate',
      '-s',
      'train',
      '-n',
      '3',
      '-o',
      'n_hops=4',
      '-o',
      'doc_tokens=32000',
    ]);
    expect(parseLines(out).map((instance) => instance['n_hops'])).toEqual([4, 4, 4]);
  });

  it('counts the reasons of rejections', async () => {
    const { err } = await good(['generate', '-s', 'ood_test', '-n', '40', '--no-audit']);
    const [, rejected] = /attempts, (\d+) rejected/.exec(err) ?? [];
    expect(Number(rejected)).toBeGreaterThan(0);
    expect(err).toMatch(/for these reasons \(one attempt can have several\):\n( {2}[a-z_]+ \d+\n)+$/);
  });

  it('writes a file that is there only when it is complete', async () => {
    const path = join(hopscope.folder, 'few.jsonl');
    const { out } = await good(['generate', '--split', 'train', '-n', '2', '--out', path]);
    expect(out).toBe('');
    expect(readFileSync(path, 'utf8')).toBe(lines('train', [0, 1]));
    expect(existsSync(`${path}.partial`)).toBe(false);
  });
});

describe('validate', () => {
  it('passes what generate writes, from files and from standard input', async () => {
    const text = lines('id_test', [0, 1, 2]);
    const path = hopscope.file('sound.jsonl', text);
    expect((await good(['validate', path])).out).toBe('3 sound\n');
    const { out, err } = await good(['validate', '--json', '-'], text);
    expect(parseLines(out)).toEqual([0, 1, 2].map((i) => ({ id: `hs1-id_test-${i}`, reasons: [] })));
    expect(err).toBe('');
  });

  it.each([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['blank lines', (text: string) => `\n\n${text.replaceAll('\n', '\n \n')}`],
    ['no line feed at the end', (text: string) => text.trimEnd()],
  ])('reads files with %s', async (_, change) => {
    const { out } = await good(['validate', '-'], change(lines('id_test', [0, 1])));
    expect(out).toBe('2 sound\n');
  });

  it('gives the reasons for what is not sound, and fails', async () => {
    const broken = lines('id_test', [0, 1]).replace(/"answer":"[^"]*"/, '"answer":"nothing"');
    const path = hopscope.file('unsound.jsonl', broken);
    const human = await hopscope.run(['validate', path]);
    expect(human).toMatchObject({ code: 1, err: '' });
    expect(human.out).toMatch(
      /^\S+unsound.jsonl line 1: hs1-id_test-0 is not sound: unreachable, .*\n1 sound, 1 not sound\n/,
    );
    const json = await hopscope.run(['validate', '--json', path]);
    expect(json).toMatchObject({ code: 1, err: '' });
    expect(parseLines(json.out)[0]?.['reasons']).toContain('unreachable');
    expect(parseLines(json.out)[1]?.['reasons']).toEqual([]);
  });
});

describe('audit', () => {
  it('passes a split of full size, the same from a file, and in both forms', async () => {
    const file = join(hopscope.folder, 'id_test.jsonl');
    await good(['generate', '--split', 'id_test', '--out', file, '--no-audit']);
    const table = await good(['audit', '--split', 'id_test']);
    expect(table.out).toMatch(/evidence_all_register +pos_global +0\.\d{3} {2}0\.44–0\.56 {2}ok\n/);
    expect(table.err).toMatch(/^Audit of 300 instances \(\d\d,\d{3} chunks\): passed, /);
    expect(await good(['audit', file])).toMatchObject({ out: table.out, err: table.err });
    const [report] = parseLines((await good(['audit', '--json', file])).out);
    expect(report).toMatchObject({ instances: 300, passed: true, tolerance: 0.06 });
  });

  it('sees a planted bias, names it and fails', async () => {
    const biased = lines(
      'id_test',
      Array.from({ length: 60 }, (_, i) => i),
    )
      .trimEnd()
      .split('\n')
      .map((line) => {
        const instance = JSON.parse(line);
        // Length as the file records it is what the audit sees; the text stays sound.
        for (const { chunk_idx } of instance.evidence) instance.chunks[chunk_idx].tokens = 470;
        return `${JSON.stringify(instance)}\n`;
      })
      .join('');
    const finished = await hopscope.run(['audit', '-'], { input: biased });
    expectNoCrash(finished);
    expect(finished.code).toBe(1);
    expect(finished.err).toMatch(/failed, outside 0\.5 ± 0\.06: .*length in evidence_all_register \(/);
    expect(finished.err).toContain('Sets of fewer than 300 instances fail by chance: audit more of them.');
    expect(finished.out).toMatch(/length +\d\.\d{3} {2}0\.44–0\.56 {2}fails\n/);
  });
});

describe('inspect', () => {
  it('shows an instance, from a split or from a file', async () => {
    const { out } = await good(['inspect', '--split', 'id_test', '--index', '2']);
    expect(out).toMatch(/^# hs1-id_test-2\n/);
    for (const part of ['Answer: ', '## Chain', '## Distractors', '## Map']) expect(out).toContain(part);
    const path = hopscope.file('inspect.jsonl', lines('id_test', [0, 1, 2]));
    expect((await good(['inspect', '--file', path, '--id', 'hs1-id_test-2'])).out).toBe(out);
    expect((await good(['inspect', '--file', path, '--index', '2'])).out).toBe(out);
    expect((await good(['inspect', '--file', path, '--index', '2', '--json'])).out).toBe(
      lines('id_test', [2]),
    );
  });
});

describe('eval', () => {
  it('prints one table for all policies', async () => {
    const { out, err } = await good([
      'eval',
      '--policy',
      'oracle,no-read',
      '--split',
      'id_test,ood_test',
      '-n',
      '6',
    ]);
    expect(err).toBe('');
    expect(out).toMatch(
      /^navigator · id_test, ood_test · 12 instances\n\npolicy +episodes +reward ± SE +correct /,
    );
    expect(out).toMatch(/\noracle +12 +0\.950 ± 0\.000 +1\.000 +0\.000 +0\.000 +0\.000 +1\.000\n/);
    expect(out).toMatch(/\nno-read +12 +0\.000 ± 0\.000 +0\.000 +0\.000 +0\.000 +1\.000 +0\.\d{3}\n/);
    expect(out).toMatch(/\n {2}[23] hops +\d+ +0\.950/);
  });

  it('gives episodes and summaries as JSON, the same with any number of workers and from a file', async () => {
    const args = ['eval', '--policy', 'random-reader,oracle', '--seed', '7', '--json'];
    const split = ['--split', 'train', '-n', '9'];
    const { out } = await good([...args, ...split, '--workers', '1']);
    expect((await good([...args, ...split, '--workers', '2'])).out).toBe(out);
    const path = hopscope.file('eval.jsonl', lines('train', [0, 1, 2, 3, 4, 5, 6, 7, 8]));
    expect((await good([...args, '--instances', path])).out).toBe(out);

    const rows = parseLines(out);
    expect(rows).toHaveLength(20);
    expect(rows[1]?.['episode']).toMatchObject({
      policy: 'oracle',
      instance_id: 'hs1-train-0',
      split: 'train',
      reward: 0.95,
      correct: true,
      stop: 'answered',
    });
    const [random, oracle] = rows.slice(18).map((row) => row['summary']);
    expect(random).toMatchObject({ policy: 'random-reader', episodes: 9 });
    expect(oracle).toMatchObject({ policy: 'oracle', episodes: 9, reward: 0.95, reward_se: 0, accuracy: 1 });
    expect(oracle).toHaveProperty('by.n_hops.2.accuracy', 1);
  });

  it('takes only what it is asked to take from a file', async () => {
    const path = hopscope.file('eval.jsonl', lines('train', [0, 1, 2, 3, 4]));
    const ids = async (...choice: string[]) =>
      parseLines((await good(['eval', '-p', 'no-read', '--instances', path, '--json', ...choice])).out)
        .slice(0, -1)
        .map((row) => (row['episode'] as { instance_id: string }).instance_id.slice('hs1-train-'.length));
    expect(await ids('-n', '2')).toEqual(['0', '1']);
    expect(await ids('--start', '3')).toEqual(['3', '4']);
    expect(await ids('--indices', '1,3')).toEqual(['1', '3']);
  });

  it('takes no figure over instances of different generators', async () => {
    const foreign = lines('train', [1]).replace('hs1-train-1', 'train-100001000');
    const input = lines('train', [0]) + foreign;
    for (const args of [
      ['eval', '-p', 'oracle', '--instances', '-'],
      ['baselines', '--instances', '-'],
      ['audit', '-'],
    ]) {
      const finished = await hopscope.run(args, { input });
      expect(finished).toMatchObject({ code: 1, out: '' });
      expect(finished.err).toBe(
        'standard input holds instances made by hopscope 1 and by another generator, which are not comparable; ' +
          'work on each set apart.\n',
      );
    }
    await good(['eval', '-p', 'oracle', '--instances', '-'], foreign);
  });

  it('plays under the options it is given', async () => {
    const args = [
      'eval',
      '-p',
      'oracle',
      '-s',
      'train',
      '-n',
      '2',
      '--json',
      '-o',
      'step_budget_base=1',
      '-o',
    ];
    const rows = parseLines((await good([...args, 'step_budget_per_hop=0'])).out);
    expect(rows[0]?.['episode']).toMatchObject({ stop: 'budget-exhausted', steps_used: 1, reward: -0.5 });
  });
});

describe('baselines', () => {
  it('scores shortcuts by group and overall', async () => {
    const { out } = await good(['baselines', '--split', 'id_test,ood_test', '-n', '20']);
    expect(out).toMatch(/^baseline +2 hops +3 hops +4 hops +5 hops +all\n/);
    expect(out).toMatch(/full document( +1\.0000){5}\n/);
    const rows = parseLines((await good(['baselines', '--split', 'id_test', '-n', '20', '--json'])).out);
    expect(rows.at(-1)).toMatchObject({ n: 20, full_document_oracle: 1, no_read_fixed_guess: 0 });
    expect(rows.map((row) => row['n_hops'])).toEqual([2, 3, undefined]);
  });
});

describe('lists', () => {
  it('shows environments and policies', async () => {
    expect((await good(['environments'])).out).toMatch(/\n +train +2,000\n[\s\S]*\ntrain: 2 or 3 hops /);
    expect((await good(['policies'])).out).toMatch(/\noracle +yes\n[\s\S]*\noracle: Knows the evidence /);
  });
});

describe('colour', () => {
  it.each([{ NO_COLOR: '1' }, {}])('is for terminals only: %o', async (env) => {
    const { out, err } = await hopscope.run(['policies'], { env });
    expect(out + err).not.toContain('\u001b');
  });
});
