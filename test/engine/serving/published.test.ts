/** The loader of the published data set: over our own tasks in its shape, and over files that are wrong. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scenarioTasks } from '../../../server/src/engine/environments/serving/build.ts';
import { serving } from '../../../server/src/engine/environments/serving/index.ts';
import type { Instance } from '../../../server/src/engine/environments/serving/instance.ts';
import { defaultOptions } from '../../../server/src/engine/environments/serving/options.ts';
import { dataSet, fingerprint } from '../../../server/src/engine/environments/serving/published/manifest.ts';
import { pythonJson } from '../../../server/src/engine/environments/serving/published/python-json.ts';
import { findScenario, type Scenario } from '../../../server/src/engine/environments/serving/scenarios.ts';
import type { State } from '../../../server/src/engine/environments/serving/state.ts';
import { streams } from '../../../server/src/engine/environments/serving/stream/index.ts';
import { accept, refuse } from '../../../server/src/engine/problem.ts';
import { exportScenario, sign } from '../../support/serving-export.ts';

function scenario(id: string): Scenario {
  const found = findScenario(id);
  if (found === undefined) throw new Error(`There is no scenario ${id}.`);
  return found;
}

function open(files: ReadonlyMap<string, string>) {
  const published = streams.published?.open((path) => {
    const content = files.get(path);
    return content === undefined ? refuse(`there is no ${path}`) : accept(content);
  });
  if (published === undefined) throw new Error('nobody publishes anything');
  return published;
}

function tasksOf(files: ReadonlyMap<string, string>, id: string): Instance[] {
  const opened = open(files).open(`published_${id}`);
  if (!opened.ok) throw new Error(opened.error);
  return opened.value.flatMap(({ serving: some, test: others }) => [...some, ...others]);
}

function playedBy(policyId: string, instance: Instance): State {
  const player = serving.policies.find(({ id }) => id === policyId)?.begin(instance, '0');
  let state = serving.start(instance, defaultOptions);
  while (player !== undefined && serving.next(state).kind === 'reply')
    state = serving.advance(state, player(state));
  return state;
}

describe.each(['retail_l1', 'banking_l2', 'pitch_l1'])('%s in the published shape', (id) => {
  const files = exportScenario(scenario(id));
  const tasks = tasksOf(files, id);

  test('has all its tasks, under another name and source', () => {
    const { serving: some, test: others } = {
      serving: tasks.filter(({ phase }) => phase === 'serving'),
      test: tasks.filter(({ phase }) => phase === 'test'),
    };
    const { windows } = scenario(id);
    expect(some).toHaveLength(windows.reduce((sum, it) => sum + it.serving, 0));
    expect(others).toHaveLength(windows.reduce((sum, it) => sum + it.hidden + it.specified, 0));
    const sources = new Set(tasks.map(({ source, scenario: name }) => `${name} ${source}`));
    expect([...sources]).toEqual([
      expect.stringMatching(`^published_${id} another export in the format of ServeLearnBench, [0-9a-f]{8}$`),
    ]);
    expect(tasks.every(({ instruction }) => !instruction.startsWith('Current timestamp'))).toBe(true);
  });

  test('is played by the same tools and verified in the same way', () => {
    for (const task of tasks.filter((_, at) => at % 9 === 0)) {
      expect([task.id, serving.validate(task, defaultOptions)]).toEqual([task.id, []]);
      const state = playedBy('oracle', task);
      expect([task.id, serving.outcome(state).reward]).toEqual([task.id, 1]);
      expect(streams.row(state)).toMatchObject({ source: task.source });
    }
  });

  test.each(serving.policies.map((it) => it.id))(
    '%s does there what it does on ours, or cannot play',
    (policy) => {
      const why = streams.unplayable?.(policy, `published_${id}`) ?? null;
      if (why !== null) return expect(policy).toMatch(/^(documents|remembering)$/);
      const { serving: some, test: others } = scenarioTasks(scenario(id), 0);
      const own = new Map([...some, ...others].map((task) => [task.id, task]));
      const sample = tasks.filter((_, at) => at % 7 === 0);
      const rewards = (list: readonly Instance[]) =>
        list.map((task) => serving.outcome(playedBy(policy, task)).reward);
      // What is left to chance goes by the id.
      const ours = sample.flatMap((task) => {
        const found = own.get(task.id.replace(`published_${id}-`, ''));
        return found === undefined ? [] : [{ ...found, id: task.id }];
      });
      expect(ours).toHaveLength(sample.length);
      expect(rewards(sample)).toEqual(rewards(ours));
    },
  );

  test('nobody is told that the documents were followed, which are not ours', () => {
    for (const task of tasks.filter((_, at) => at % 11 === 0)) {
      const state = playedBy('finish-at-once', task);
      expect(serving.explain?.([state])?.cause ?? null).not.toBe('followed-documents');
    }
  });

  test('shows what is read, and nothing that is accepted', () => {
    const [task] = tasks;
    if (task === undefined) throw new Error('no task');
    const state = serving.start(task, defaultOptions);
    expect(JSON.stringify(state.world)).not.toContain('_accept');
    const need = serving.next(state);
    const names = need.kind === 'reply' ? need.tools?.map(({ name }) => name) : [];
    expect(names).toContain('finish');
    const documents = String(serving.observe(state)['documents_text']);
    expect(documents.includes('policy')).toBe(task.domain !== 'pitch');
    expect(streams.bulletin(task)).not.toBe('');
  });
});

test('averages of published streams are over those alone', () => {
  const row = { phase: 'test', window: 0, timestamp: 1, category: 'hidden', reward: 1 } as const;
  const published = open(new Map());
  expect(published.score([{ ...row, stream: 'retail_l1' }]).scores).toEqual([]);
  expect(published.score([{ ...row, stream: 'published_retail_l1' }]).scores).toHaveLength(1);
  expect(streams.score([{ ...row, stream: 'published_retail_l1' }]).scores).toEqual([]);
});

describe('files that are wrong', () => {
  const good = exportScenario(scenario('banking_l1'));
  const tests = 'data/banking_l1/test.jsonl';
  const serves = 'data/banking_l1/serving.jsonl';
  const world = 'environments/banking_l1/world.json';
  const rows: readonly [string, (files: Map<string, string>) => void, string | RegExp][] = [
    ['one is missing', (files) => void files.delete(world), `there is no ${world}`],
    [
      'tasks are no JSON',
      (files) => void files.set(tests, '{\n'),
      `${tests} line 1 is no task of the published shape`,
    ],
    [
      'a field is missing',
      (files) => void files.set(tests, '{"task_id":"x"}\n'),
      `${tests} line 1 is no task`,
    ],
    [
      'the world is another',
      (files) => void files.set(world, '{"accounts":{}}'),
      `${world} is no world of the published shape`,
    ],
    [
      'cases are gone',
      (files) =>
        void files.set(world, JSON.stringify({ ...JSON.parse(files.get(world) ?? ''), transactions: {} })),
      'its order or case is not in the world',
    ],
    [
      'tools are none',
      (files) => void files.set('environments/banking_l1/tools.json', '{}'),
      'tools.json is no list of tools',
    ],
    [
      'windows are none',
      (files) => void files.set('environments/banking_l1/windows.json', '3'),
      'windows.json is no list of windows',
    ],
    [
      'a task is missing',
      (files) => void files.set(tests, (files.get(tests) ?? '').replace(/^.*\n/, '')),
      `${tests} has 40 tasks of window 0 in place of 41`,
    ],
    [
      'a task is there twice',
      (files) => void files.set(tests, (files.get(tests) ?? '').replace(/^(.*\n).*\n/, '$1$1')),
      'the data of banking_l1 have two tasks published_banking_l1-',
    ],
    [
      'a category is another',
      (files) => void files.set(tests, (files.get(tests) ?? '').replaceAll('"hidden"', '"fully_specified"')),
      `${tests} has 0 tasks of hidden in place of 84`,
    ],
    [
      'serving tasks are in another order',
      (files) => void files.set(serves, (files.get(serves) ?? '').replace(/^(.*\n)(.*\n)/, '$2$1')),
      'at position 2 in place of 1',
    ],
    [
      'test tasks are dated otherwise',
      (files) =>
        void files.set(tests, (files.get(tests) ?? '').replaceAll('"timestamp":84', '"timestamp":83')),
      'in place of 84',
    ],
    [
      'the tasks are of another scenario',
      (files) => void files.set(tests, (files.get(tests) ?? '').replaceAll('"banking_l1"', '"banking_l2"')),
      'whose scenario is banking_l2',
    ],
    [
      'the files of the phases are the wrong way round',
      (files) => void files.set(tests, files.get(serves) ?? ''),
      'whose split is serving',
    ],
    [
      'a window does not exist',
      (files) => void files.set(tests, (files.get(tests) ?? '').replace('"window":0', '"window":-1')),
      'is of a window -1',
    ],
    [
      'what is right cannot be done',
      (files) => void files.set(tests, (files.get(tests) ?? '').replaceAll('approve_case', 'approve_all')),
      'it expects approve_all, and there is no such tool',
    ],
    [
      'what is right is refused',
      (files) =>
        void files.set(
          tests,
          (files.get(tests) ?? '').replace(/"kwargs":\{"case_id":"[^"]*"/, '"kwargs":{"case_id":"none"'),
        ),
      /refuses what is expected: \w/,
    ],
    ...['__proto__', '', ' ', 'a b', 'a\u0007', 'x'.repeat(201)].map((id): (typeof rows)[number] => [
      `a task is called ${JSON.stringify(id).slice(0, 20)}`,
      (files) =>
        void files.set(
          tests,
          (files.get(tests) ?? '').replace(/"task_id":"[^"]*"/, () => `"task_id":${JSON.stringify(id)}`),
        ),
      `${tests} line 1 is no task of the published shape: task_id is not what it has to be`,
    ]),
    [
      'a task asks for nothing',
      (files) =>
        void files.set(tests, (files.get(tests) ?? '').replace(/"instruction":"[^"]*"/, '"instruction":" "')),
      'instruction is not what it has to be',
    ],
    [
      'a task is endless',
      (files) =>
        void files.set(
          tests,
          (files.get(tests) ?? '').replace('"instruction":"', `"instruction":"${'x'.repeat(200_000)}`),
        ),
      /line 1 is no task of the published shape: it has 20\d,\d{3} characters, more than 200,000/,
    ],
  ];
  test.each(rows)('%s', (_, spoil, error) => {
    const files = new Map(good);
    spoil(files);
    sign(files, 'banking_l1');
    const opened = open(files).open('published_banking_l1');
    const said = opened.ok ? '' : opened.error;
    if (typeof error === 'string') expect(said).toContain(error);
    else expect(said).toMatch(error);
  });

  test.each([
    [
      'world.json',
      '"state":"',
      '"state":"X',
      'world.json is not the published one: its fingerprint begins with',
    ],
    ['tools.json', 'read_docs', 'read_doc', 'tools.json is not the published one'],
    ['windows.json', '"oracle_bulletin":"', '"oracle_bulletin":"x', 'windows.json is not the published one'],
  ])('%s is not what the fingerprints say', (name, from, to, error) => {
    const files = new Map(good);
    const file = `environments/banking_l1/${name}`;
    files.set(file, (files.get(file) ?? '').replace(from, to));
    const opened = open(files).open('published_banking_l1');
    expect(opened.ok ? '' : opened.error).toContain(error);
  });

  test('without fingerprints of its own an export is held against those that were published', () => {
    const files = new Map(good);
    files.delete('fingerprints.json');
    const opened = open(files).open('published_banking_l1');
    expect(opened.ok ? '' : opened.error).toContain('in place of 16b236c35ad7');
  });

  test.each([
    ['{', 'fingerprints.json is no valid JSON'],
    ['{"banking_l1": {"world": 3}}', 'fingerprints.json is no list of fingerprints'],
    ['{}', 'fingerprints.json knows nothing of banking_l1'],
  ])('fingerprints %s are told of', (text, error) => {
    const files = new Map(good).set('fingerprints.json', text);
    const opened = open(files).open('published_banking_l1');
    expect(opened.ok ? '' : opened.error).toContain(error);
  });

  test('a stream that there is not', () => {
    expect(open(good).open('published_retail_l9')).toEqual({
      ok: false,
      error: 'there is no published stream "published_retail_l9"',
    });
  });
});

describe('fingerprints', () => {
  test('are taken over what Python prints', () => {
    const text =
      '{"b": [1620.0, 1e3, -0.5], "a": {"z": "K\\u00f3 😀\\u007f\\n\\"/", "é": null, "Z": true}, "": []}';
    expect(pythonJson(text)).toBe(
      '{"": [], "a": {"Z": true, "z": "K\\u00f3 \\ud83d\\ude00\\u007f\\n\\"/", "\\u00e9": null}, "b": [1620.0, 1e3, -0.5]}',
    );
    // As published for a scenario without a world.
    expect(fingerprint(pythonJson(' { } ') ?? '')).toMatch(/^44136fa355b3678a/);
    expect(pythonJson('{"a": 1,}')).toBeNull();
  });

  test('of any JSON are those of its value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.parse(pythonJson(text) ?? '')).toEqual(JSON.parse(text));
        expect(pythonJson(JSON.stringify(JSON.parse(text), null, 3))).toBe(pythonJson(text));
      }),
    );
  });

  test('the manifest has the files of nine scenarios', () => {
    expect(dataSet.files).toHaveLength(3 * 4 + 6 * 7);
    expect(new Set(dataSet.files.map(({ path }) => path)).size).toBe(dataSet.files.length);
  });
});
