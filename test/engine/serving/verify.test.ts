/** Answers that count, tools that refuse, and the database that decides. */
import { describe, expect, test } from 'vitest';
import { scenarioTasks } from '../../../server/src/engine/environments/serving/build.ts';
import { canonical } from '../../../server/src/engine/environments/serving/database.ts';
import type { Compare } from '../../../server/src/engine/environments/serving/evaluator.ts';
import { serving } from '../../../server/src/engine/environments/serving/index.ts';
import type { Instance } from '../../../server/src/engine/environments/serving/instance.ts';
import { defaultOptions } from '../../../server/src/engine/environments/serving/options.ts';
import { callReply } from '../../../server/src/engine/environments/serving/policies/calls.ts';
import { hiddenRules, reopenedRules } from '../../../server/src/engine/environments/serving/retail/policy.ts';
import { daysAgo, daysSince } from '../../../server/src/engine/environments/serving/retail/tables.ts';
import { findScenario } from '../../../server/src/engine/environments/serving/scenarios.ts';
import { callTool, openWorld } from '../../../server/src/engine/environments/serving/toolbox.ts';
import { finishFits, valueFits } from '../../../server/src/engine/environments/serving/verify.ts';

describe('values', () => {
  const rows: readonly [string, unknown, Compare, boolean][] = [
    ['12', 12, 'int', true],
    ['It is 12.', 12, 'int', true],
    ['12 of 14', 12, 'int', false],
    ['12.5', 12.5, 'int', false],
    ['', 0, 'int', false],
    ['none', 0, 'int', false],
    ['$1,234.50', 1234.5, 'float', true],
    ['1234.509', 1234.5, 'float', true],
    ['1234.52', 1234.5, 'float', false],
    ['-$12.30', -12.3, 'float', true],
    ['−12.30', -12.3, 'float', true],
    ['$-12.30', -12.3, 'float', true],
    ['12.30', -12.3, 'float', false],
    ['12.30', '12.30', 'float', true],
    ['from 10 to 12.30', 12.3, 'float', false],
    ['W-123 ', 'w123', 'str_norm', true],
    ['W-124', 'w123', 'str_norm', false],
    ['b, a', ['A', 'B'], 'set', true],
    ['a; b\nc', 'a,b,c', 'set', true],
    ['a', ['a', 'b'], 'set', false],
  ];
  test.each(rows)('%j against %j by %s: %s', (given, expected, compare, fits) => {
    expect(valueFits(given, expected, compare)).toBe(fits);
  });
});

describe('finishes', () => {
  test.each([
    [{ kind: 'action' }, {}, true],
    [{ kind: 'action' }, { decision: 'refuse', reason: 'x' }, false],
    [{ kind: 'refuse', reasons: ['a', 'b'] }, { decision: 'refuse', reason: 'b' }, true],
    [{ kind: 'refuse', reasons: ['a', 'b'] }, { decision: 'Refused', reason: 'a' }, true],
    [{ kind: 'refuse', reasons: ['a'] }, { decision: 'refuse', reason: 'c' }, false],
    [{ kind: 'refuse', reasons: ['a'] }, {}, false],
    [{ kind: 'value', expect: 3, compare: 'int' }, { answer: '3' }, true],
    [{ kind: 'value', expect: 3, compare: 'int' }, {}, false],
    [{ kind: 'value', expect: 3, compare: 'int' }, { answer: '3', decision: 'refuse', reason: 'a' }, false],
  ] as const)('%j takes %j: %s', (answer, finish, fits) => {
    expect(finishFits(answer, finish)).toBe(fits);
  });
});

function tasks(id: string): readonly Instance[] {
  const found = findScenario(id);
  if (found === undefined) throw new Error(`There is no scenario ${id}.`);
  const { serving: some, test: others } = scenarioTasks(found, 0);
  return [...some, ...others];
}

test('tools never tell what holds: the same call gives the same answer in every window', () => {
  for (const id of ['retail_l1', 'retail_l3', 'banking_l2']) {
    for (const task of tasks(id).filter((_, at) => at % 40 === 0)) {
      const answers = [0, 3, 5].map((window) => {
        const moved = { ...task, window, rules: window };
        return task.evaluator.actions.map(
          ({ name, kwargs }) => callTool(moved, openWorld(moved), name, kwargs).text,
        );
      });
      expect(new Set(answers.map((it) => JSON.stringify(it))).size).toBe(1);
    }
  }
});

test('money is kept: a cancelled order gives back just what was paid', () => {
  const cancelled = tasks('retail_l1').filter(
    ({ evaluator: { actions } }) => actions[0]?.name === 'cancel_pending_order',
  );
  expect(cancelled.length).toBeGreaterThan(10);
  for (const task of cancelled) {
    const [action] = task.evaluator.actions;
    const { world } = callTool(task, openWorld(task), action?.name ?? '', action?.kwargs ?? {});
    const order = world.domain === 'retail' ? Object.values(world.db.own.orders)[0] : undefined;
    const balance = (order?.payment_history ?? []).reduce(
      (sum, { transaction_type: type, amount }) =>
        sum + Math.round(100 * amount) * (type === 'payment' ? 1 : -1),
      0,
    );
    expect([task.id, order?.status, balance]).toEqual([task.id, 'cancelled', 0]);
  }
});

test('a case is settled once, and something done too much is not right', () => {
  const [task] = tasks('banking_l1');
  const id = task?.own.domain === 'banking' ? task.own.case.case_id : '';
  if (task === undefined) throw new Error('no task');
  const first = callTool(task, openWorld(task), 'approve_case', { case_id: id });
  expect(first.ok).toBe(true);
  expect(callTool(task, first.world, 'deny_case', { case_id: id, reason: 'over_limit' })).toMatchObject({
    ok: false,
  });
  expect(
    callTool(task, openWorld(task), 'deny_case', { case_id: id, reason: 'I do not like it' }),
  ).toMatchObject({ ok: false });
  const refusal = tasks('retail_l1').find(
    ({ evaluator: { answer, slice } }) => answer.kind === 'refuse' && slice === 'adapt',
  );
  if (refusal === undefined || refusal.own.domain !== 'retail') throw new Error('no refusal');
  // Acts first and refuses afterwards.
  const [leg] = refusal.own.request?.legs ?? [];
  if (leg?.op !== 'modify') return;
  const kwargs = {
    order_id: refusal.own.order.order_id,
    item_ids: leg.items,
    new_item_ids: leg.to,
    payment_method_id: leg.pay,
  };
  let state = serving.start(refusal, defaultOptions);
  state = serving.advance(state, callReply(0, 'modify_pending_order_items', kwargs));
  state = serving.advance(state, callReply(1, 'finish', { decision: 'refuse', reason: 'invalid_status' }));
  expect(serving.outcome(state)).toMatchObject({ done: true, reward: 0 });
});

test('other reasons that fit a ranked case are as good as the one expected', () => {
  const ranked = tasks('banking_l2').filter(({ evaluator: { answer } }) => answer.kind === 'refuse');
  expect(ranked.length).toBeGreaterThan(0);
  for (const task of ranked) {
    const [action] = task.evaluator.actions;
    const reasons = task.evaluator.answer.kind === 'refuse' ? task.evaluator.answer.reasons : [];
    for (const reason of [...reasons, 'account_standing']) {
      let state = serving.start(task, defaultOptions);
      state = serving.advance(state, callReply(0, action?.name ?? '', { ...action?.kwargs, reason }));
      state = serving.advance(state, callReply(1, 'finish', {}));
      expect([reason, serving.outcome(state).reward]).toEqual([reason, reasons.includes(reason) ? 1 : 0]);
    }
  }
});

test('hidden rules follow the published schedule', () => {
  expect(hiddenRules(1, 0)).toEqual(['splitModify', 'clearanceReturns']);
  expect(hiddenRules(1, 5)).toEqual([
    'splitModify',
    'noExchange',
    'clearanceReturns',
    'lateReturns',
    'noExchangeState',
    'originalCard',
  ]);
  expect(reopenedRules(1, 3)).toEqual(['noCancel']);
  expect(hiddenRules(2, 6)).toEqual([
    'splitModify',
    'noExchangeState',
    'originalCard',
    'boxExchange',
    'giftUpcharge',
    'partialReturn',
  ]);
  expect(hiddenRules(3, 7)).toEqual(['splitModify', 'clearanceReturns', 'boxExchange', 'giftUpcharge']);
});

test('days are counted in both directions', () => {
  for (const days of [0, 1, 14, 15, 30, 45, 61, 100]) expect(daysSince(daysAgo(days))).toBe(days);
  expect(daysAgo(15)).toBe('2026-06-30');
  expect(daysSince('2025-07-14')).toBeGreaterThan(1000);
  expect(daysSince('yesterday')).toBeGreaterThan(1000);
  expect(daysSince(undefined)).toBeGreaterThan(1000);
});

test('canonical JSON does not mind the order of keys, and minds that of lists', () => {
  expect(canonical({ a: 1, b: { c: 2, d: 3 } })).toBe(canonical({ b: { d: 3, c: 2 }, a: 1 }));
  expect(canonical([1, 2])).not.toBe(canonical([2, 1]));
});

test('of an order paid in two ways a refund goes back in proportion, to the cent', () => {
  const [task] = tasks('retail_l2').filter(
    ({ own }) =>
      own.domain === 'retail' && own.order.status === 'delivered' && own.order.payment_history.length === 1,
  );
  if (task?.own.domain !== 'retail') throw new Error('no task');
  const { order, user } = task.own;
  const [card = ''] = order.payment_history.map(({ payment_method_id: id }) => id);
  const gift = Object.keys(user.payment_methods).find((id) => id.startsWith('gift_card')) ?? '';
  const item = { ...order.items[0], price: 100.01 } as (typeof order.items)[number];
  const payment = (amount: number, id: string) =>
    ({ transaction_type: 'payment', amount, payment_method_id: id }) as const;
  const split = {
    ...task,
    own: {
      ...task.own,
      user: { ...user, membership: 'silver' as const },
      order: { ...order, items: [item], payment_history: [payment(33.33, gift), payment(66.68, card)] },
    },
  };
  const giveBack = (pay: string) => {
    const kwargs = {
      order_id: order.order_id,
      item_ids: [item.item_id],
      payment_method_id: pay,
      reason: 'defective',
    };
    const { world, ok } = callTool(split, openWorld(split), 'return_delivered_order_items', kwargs);
    return ok && world.domain === 'retail' ? world.db.own.orders[order.order_id] : undefined;
  };
  const product = Object.values(openWorldProducts(split)).find((it) =>
    Object.hasOwn(it.variants, item.item_id),
  );
  if (product?.variants[item.item_id]?.clearance) return;
  expect(giveBack(card)).toMatchObject({
    return_refund_amount: 90.01,
    return_refunds: { [gift]: 30, [card]: 60.01 },
  });
  expect(giveBack(gift)?.return_refunds).toBeUndefined();
});

function openWorldProducts(task: Instance) {
  const world = openWorld(task);
  return world.domain === 'retail' ? world.db.base.products : {};
}

test('absurd replies are answered in time', () => {
  const [retail] = tasks('mini_retail');
  const [pitch] = tasks('mini_pitch');
  if (retail === undefined || pitch === undefined) throw new Error('no task');
  const long = 1_000_000;
  const answers = [
    ' '.repeat(long),
    '<|'.repeat(long),
    '{{'.repeat(long),
    '-$ '.repeat(long),
    '1'.repeat(long),
    '<tool_call '.repeat(100_000),
  ];
  for (const answer of answers) {
    const state = serving.advance(serving.start(retail, defaultOptions), callReply(0, 'finish', { answer }));
    expect(serving.outcome(state).reward).toBe(0);
    expect(valueFits(answer, 1, 'float')).toBe(false);
  }
  for (const text of [
    'not popular '.repeat(200_000),
    '1'.repeat(long),
    'popular '.repeat(200_000),
    '.'.repeat(long),
  ]) {
    const state = serving.advance(
      serving.start(pitch, defaultOptions),
      callReply(0, 'finish', { pitch: text }),
    );
    expect(serving.outcome(state).reward).toBeLessThan(1);
  }
});
