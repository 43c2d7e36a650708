/** Every kind of turn, every limit, and what an episode comes to. */
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
import type { Instance } from '../../../server/src/engine/environments/serving/instance.ts';
import { defaultOptions, type Options } from '../../../server/src/engine/environments/serving/options.ts';
import { finalRecord, general, recordOf } from '../../../server/src/engine/environments/serving/record.ts';
import { findScenario } from '../../../server/src/engine/environments/serving/scenarios.ts';
import { worldDifferences } from '../../../server/src/engine/environments/serving/toolbox.ts';

function task(scenario: string, fits: (it: Instance) => boolean = () => true): Instance {
  const found = findScenario(scenario);
  const one = found === undefined ? undefined : scenarioTasks(found, 0).serving.find(fits);
  if (one === undefined) throw new Error(`no task of ${scenario} fits`);
  return one;
}

function call(name: string, args: unknown = {}, id = 'call_1'): ToolCall {
  return { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
}

function said(calls: readonly ToolCall[], rest: Partial<Reply> = {}): Reply {
  return { kind: 'reply', text: '', ...(calls.length === 0 ? {} : { toolCalls: calls }), ...rest };
}

function play(instance: Instance, replies: readonly Reply[], options: Partial<Options> = {}): State {
  return replies.reduce<State>(advance, start(instance, { ...defaultOptions, ...options }));
}

const order = task('mini_retail', ({ evaluator: { answer } }) => answer.kind === 'refuse');
const lookUp = call('get_order_details', { order_id: '#W0' });

describe('turns that count for nothing', () => {
  const rows: readonly [string, Reply, string, readonly string[]][] = [
    ['no call', said([], { text: 'Let me think.' }), 'no_action', ['assistant', 'user']],
    ['cut off without a call', said([], { finish: 'length' }), 'length', ['assistant', 'user']],
    ['cut off with a call', said([lookUp], { finish: 'length' }), 'length', ['assistant', 'tool']],
    [
      'several calls',
      said([lookUp, call('read_docs', { doc: 'returns' }, 'call_2')]),
      'multi_action',
      ['assistant', 'tool', 'tool'],
    ],
    [
      'finish among several',
      said([lookUp, call('finish', {}, 'call_2')]),
      'finish_with_tool',
      ['assistant', 'tool', 'tool'],
    ],
    [
      'finish twice',
      said([call('finish'), call('finish', {}, 'call_2')]),
      'finish_with_tool',
      ['assistant', 'tool', 'tool'],
    ],
    ['an unknown tool', said([call('give_discount')]), 'unknown_tool', ['assistant', 'tool']],
    ['a name of an inherited member', said([call('constructor')]), 'unknown_tool', ['assistant', 'tool']],
    [
      'arguments that are no JSON',
      said([call('read_docs', '{doc')]),
      'schema_invalid',
      ['assistant', 'tool'],
    ],
    ['arguments that are a list', said([call('read_docs', '[]')]), 'schema_invalid', ['assistant', 'tool']],
    ['arguments that are null', said([call('read_docs', 'null')]), 'schema_invalid', ['assistant', 'tool']],
    ['an argument that is missing', said([call('read_docs')]), 'schema_invalid', ['assistant', 'tool']],
    [
      'an argument of another kind',
      said([call('read_docs', { doc: 3 })]),
      'schema_invalid',
      ['assistant', 'tool'],
    ],
    [
      'an argument too many',
      said([call('read_docs', { doc: 'a', page: 1 })]),
      'schema_invalid',
      ['assistant', 'tool'],
    ],
  ];
  test.each(rows)('%s', (_, reply, reason, roles) => {
    const state = play(order, [reply]);
    expect(state.turns.map((turn) => ('reason' in turn ? turn.reason : turn.kind))).toEqual([reason]);
    expect(state.messages.map(({ role }) => role)).toEqual(roles);
    expect(state.calls).toBe(0);
    expect(worldDifferences(state.clean, state.world)).toEqual([]);
    expect(next(state).kind).toBe('reply');
  });

  test('each call gets a result of its own, under its id', () => {
    const { messages } = play(order, [said([lookUp, call('finish', {}, 'call_2')])]);
    expect(messages.flatMap((it) => (it.role === 'tool' ? [it.toolCallId] : []))).toEqual([
      'call_1',
      'call_2',
    ]);
  });

  test('a reply that was cut off is answered in other words than one without a call', () => {
    const [, none] = play(order, [said([])]).messages;
    const [, cut] = play(order, [said([], { finish: 'length' })]).messages;
    expect(none?.content).not.toBe(cut?.content);
  });
});

describe('finish', () => {
  test.each([
    [{ answer: '' }, 'answer is empty'],
    [{ answer: '  ' }, 'answer is empty'],
    [{ answer: { sum: 12 } }, 'answer has to be a text'],
    [{ answer: [1] }, 'answer has to be a text'],
    [{ decision: 1 }, 'decision has to be a text'],
    [{ result: 'x' }, 'there is no field result'],
    [{ toString: 'x' }, 'there is no field toString'],
    [{ decision: 'refuse' }, 'a refusal needs its reason'],
    [{ decision: 'maybe', reason: 'not_found' }, 'decision has to be one of refuse'],
    [{ decision: 'refuse', reason: '' }, 'reason is empty'],
    [{ answer: '<|im_end|>' }, 'answer has template markup in it'],
    [{ answer: '{{total}}' }, 'answer has template markup in it'],
    [{ answer: '<tool_call>12' }, 'answer has template markup in it'],
  ])('%j is rejected and may be tried again', (args, problem) => {
    const state = play(order, [said([call('finish', args)])]);
    expect(state.turns[0]).toMatchObject({ kind: 'invalid', reason: 'schema_invalid', name: 'finish' });
    expect(state.turns[0]?.observation).toContain(problem);
    const again = advance(state, said([call('finish', { answer: '12' })]));
    expect(outcome(again)).toMatchObject({ done: true, stop: 'finished' });
    expect(again.messages.at(-1)?.content).toBe('{"accepted": true}');
  });

  test.each([
    [12.5, '12.5'],
    [['a', 'b'], 'a, b'],
    ['12', '12'],
  ])('an answer may be %j', (answer, text) => {
    expect(play(order, [said([call('finish', { answer })])]).finish).toEqual({ answer: text });
  });

  test('a pitch is required, and banking takes nothing', () => {
    expect(play(task('mini_pitch'), [said([call('finish')])]).turns[0]?.observation).toContain(
      'pitch is missing',
    );
    const banking = play(task('mini_banking'), [said([call('finish', { answer: 'x' })])]);
    expect(banking.turns[0]?.observation).toContain('there is no field answer');
    expect(outcome(play(task('mini_banking'), [said([call('finish', '{}')])]))).toMatchObject({
      done: true,
      reward: 0,
    });
    for (const none of ['', ' ', 'null']) {
      const state = play(task('mini_banking'), [said([call('finish', none)])]);
      expect(state.turns[0]).toMatchObject({ kind: 'invalid', reason: 'schema_invalid', name: 'finish' });
      expect(state.turns[0]?.observation).toBe('Error: the arguments are no JSON object.');
      expect(next(state).kind).toBe('reply');
    }
  });

  test('nothing comes after the end', () => {
    const state = play(order, [said([call('finish')])]);
    expect(next(state).kind).toBe('nothing');
    expect(() => advance(state, said([lookUp]))).toThrow(RangeError);
  });
});

describe('limits', () => {
  const read = said([call('read_docs', { doc: 'orders' })]);

  test('after so many tool calls only finish is left', () => {
    const state = play(
      order,
      Array.from({ length: 51 }, () => read),
    );
    expect(state.calls).toBe(50);
    expect(state.turns[49]).toMatchObject({ kind: 'tool', ok: true });
    expect(state.turns[50]).toMatchObject({ kind: 'tool', ok: false });
    expect(state.turns[50]?.observation).toContain('50 tool calls');
    expect(next(state).kind).toBe('reply');
    expect(outcome(advance(state, said([call('finish')]))).stop).toBe('finished');
  });

  test('a call that is refused counts; one that is invalid does not', () => {
    expect(play(order, [said([lookUp]), said([call('nothing')])]).calls).toBe(1);
  });

  test('the hundredth reply is the last', () => {
    const state = play(
      order,
      Array.from({ length: 100 }, () => said([])),
    );
    expect(outcome(state)).toMatchObject({ done: true, stop: 'step-cap', steps: 100, reward: 0 });
    expect(state.turns.at(-1)).toMatchObject({ kind: 'capped', reason: 'step_cap' });
    const finished = play(order, [...Array.from({ length: 99 }, () => said([])), said([call('finish')])]);
    expect(outcome(finished).stop).toBe('finished');
  });

  test('output tokens add up to the end', () => {
    const usage = { input: 1, output: 128_000 };
    const state = play(order, [said([], { usage }), said([], { usage })]);
    expect(outcome(state)).toMatchObject({ done: true, stop: 'token-cap' });
    expect(state.turns.at(-1)).toMatchObject({ kind: 'capped', reason: 'token_cap' });
    const below = play(order, [said([], { usage }), said([], { usage: { input: 1, output: 127_999 } })]);
    expect(outcome(below).done).toBe(false);
  });

  test('a conversation that no longer fits ends the episode as scored', () => {
    const state = play(order, [said([lookUp]), said([], { finish: 'context' })]);
    expect(outcome(state)).toMatchObject({ done: true, stop: 'context-overflow', reward: 0 });
    expect(state.turns.at(-1)).toMatchObject({ kind: 'error', reason: 'context_overflow' });
  });
});

describe('the conversation', () => {
  test('gives reasoning and calls back as they came', () => {
    const calls = [lookUp];
    const { messages } = play(order, [said(calls, { text: 'A look.', reasoning: 'Which order?' })]);
    expect(messages[0]).toEqual({
      role: 'assistant',
      content: 'A look.',
      reasoning: 'Which order?',
      toolCalls: calls,
    });
  });

  test('tells methods what happened, and the score in the last line', () => {
    const state = play(order, [
      said([lookUp], { text: '<think>Hm.</think>I look.', reasoning: 'First.' }),
      said([], { text: 'Well' }),
      said([call('finish', { decision: 'refuse', reason: 'not_found' })]),
    ]);
    const lines = recordOf(state).split('\n');
    expect(lines[0]).toBe(`INSTRUCTION: ${order.instruction}`);
    expect(lines).toContain('THOUGHT: First.');
    expect(lines).toContain('Hm.');
    expect(lines).toContain('REPLY: I look.');
    expect(lines).toContain('ACTION: get_order_details({"order_id":"#W0"})');
    expect(lines).toContain('ACTION: NONE (no_action)');
    expect(lines.at(-1)).toBe('Score: 0/100.');
    const secret = [order.evaluator.slice, order.evaluator.family, order.category];
    for (const word of secret) expect(recordOf(state)).not.toContain(word);
    expect(finalRecord(state)).toMatchObject({ reward: 0, stop: 'finished' });
  });

  test.each([
    [100 / 3, '33.3333'],
    [0, '0'],
    [100, '100'],
    [12.5, '12.5'],
    [0.000012345678, '1.23457e-05'],
    [1234567, '1.23457e+06'],
    [0.0001, '0.0001'],
  ])('%d is printed as %s', (value, text) => {
    expect(general(value)).toBe(text);
  });
});

describe('a judge that is a model', () => {
  const sheet = task('mini_pitch');
  const facts = sheet.own.domain === 'pitch' ? sheet.own.sheet.facts : [];
  const handIn = said([call('finish', { pitch: 'Have a look.' })]);

  test('is asked after the pitch, and named', () => {
    const state = play(sheet, [handIn], { judge: 'model' });
    const need = next(state);
    expect(need.kind).toBe('verdict');
    const value = {
      verdicts: Object.fromEntries(facts.map(({ attribute }) => [attribute, 'M'])),
      invented: [],
    };
    const judged = advance(state, { kind: 'verdict', judge: 'some-model', value });
    expect(outcome(judged).done).toBe(true);
    expect(judged.pitch?.judge).toBe('some-model');
  });

  test('whose answers cannot be read gives no score', () => {
    let state = play(sheet, [handIn], { judge: 'model' });
    for (let times = 0; times < 4; times++)
      state = advance(state, { kind: 'verdict', judge: 'm', value: 'what?' });
    expect(outcome(state)).toMatchObject({ done: true, stop: 'judge-error' });
    expect(outcome(state).metrics['hidden_score']).toBeNull();
  });

  test('is not asked when phrases decide', () => {
    expect(play(sheet, [handIn]).pitch?.judge).toBe('phrases');
  });
});
