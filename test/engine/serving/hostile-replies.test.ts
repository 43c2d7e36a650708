/** Replies as no honest model gives them: each has its exact result, none throws, none takes long, and no row is touched. */
import { describe, expect, test } from 'vitest';
import type { Reply, ToolCall } from '../../../server/src/engine/environments/chat.ts';
import { scenarioTasks } from '../../../server/src/engine/environments/serving/build.ts';
import {
  advance,
  next,
  outcome,
  type State,
  start,
} from '../../../server/src/engine/environments/serving/episode.ts';
import { serving } from '../../../server/src/engine/environments/serving/index.ts';
import { defaultOptions } from '../../../server/src/engine/environments/serving/options.ts';
import { findScenario } from '../../../server/src/engine/environments/serving/scenarios.ts';
import { streams } from '../../../server/src/engine/environments/serving/stream/index.ts';
import { worldDifferences } from '../../../server/src/engine/environments/serving/toolbox.ts';

const calls = (name: string, args: string, id = 'c'): ToolCall[] => [{ id, name, arguments: args }];

const said = (toolCalls: readonly ToolCall[], text = ''): Reply => {
  return { kind: 'reply', text, toolCalls, usage: { input: 1, output: 1 } };
};

const deep = (open: string, close: string, depth = 100_000) => open.repeat(depth) + close.repeat(depth);

const huge = 'x'.repeat(5_000_000);

/** By what they come to: the kind of turn, or the reason why it counts for nothing. */
const rows: readonly [string, Reply, string][] = [
  ['no list of calls', { kind: 'reply', text: 'Hm.', toolCalls: [] }, 'no_action'],
  [
    'ten thousand calls',
    said(Array.from({ length: 10_000 }, () => calls('read_docs', '{}')).flat()),
    'multi_action',
  ],
  ['two calls of one id', said([...calls('read_docs', '{}'), ...calls('finish', '{}')]), 'finish_with_tool'],
  ['an unknown tool', said(calls('give_refund', '{}')), 'unknown_tool'],
  ['no name', said(calls('', '{}')), 'unknown_tool'],
  ['a huge name', said(calls(huge, '{}')), 'unknown_tool'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name): [string, Reply, string] => [
    `the tool ${name}`,
    said(calls(name, '{}')),
    'unknown_tool',
  ]),
  ['half an object', said(calls('read_docs', '{"doc": "pol')), 'schema_invalid'],
  ['a number', said(calls('read_docs', '5')), 'schema_invalid'],
  ['a text', said(calls('read_docs', '"{}"')), 'schema_invalid'],
  ['two objects', said(calls('read_docs', '{}{}')), 'schema_invalid'],
  [
    'objects within objects',
    said(calls('read_docs', deep('{"doc":', '}').replace(':}', ':1}'))),
    'schema_invalid',
  ],
  ['lists within lists', said(calls('read_docs', `{"doc": ${deep('[', ']')}}`)), 'schema_invalid'],
  [
    'a field __proto__',
    said(calls('read_docs', '{"doc": "policy", "__proto__": {"section": "x"}}')),
    'schema_invalid',
  ],
  ['a field constructor', said(calls('read_docs', '{"doc": "policy", "constructor": 1}')), 'schema_invalid'],
  ['a document __proto__', said(calls('read_docs', '{"doc": "__proto__"}')), 'tool'],
  ['a huge argument', said(calls('read_docs', JSON.stringify({ doc: huge }))), 'tool'],
  ['a lone surrogate', said(calls('read_docs', '{"doc": "\\ud800"}')), 'tool'],
  ['a zero', said(calls('read_docs', '{"doc": "\\u0000"}')), 'tool'],
  ['a number that is none', said(calls('read_docs', '{"doc": 1e999}')), 'schema_invalid'],
  ['a finish with __proto__', said(calls('finish', '{"__proto__": "x"}')), 'schema_invalid'],
  [
    'a finish that is nested',
    said(calls('finish', `{"answer": ${deep('[', ']', 5_000)}}`)),
    'schema_invalid',
  ],
];

/** Tools that read and write rows, by domain, with names of inherited members for every id. */
const byDomain: Readonly<Record<string, readonly [string, object][]>> = {
  mini_retail: [
    ['find_user_id_by_name_zip', { first_name: '__proto__', last_name: 'constructor', zip: 'toString' }],
    ['get_user_details', { user_id: '__proto__' }],
    ['get_order_details', { order_id: 'constructor' }],
    ['get_product_details', { product_id: 'toString' }],
    ['cancel_pending_order', { order_id: '__proto__', reason: 'no longer needed' }],
    ['place_order', { user_id: '__proto__', item_ids: ['constructor'], payment_method_id: '__proto__' }],
    [
      'exchange_delivered_order_items',
      { order_id: '__proto__', item_ids: ['x'], new_item_ids: ['y'], payment_method_id: 'constructor' },
    ],
    [
      'return_delivered_order_items',
      { order_id: 'hasOwnProperty', item_ids: ['__proto__'], payment_method_id: 'x', reason: 'defective' },
    ],
  ],
  mini_banking: [
    ['get_case_details', { case_id: '__proto__' }],
    ['get_account_details', { account_id: 'constructor' }],
    ['get_merchant_details', { merchant_id: 'toString' }],
    ['get_payee_details', { payee_id: '__proto__' }],
    ['approve_case', { case_id: '__proto__' }],
    ['deny_case', { case_id: 'constructor', reason: '__proto__' }],
    ['escalate_case', { case_id: 'valueOf', reason: 'over_limit' }],
  ],
};

describe.each(['mini_retail', 'mini_banking', 'mini_pitch'])('%s', (id) => {
  const scenario = findScenario(id);
  const [instance] = scenario === undefined ? [] : scenarioTasks(scenario, 0).serving;
  if (instance === undefined) throw new Error('no task');
  const begin = (): State => start(instance, defaultOptions);

  test.each(rows)('%s', (_, reply, expected) => {
    const state = advance(begin(), reply);
    const [turn] = state.turns;
    const kind = turn !== undefined && 'reason' in turn ? turn.reason : turn?.kind;
    // Pitching knows no documents.
    expect(kind).toBe(
      id === 'mini_pitch' && reply.toolCalls?.[0]?.name === 'read_docs' ? pitched(expected) : expected,
    );
    expect(worldDifferences(state.clean, state.world)).toEqual([]);
    expect(next(state).kind).toBe('reply');
    // Every call has its answer, in order, and everything can be shown, kept and learned from.
    const asked = (reply.toolCalls ?? []).map((call) => call.id);
    expect(state.messages.flatMap((it) => (it.role === 'tool' ? [it.toolCallId] : []))).toEqual(asked);
    expect(JSON.stringify(streams.row(state)).length).toBeGreaterThan(0);
    expect(streams.experience(state).record).toContain('Score: 0/100.');
    expect(serving.observe(state)).toBeDefined();
    expect(outcome(state)).toMatchObject({ done: false, stop: 'unfinished' });
  });

  test.each(byDomain[id] ?? [])('%s with names of inherited members', (name, args) => {
    const state = advance(begin(), said(calls(name, JSON.stringify(args))));
    expect(state.turns[0]).toMatchObject({ kind: 'tool', ok: false });
    expect(worldDifferences(state.clean, state.world)).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

/** Where there is no such tool, everything but several calls comes to that. */
function pitched(expected: string): string {
  return expected === 'multi_action' || expected === 'finish_with_tool' ? expected : 'unknown_tool';
}
