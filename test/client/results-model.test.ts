/** What the results panel shows, and what it makes of messages that are none of ours. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  readFromPage,
  readPageState,
  readToPage,
  type ToPage,
} from '../../client/webview/results/messages.ts';
import {
  blockSize,
  choose,
  isFiltered,
  type Model,
  missingBlocks,
  plainQuery,
  receive,
  startModel,
  textKey,
  unchoose,
  wantedSteps,
  withQuery,
} from '../../client/webview/results/model.ts';
import type { EpisodeRow, PanelStep, RowPage, StepsPage } from '../../server/src/protocol.ts';

function row(task: number, more: Partial<EpisodeRow> = {}): EpisodeRow {
  return {
    task,
    instance: `i-${task}`,
    rollout: 0,
    groups: {},
    outcome: 'wrong',
    reward: 0,
    stop: 'answered',
    steps: 2,
    minSteps: 2,
    cause: 'guessed',
    causeStep: 2,
    causeHop: null,
    error: null,
    tokens: null,
    note: '',
    ...more,
  };
}

function page(from: number, tasks: readonly number[], total: number, version = 1): RowPage {
  return { version, from, rows: tasks.map((task) => row(task)), total, scored: total, reward: 0 };
}

function step(number: number): PanelStep {
  return {
    step: number,
    kind: 'reply',
    label: null,
    asked: [],
    text: { text: 'a', length: 1 },
    reasoning: 0,
    calls: [],
    became: 'reply',
    finish: null,
    usage: null,
    notes: [],
    gauge: null,
    record: [],
    cost: null,
  };
}

function steps(numbers: readonly number[], next: number | null, causeStep: number | null = 2): StepsPage {
  const unknown = { sentence: null, unwinnableAt: null, unplayed: null, advice: null };
  return { row: row(0, { causeStep }), steps: numbers.map(step), next, total: 9, ...unknown };
}

function told(messages: readonly ToPage[], model: Model = startModel(undefined)): Model {
  return messages.reduce(receive, model);
}

const rows = (at: RowPage, round = 1): ToPage => ({ kind: 'rows', round, page: at });

describe('rows', () => {
  test('are put at their places', () => {
    const model = told([rows(page(0, [4, 2], 5)), rows(page(3, [1], 5))]);
    expect([...model.rows].map(([at, { task }]) => [at, task])).toEqual([
      [0, 4],
      [1, 2],
      [3, 1],
    ]);
    expect(model.found?.total).toBe(5);
  });

  test('of an earlier query are not taken', () => {
    const model = withQuery(told([rows(page(0, [4, 2], 5))]), { text: 'x' });
    expect(model.rows.size).toBe(0);
    expect(told([rows(page(0, [4, 2], 5), 1)], model)).toBe(model);
    expect(told([rows(page(0, [2], 1), 2)], model).rows.size).toBe(1);
  });

  test('are as many in another order, and not known to be with other filters', () => {
    const model = told([rows(page(0, [4, 2], 5))]);
    expect(withQuery(model, { sort: 'reward', descending: true }).found?.total).toBe(5);
    expect(withQuery(model, { text: 'x' }).found).toBeNull();
    expect(withQuery(model, { sort: 'reward', text: 'x' }).found).toBeNull();
  });

  test('that there are no more go away', () => {
    const model = told([rows(page(0, [0, 1, 2], 3)), rows(page(0, [0], 1, 2))]);
    expect([...model.rows.keys()]).toEqual([0]);
    expect(model.version).toBe(2);
  });

  test.each<[string, readonly RowPage[], number, number, readonly number[]]>([
    ['nothing yet', [], 0, 40, [0]],
    ['nothing yet, far down', [], 250, 290, []],
    ['all in sight', [page(0, [0, 1, 2], 3)], 0, 2, []],
    ['the next block', [page(0, blockOf(0), 400)], 90, 130, [100]],
    ['two blocks', [page(0, blockOf(0), 400)], 90, 230, [100, 200]],
    ['the rest of a block that came in pieces', [page(0, [0, 1], 50)], 0, 30, [2]],
    ['beyond the end', [page(0, [0, 1, 2], 3)], 0, 500, []],
  ])('are asked for: %s', (_, pages, first, last, expected) => {
    const model = told(pages.map((it) => rows(it)));
    expect(missingBlocks(model, first, last)).toEqual(expected);
  });

  test('are all had in the end, in whatever pieces they come', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 350 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 120 })),
        (total, sizes) => {
          let model = startModel(undefined);
          for (let asked = 0; asked < 1000; asked++) {
            const [from] = missingBlocks(model, 0, Math.max(0, total - 1));
            if (from === undefined) break;
            const size = sizes.next().value ?? 1;
            const tasks = Array.from({ length: Math.min(size, total - from) }, (_, i) => from + i);
            model = told([rows(page(from, tasks, total))], model);
          }
          expect(model.rows.size).toBe(total);
        },
      ),
    );
  });
});

function blockOf(from: number): readonly number[] {
  return Array.from({ length: blockSize }, (_, i) => from + i);
}

describe('an episode', () => {
  const chosen = choose(told([rows(page(0, [0, 7], 2))]), 1);

  test('is chosen by its row', () => {
    expect(chosen).toMatchObject({ at: 1, task: 7, details: null });
    expect(unchoose(chosen)).toMatchObject({ at: null, task: null });
    expect(choose(chosen, 5)).toMatchObject({ at: 5, task: 7 });
  });

  test('that is no longer looked at is not shown', () => {
    const message: ToPage = { kind: 'steps', task: 0, from: 0, page: steps([1, 2], null) };
    expect(told([message], chosen).details).toBeNull();
  });

  test('comes in portions', () => {
    const model = told(
      [
        { kind: 'steps', task: 7, from: 0, page: steps([1, 2], 2) },
        { kind: 'steps', task: 7, from: 2, page: steps([3], null) },
        // Asked for twice by mistake, or from a place that is not there.
        { kind: 'steps', task: 7, from: 2, page: steps([3], null) },
        { kind: 'steps', task: 7, from: 8, page: steps([9], null) },
      ],
      chosen,
    );
    expect(model.details?.steps.map((it) => it.step)).toEqual([1, 2, 3]);
  });

  test.each<[string, StepsPage, number | null]>([
    ['the cause is further down', steps([1, 2], 2, 4), 2],
    ['the cause is there', steps([1, 2], 2, 2), null],
    ['there is no cause', steps([1, 2], 2, null), null],
    ['there is no more', steps([1, 2], null, 4), null],
  ])('is fetched further when %s', (_, at, expected) => {
    expect(wantedSteps(told([{ kind: 'steps', task: 7, from: 0, page: at }], chosen))).toBe(expected);
  });

  test('has texts that grow', () => {
    const part = { kind: 'asked', at: 1 } as const;
    const text = (from: number, content: string, next: number | null): ToPage => ({
      ...{ kind: 'text', task: 7, at: 0, part, from },
      page: { text: content, next },
    });
    const model = told([text(0, 'ab', 2), text(2, 'cd', null)], chosen);
    expect(model.texts.get(textKey(0, part))).toEqual({ text: 'abcd', next: null });
    expect(told([text(0, 'x', null)], unchoose(chosen)).texts.size).toBe(0);
  });
});

test('what is filtered is told', () => {
  expect(isFiltered(plainQuery)).toBe(false);
  expect(isFiltered({ ...plainQuery, text: '  ', groups: { a: [] } })).toBe(false);
  expect(isFiltered({ ...plainQuery, groups: { a: ['1'] } })).toBe(true);
});

describe('messages', () => {
  test('that are none of ours are nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(readFromPage(value)).toBeUndefined();
        expect(readToPage(value)).toBeUndefined();
        expect(readPageState(value)).toBeUndefined();
      }),
    );
  });

  test.each<[string, unknown]>([
    ['a negative place', { kind: 'steps', task: -1, from: 0 }],
    ['half a place', { kind: 'steps', task: 0.5, from: 0 }],
    ['another kind', { kind: 'delete', task: 1 }],
    ['a query with more than one meaning', { kind: 'rows', round: 1, query: { sort: 1 }, from: 0, count: 1 }],
  ])('are refused with %s', (_, message) => expect(readFromPage(message)).toBeUndefined());

  test('pass as they are', () => {
    const asked = { kind: 'rows', round: 1, query: plainQuery, from: 0, count: 100 };
    expect(readFromPage(asked)).toEqual(asked);
    const message = rows(page(0, [1], 1));
    expect(readToPage(message)).toEqual(message);
    const shown: ToPage = { kind: 'steps', task: 7, from: 0, page: steps([1], null) };
    expect(readToPage(shown)).toEqual(shown);
    const state = { run: 'file:///r', query: plainQuery, tab: 'figures', task: 1, at: 0 };
    expect(readPageState(state)).toEqual(state);
    expect(startModel(readPageState(state))).toMatchObject({ tab: 'figures', task: 1, at: 0 });
  });
});
