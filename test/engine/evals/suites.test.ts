import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSuite, printSuite } from '../../../server/src/engine/evals/suite-file.ts';
import { suiteFromRun } from '../../../server/src/engine/evals/suite-from-run.ts';
import {
  checkSuiteName,
  isPinned,
  type Suite,
  type SuiteMember,
} from '../../../server/src/engine/evals/suites.ts';
import { sketchRun } from '../../support/runs.ts';

const run = sketchRun([
  { instance: 'a', reward: 0.9 },
  { instance: 'b', reward: 0, cause: 'twin' },
  { instance: 'c', reward: 0, cause: 'wandering' },
  { instance: 'd', reward: null },
  { instance: 'b', reward: 0, cause: 'wandering', rollout: 1 },
]);

function made(causes: readonly string[], pin = true): Suite {
  const suite = suiteFromRun(run, { name: 'again', causes, pin }, null);
  return suite.ok ? suite.value : expect.fail(suite.error);
}

describe('suiteFromRun', () => {
  it.each<[readonly string[], readonly string[]]>([
    [[], ['b', 'c']],
    [['twin'], ['b']],
    [['wandering'], ['b', 'c']],
    [
      ['provider-error', 'twin'],
      ['b', 'd'],
    ],
  ])('takes those that failed by %j: %j', (causes, ids) => {
    const suite = made(causes);
    expect(suite.members.map(({ id }) => id)).toEqual(ids);
    expect(isPinned(suite)).toBe(true);
    expect(suite.origin).toEqual({
      run: '0a1b2c3d',
      label: 'id_test',
      chosen: causes.length > 0 ? causes : ['failed'],
    });
  });

  it('names what there is when nothing was chosen', () => {
    expect(suiteFromRun(run, { name: 'x', causes: ['guessed'], pin: true }, null)).toMatchObject({
      error: 'No episode of the run failed by guessed: its causes are provider-error, twin, wandering',
    });
    expect(
      suiteFromRun(sketchRun([{ instance: 'a', reward: 1 }]), { name: 'x', causes: [], pin: true }, null),
    ).toMatchObject({ error: 'No scored episode of the run failed (it has no failures)' });
  });

  it('asks for the file of instances that have no number', () => {
    const [episode] = run.episodes.slice(1);
    const foreign = { ...run, episodes: episode === undefined ? [] : [{ ...episode, index: null }] };
    const choice = { name: 'x', causes: [], pin: true };
    expect(suiteFromRun(foreign, choice, null)).toMatchObject({ ok: false });
    expect(suiteFromRun(foreign, choice, 'their.jsonl')).toMatchObject({
      value: { members: [{ source: { file: 'their.jsonl', id: 'b' } }] },
    });
  });
});

describe('suite files', () => {
  it('come back as they were written', () => {
    const text = fc.string({ minLength: 1, unit: 'binary' });
    const hash = fc.option(text);
    const member: fc.Arbitrary<SuiteMember> = fc.oneof(
      fc.record({ source: fc.record({ split: text, index: fc.nat() }), id: fc.option(text), hash }),
      fc
        .record({ file: text, id: text, hash })
        .map((it) => ({ source: { file: it.file, id: it.id }, id: it.id, hash: it.hash })),
    );
    const members = fc.uniqueArray(member, {
      minLength: 1,
      selector: ({ source }) =>
        'file' in source ? `${source.id} of ${source.file}` : `${source.split} ${source.index}`,
    });
    fc.assert(
      fc.property(
        members,
        text,
        fc.dictionary(fc.stringMatching(/^[a-z]+_[a-z]+$/), fc.nat()),
        (list, environment, given) => {
          const options = JSON.parse(JSON.stringify(given));
          const suite: Suite = { ...made([]), members: list, environment, options };
          const printed = printSuite(suite);
          expect(parseSuite(printed)).toEqual({ ok: true, value: suite });
          expect(printed.endsWith('}\n')).toBe(true);
        },
      ),
    );
  });

  it('have a line for each instance', () => {
    expect(printSuite(made(['twin'], false))).toBe(
      `{
  "format": 1,
  "name": "again",
  "environment": "navigator",
  "generator_version": 1,
  "from": {
    "run": "0a1b2c3d",
    "label": "id_test",
    "chosen": [
      "twin"
    ]
  },
  "instances": [
    {"split":"id_test","index":1,"id":"b"}
  ]
}
`,
    );
  });

  it('can be written by hand, with several numbers at once', () => {
    const suite = parseSuite(
      '{"format":1,"name":"few","environment":"navigator","instances":[{"split":"id_test","indices":[3,1]}]}',
    );
    expect(suite).toMatchObject({
      value: { members: [{ source: { split: 'id_test', index: 3 } }, { source: { index: 1 } }], options: {} },
    });
  });

  it.each([
    ['', 'is not valid JSON'],
    ['[]', 'is no suite'],
    ['{"format":2}', 'is no suite: format: is not the format this version reads: 1'],
    ['{"format":1,"name":"x","environment":"e","instances":[]}', 'names at least one instance'],
    [
      '{"format":1,"name":"../x","environment":"e","instances":[{"split":"s","indices":[1]}]}',
      'a suite has a name',
    ],
    [
      '{"format":1,"name":"x","environment":"e","instances":[{"split":"s","indices":[1,1]}]}',
      'names the instance s 1 twice',
    ],
    [
      '{"format":1,"name":"x","environment":"e","instances":[{"split":"s","indices":[-1]}]}',
      'is no suite: instances',
    ],
  ])('%s: %s', (content, error) => {
    expect(parseSuite(content)).toMatchObject({ ok: false, error: expect.stringContaining(error) });
  });

  it('never make the reader fail', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (content) => parseSuite(content).ok === false));
    fc.assert(fc.property(fc.json(), (content) => parseSuite(content).ok === false));
  });
});

it.each([
  ['twins', true],
  ['Zwillinge, alt', false],
  ['Zwillinge 2', true],
  ['', false],
  ['.hidden', false],
  ['a/b', false],
  ['x'.repeat(81), false],
])('may a suite be called %j: %s', (name, ok) => {
  expect(checkSuiteName(name).ok).toBe(ok);
});
