/** The loader of the published data set: over our own tasks in its shape, and over files that are wrong. */
import { describe, expect, test } from 'vitest';
import { serving } from '../../../server/src/engine/environments/serving/index.ts';
import type { Instance } from '../../../server/src/engine/environments/serving/instance.ts';
import { defaultOptions } from '../../../server/src/engine/environments/serving/options.ts';
import { findScenario, type Scenario } from '../../../server/src/engine/environments/serving/scenarios.ts';
import type { State } from '../../../server/src/engine/environments/serving/state.ts';
import { streams } from '../../../server/src/engine/environments/serving/stream/index.ts';
import { accept, refuse } from '../../../server/src/engine/problem.ts';
import { exportScenario } from '../../support/serving-export.ts';

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
    expect(new Set(tasks.map(({ source, scenario: name }) => `${name} ${source}`))).toEqual(
      new Set([`published_${id} ServeLearnBench 0102d86`]),
    );
    expect(tasks.every(({ instruction }) => !instruction.startsWith('Current timestamp'))).toBe(true);
  });

  test('is played by the same tools and verified in the same way', () => {
    for (const task of tasks.filter((_, at) => at % 9 === 0)) {
      expect([task.id, serving.validate(task, defaultOptions)]).toEqual([task.id, []]);
      const state = playedBy('oracle', task);
      expect([task.id, serving.outcome(state).reward]).toEqual([task.id, 1]);
      expect(streams.row(state)).toMatchObject({ source: 'ServeLearnBench 0102d86' });
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
  const world = 'environments/banking_l1/world.json';
  const rows: readonly [string, (files: Map<string, string>) => void, string][] = [
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
      'what is right cannot be done',
      (files) => void files.set(tests, (files.get(tests) ?? '').replaceAll('approve_case', 'approve_all')),
      'approve_all refuses what is expected',
    ],
  ];
  test.each(rows)('%s', (_, spoil, error) => {
    const files = new Map(good);
    spoil(files);
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
