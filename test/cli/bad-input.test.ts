import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand, expectNoCrash, type HopscopeCommand } from '../support/command.ts';
import { smallInstance } from '../support/small-instance.ts';

let hopscope: HopscopeCommand;
beforeAll(async () => {
  hopscope = await buildCommand();
});
afterAll(() => hopscope.remove());

/** A command line that must be refused: nothing on standard output, the message on standard error. */
async function refused(
  args: readonly string[],
  code: 1 | 2,
  message: string | RegExp,
  input?: string | Uint8Array,
) {
  const finished = await hopscope.run(args, input === undefined ? {} : { input });
  expectNoCrash(finished);
  expect(finished.out).toBe('');
  expect(finished.err.trimEnd()).toMatch(message);
  expect(finished.err.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  expect(finished.code).toBe(code);
}

describe('the command line', () => {
  const cases: [string, string | RegExp][] = [
    ['generat --split train', /unknown command 'generat'.*\n\(Did you mean generate\?\)/],
    ['generate -s train --wrokers 2', /unknown option '--wrokers'.*\n\(Did you mean --workers\?\)/],
    ['generate', /required option '-s, --split <name>' not specified/],
    ['generate -s trian', 'navigator has no split trian. Did you mean train?'],
    [
      'generate -s validation',
      'navigator has no split validation. Known: train, id_test, ood_test, scale_test.',
    ],
    [
      'generate -s train --environment navigater',
      'There is no environment navigater. Did you mean navigator?',
    ],
    ['generate -s train extra', /too many arguments/],
    ['generate -s train -n 0', /'0' is invalid\. Give a whole number from 1 to 1000000\.$/],
    ['generate -s train -n -5', /'-5' is invalid\. Give a whole number from 1 to 1000000\.$/],
    ['generate -s train -n 1e3', /'1e3' is invalid\. Give a whole number from 1 to 1000000\.$/],
    ['generate -s train -n 99999999999999999999', /is invalid\. Give a whole number from 1 to 1000000\.$/],
    ['generate -s train --start -1', /'-1' is invalid\. Give a whole number from 0 to 999999999\.$/],
    [
      'generate -s train --start 2000',
      /^Split train has 2000 instances, so none is left from 2000 on; say how many/,
    ],
    ['generate -s train --start 999999999 -n 2', 'The highest index is 999999999.'],
    ['generate -s train -s id_test', /option '-s, --split <name>' is there twice; give it once$/],
    ['generate -s train --indices 5-3', /The range 5-3 runs backwards\.$/],
    ['generate -s train --indices one', /Give indices like 0-9,20,300-310\.$/],
    [
      'generate -s train --indices 1 -n 3',
      /option '--indices <list>' cannot be used with option '-n, --count <n>'/,
    ],
    ['generate -s train --workers 0', /Give a whole number from 1 to 64\.$/],
    [
      'generate -s train -o ceiling',
      /^Bad --option ceiling: write options as key=value, e\.g\. context_ceiling=900\.$/,
    ],
    [
      'generate -s train -o lossy_reference --environment log-compression',
      /^Bad --option lossy_reference: write options as key=value, e\.g\. lossy_reference=true\.$/,
    ],
    [
      'generate -s train --environment log-compression -o cases=timestamp -o x',
      /^Bad --option x: write options as key=value, e\.g\. cases=timestamp,false_positive\.$/,
    ],
    ['validate inventory -o -', /^Bad --option -: write options as key=value, e\.g\. n_chunks=5\.$/],
    [
      'generate -s train --environment log-compression -o cases=timestamp,stamps',
      /^Bad --option: cases must be one of .* not "stamps"\.$/,
    ],
    [
      'generate -s train -o ceiling=1',
      /^Bad --option: navigator has no option "ceiling"; it has context_ceiling, /,
    ],
    [
      'generate -s train -o context_ceiling=-5',
      /^Bad --option: context_ceiling must be a whole number from 1 to /,
    ],
    ['generate -s train -o n_hops=1e9', /^Bad --option: n_hops must be a whole number from 1 to /],
    ['generate -s train -o n_hops=two', /^Bad --option: n_hops must be .*, not "two"\.$/],
    ['generate -s train -o reward.beta=-1', /^Bad --option: reward\.beta /],
    ['generate -s train -o reward=5', /^Bad --option: reward must be an object/],
    [
      'generate -s train -n 1 -o doc_tokens=7999',
      /^Bad --option: doc_tokens must be a whole number from 8000 /,
    ],
    ['eval -p oracle -s train -o step_budget_base=10001', /step_budget_base must be .* from 0 to 10000, not/],
    [
      'eval -p oracle -s train -o step_budget_per_hop=1001',
      /step_budget_per_hop must be .* from 0 to 1000, not/,
    ],
    ['generate -s train -n 1 --out .', 'Cannot write .: it is a folder; name a file.'],
    [
      'generate -s train -n 1 --out no/where',
      /^Cannot write no\/where: there is no such file or folder; check the path\.$/,
    ],
    ['eval -s train', /^Name a step prompt for a model to play with, or policies with --policy\.$/],
    [
      'eval -p oracle',
      /^Name a split with --split \(train, id_test, ood_test, scale_test\), or a file of instances\.$/,
    ],
    ['eval -p orcale -s train', 'navigator has no policy orcale. Did you mean oracle?'],
    ['eval -p gpt -s train', /^navigator has no policy gpt\. Known: oracle, /],
    ['eval -p oracle,oracle -s train', /A name is there twice\.$/],
    ['eval -p oracle -p oracle -s train', /A name is there twice\.$/],
    ['eval -p oracle -s train --seed 1 --seed 1', /option '--seed <text>' is there twice; give it once$/],
    ['eval -p oracle -s train,', /Give names separated by single commas\.$/],
    [
      'eval -p oracle -s train --instances a.jsonl',
      /option '--instances <files\.\.\.>' cannot be used with option '-s, --split/,
    ],
    ['audit', /^Name a split with --split/],
    ['audit a.jsonl -s train', 'Name a split or files of instances, not both.'],
    ['inspect', 'Name an instance: --split with --index, or --file with --id.'],
    ['inspect -s train --id x', '--id goes with --file; in a split, use --index.'],
    ['inspect -s train --index -1', /Give a whole number from 0 to 999999999\.$/],
    ['replay --episodes a.jsonl', /required option '--instances <files\.\.\.>' not specified/],
    ['replay --instances - --episodes -', 'Standard input can give instances or episodes, not both.'],
    ['policies --environment nav', /^There is no environment nav\./],
    ['help generat', 'There is no command generat. Did you mean generate?'],
    ['generat --help', 'There is no command generat. Did you mean generate?'],
    ['generate --splt train', /unknown option '--splt'\n\(Did you mean --split\?\)$/],
  ];
  it.each(cases)('%s', (line, message) => refused(line.split(' '), 2, message));

  it.each([
    [
      ['generate', '-s', 'train', '--out', ''],
      "error: option '--out <file>' argument '' is invalid. Give a path.",
    ],
    [['inspect', '--file', ''], "error: option '--file <file>' argument '' is invalid. Give a path."],
    [['validate', ''], 'Cannot read "": there is no such file or folder; check the path.'],
    [['generate', '-s', ''], /^navigator has no split ""\. Known: /],
    [['docs', ''], /^There is no environment ""\. /],
    [['help', ''], /^There is no command ""\. /],
    [['a\u001b[31m\nb'], "error: unknown command 'a\\u001b[31m\\nb'"],
    [['generate', '--a\u0007\n'], "error: unknown option '--a\\u0007\\n'"],
    [['generate', '-s', 'a\u202eb\n'], /^navigator has no split a\\u202eb\\n\. /],
    [['validate', 'a\u001b\nb'], /^Cannot read a\\u001b\\nb: there is no such file/],
  ])('%j', (args, message) => refused(args, 2, message));

  it('without a command shows the help', async () => {
    const finished = await hopscope.run([]);
    expect(finished).toMatchObject({ code: 2, out: '' });
    expect(finished.err).toContain('Usage: hopscope');
  });
});

describe('paths', () => {
  /** Every command that reads a file. */
  const readers: readonly (readonly string[])[] = [
    ['validate', '@'],
    ['audit', '@'],
    ['eval', '-p', 'oracle', '--instances', '@'],
    ['baselines', '--instances', '@'],
    ['inspect', '--file', '@'],
    ['replay', '--instances', '@', '--episodes', '-'],
    ['replay', '--instances', '/dev/null', '--episodes', '@'],
  ];
  describe.each(readers.map((args) => [args.join(' '), args] as const))('%s', (_, args) => {
    const on = (path: string) => args.map((arg) => (arg === '@' ? path : arg));

    it('no such file', () =>
      refused(
        on('none.jsonl'),
        2,
        'Cannot read none.jsonl: there is no such file or folder; check the path.',
      ));

    it('a folder', async () => {
      mkdirSync(join(hopscope.folder, 'folder'), { recursive: true });
      await refused(on('folder'), 2, 'Cannot read folder: it is a folder; name a file.');
    });

    // Permissions would not do: root may read everything.
    it('a link that leads to itself', async () => {
      const link = join(hopscope.folder, 'loop.jsonl');
      if (!readdirSync(hopscope.folder).includes('loop.jsonl')) symlinkSync('loop.jsonl', link);
      await refused(on('loop.jsonl'), 2, 'Cannot read loop.jsonl: its links lead in a circle.');
    });

    it('an empty file', async () => {
      hopscope.file('empty.jsonl', '');
      const finished = await hopscope.run(on('empty.jsonl'));
      expectNoCrash(finished);
      expect(finished).toMatchObject({ code: 1, out: '' });
      expect(finished.err).toMatch(/^There (is|was) no (instance|episode) .*\.\n$/);
    });

    it('a file of something else', async () => {
      hopscope.file('foreign.jsonl', Buffer.from('\u007fELF\0\0\nid,question\n{"id":1}\n\u0000\n{"a":[\n'));
      const finished = await hopscope.run(on('foreign.jsonl'));
      expectNoCrash(finished);
      expect(finished.code).toBe(1);
      expect(finished.err).toMatch(/foreign\.jsonl line 1 holds NUL characters, so it is not JSON text\.\n/);
      expect(finished.err).toMatch(/foreign\.jsonl line 2 is not valid JSON at character 1, "i"\.\n/);
      expect(finished.err).toMatch(/foreign\.jsonl line 5 is cut off after 6 characters\.\n/);
    });
  });
});

describe('instances', () => {
  const text = (changes: object) => JSON.stringify({ ...smallInstance, ...changes });
  const cases: [string, string, RegExp][] = [
    ['a missing field', text({ answer: undefined }), /line 1 is no navigator instance: it has no answer\./],
    [
      'a field of another type',
      text({ chunks: 'many' }),
      /line 1 is no navigator instance: chunks must be a list, not "many"\./,
    ],
    [
      'a chunk out of place',
      text({ chunks: [...smallInstance.chunks].reverse() }),
      /line 1 is no navigator instance: chunks\.0\.idx is 6, but/,
    ],
    [
      'evidence nowhere',
      text({ evidence: smallInstance.evidence.map((it) => ({ ...it, chunk_idx: 99 })) }),
      /line 1 holds train-small, which is not sound \(evidence_missing:hop0/,
    ],
    [
      'absurd numbers',
      text({ n_hops: 1e308 }),
      /line 1 is no navigator instance: n_hops must be a whole number, not 1e\+308\./,
    ],
    ['a list', '[1,2]', /line 1 holds JSON, but not an object/],
  ];
  it.each(cases)('%s', async (_, line, message) => {
    const input = `${line}\n`;
    for (const command of [
      ['audit', '-'],
      ['eval', '-p', 'oracle', '--instances', '-'],
      ['baselines', '--instances', '-'],
    ]) {
      const finished = await hopscope.run(command, { input });
      expectNoCrash(finished);
      expect(finished).toMatchObject({ code: 1, out: '' });
      expect(finished.err).toMatch(message);
    }
    const validated = await hopscope.run(['validate', '--json', '-'], { input });
    expectNoCrash(validated);
    expect(validated.code).toBe(1);
  });

  it('says which lines, up to a limit, and how many more', async () => {
    const finished = await hopscope.run(['validate', '-'], { input: 'x\n'.repeat(100_000) });
    expect(finished.code).toBe(1);
    const lines = finished.err.trimEnd().split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[19]).toBe('standard input line 20 is not valid JSON at character 1, "x".');
    expect(lines[20]).toBe('… and 99980 more problems.');
    expect(finished.out).toBe('0 sound, 100,000 lines that are no instance\n');
  });

  it('guesses a mistyped id', () =>
    refused(
      ['inspect', '--file', '-', '--id', 'train-smal'],
      2,
      'standard input holds no instance train-smal. Did you mean train-small?',
      text({}),
    ));

  it('knows how many there are', () =>
    refused(
      ['inspect', '--file', '-', '--index', '5'],
      2,
      'standard input holds 1 instance, counted from 0, so none at 5.',
      text({}),
    ));

  it('says why there is no instance at an index', () =>
    refused(
      ['inspect', '--split', 'train', '-o', 'doc_tokens=1000000'],
      1,
      /^There is no instance 0 of train: none of 50 attempts .*name_space_exhausted 50 times.*\.$/,
    ));

  it('goes on after an index that has no instance, and says nothing about a set of none', async () => {
    const out = ['--out', 'none.jsonl'];
    const finished = await hopscope.run([
      'generate',
      '-s',
      'train',
      '-n',
      '2',
      '-o',
      'doc_tokens=1000000',
      ...out,
    ]);
    expectNoCrash(finished);
    expect(finished).toMatchObject({ code: 1, out: '' });
    expect(finished.err).toMatch(/^(There is no instance [01] of train: none of 50 attempts .*\n){2}$/);
    expect(readdirSync(hopscope.folder).filter((name) => name.startsWith('none.jsonl'))).toEqual([]);
  });
});
