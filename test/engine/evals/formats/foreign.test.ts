/** Lines of both public formats, as several of their versions wrote them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { infoOfResults, infoOfTraces } from '../../../../server/src/engine/evals/formats/foreign-info.ts';
import { readResult } from '../../../../server/src/engine/evals/formats/read-result.ts';
import { readTrace } from '../../../../server/src/engine/evals/formats/read-trace.ts';

const context = { task: 5, groupings: ['n_hops'], rolloutOf: () => 2 };

/** One step of an episode whose steps are traces of their own. */
function step(number: number, reward: number | null, extra: object = {}): object {
  return {
    version: 1,
    id: `t${number}`,
    task: { type: 'NavigatorTask', data: { id: 'id_test-7', n_hops: 3 }, key: 'k', hash: 'abc' },
    agent: { config: { model: 'big-model' }, name: 'agent', trainable: true },
    nodes: [
      { message: { role: 'system', content: 'rules' }, sampled: false },
      { parent: 0, message: { role: 'user', content: `step ${number}` }, sampled: false },
      {
        parent: 1,
        message: { role: 'assistant', content: `ACTION: READ ${number}`, reasoning_content: 'hm' },
        sampled: true,
      },
    ],
    calls: [
      {
        node: 2,
        model: 'big-model',
        sampling: { temperature: 0.8 },
        finish_reason: 'stop',
        usage: { prompt_tokens: 100, completion_tokens: 7, cached_input_tokens: 20 },
        time: { start: 1, end: 2 },
      },
    ],
    rewards: reward === null ? {} : { reward: { score: reward, weight: 1 } },
    metrics: { correct: reward === null ? null : 1, n_reads: number },
    is_completed: true,
    ok: true,
    stop_condition: 'answered',
    errors: [],
    ...extra,
  };
}

const episode = {
  id: 'e1',
  env: { id: 'long-context-navigator', name: 'x' },
  task: { type: 'NavigatorTask', data: { id: 'id_test-7', n_hops: 3 }, key: 'k', hash: 'abc' },
  group: { id: 'g' },
  run: { type: 'eval', id: 'r', name: 'n' },
  ok: true,
  errors: [],
  traces: [step(1, 0.95), step(2, 0.95)],
};

describe('traces', () => {
  it('an episode of several steps', () => {
    expect(readTrace(episode, context)).toEqual({
      task: 5,
      instanceId: 'id_test-7',
      instanceHash: 'sha256:abc',
      split: null,
      index: null,
      rollout: 2,
      groups: { n_hops: 3 },
      minSteps: null,
      outcome: {
        done: true,
        reward: 0.95,
        correct: true,
        stop: 'answered',
        steps: 2,
        metrics: { correct: 1, n_reads: 2 },
      },
      error: null,
      cause: null,
      causeStep: null,
      causeHop: null,
      events: [1, 2].map((number) => ({
        kind: 'reply',
        text: `ACTION: READ ${number}`,
        reasoning: 'hm',
        finish: 'stop',
        usage: { input: 120, output: 7, cachedInput: 20 },
      })),
      steps: 2,
      usage: { input: 240, output: 14, cachedInput: 40 },
      attempts: 2,
    });
  });

  it('a trace alone, as lines once were, whose nodes are not marked', () => {
    const nodes = [
      { message: { role: 'user', content: 'q' } },
      {
        message: {
          role: 'assistant',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      },
      { message: { role: 'tool', tool_call_id: '1', content: 'r' } },
      {
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: '2', function: { name: 'f', arguments: '{}' } }],
        },
      },
    ];
    const old = {
      task: { idx: 4, prompt: 'q' },
      nodes,
      rewards: { a: 0.5, b: 0.25 },
      metrics: {},
      errors: [],
    };
    expect(readTrace(old, context)).toMatchObject({
      instanceId: '4',
      instanceHash: null,
      outcome: { reward: 0.75, correct: true, stop: 'completed', steps: 2 },
      events: [{ text: 'ab' }, { text: '', toolCalls: [{ id: '2', name: 'f', arguments: '{}' }] }],
    });
  });

  it.each([
    ['weights', { a: { score: 1, weight: 0.5 }, b: { score: 0.5, weight: 1 }, c: null }, 1],
    ['one without a weight', { a: { score: 0.25 } }, 0.25],
  ])('rewards: %s', (_, rewards, expected) => {
    const traces = [step(1, null, { rewards }), step(2, null, { rewards })];
    expect(readTrace({ ...episode, traces }, context)?.outcome?.reward).toBe(expected);
  });

  it('traces that were rewarded apart give their mean', () => {
    expect(readTrace({ ...episode, traces: [step(1, 0), step(2, 1)] }, context)?.outcome?.reward).toBe(0.5);
  });

  it.each([
    [
      'of the episode',
      { ...episode, errors: [{ type: 'ProviderError', message: 'gone', status_code: 503 }] },
      'server',
    ],
    [
      'of a trace',
      { ...episode, traces: [step(1, 0.95, { errors: [{ type: 'X', message: 'm', status_code: 401 }] })] },
      'auth',
    ],
    ['without a status', { ...episode, errors: [{ type: 'Timeout', message: '' }] }, 'invalid-response'],
  ])('an error %s takes the score away', (_, row, code) => {
    expect(readTrace(row, context)).toMatchObject({
      outcome: null,
      cause: 'provider-error',
      error: { code },
    });
  });

  it('an episode that nobody scored', () => {
    expect(readTrace({ ...episode, traces: [step(1, null)] }, context)).toMatchObject({
      outcome: null,
      error: null,
      cause: 'unfinished',
    });
  });

  it('what the run is', () => {
    expect(infoOfTraces(null, episode, 7, 2, { folder: '/f', name: 'f' })).toMatchObject({
      id: 'f',
      format: 'traces',
      environment: 'long-context-navigator',
      agent: { kind: 'model', model: 'big-model', sampling: { temperature: 0.8 } },
      rollouts: 2,
      requested: 7,
    });
    const config = { model: 'other', taskset: { id: 'two-hop' } };
    expect(infoOfTraces(config, {}, 0, 1, { folder: '/f', name: 'f' })).toMatchObject({
      environment: 'two-hop',
      agent: { model: 'other' },
    });
  });
});

describe('results', () => {
  const prompt = [{ role: 'user', content: 'q' }];
  const completion = [
    { role: 'assistant', content: 'one' },
    { role: 'user', content: 'next' },
    {
      role: 'assistant',
      content: 'two',
      tool_calls: ['{"id":"1","function":{"name":"f","arguments":"{}"}}'],
    },
  ];

  it('in the newer form', () => {
    const row = {
      example_id: 3,
      prompt,
      completion,
      reward: 0.5,
      error: null,
      metrics: { correct: 0, reads: 4 },
      correct: 0,
      reads: 4,
      stop_condition: 'max_turns',
      token_usage: { input_tokens: 50, output_tokens: 6, final_input_tokens: 1, final_output_tokens: 1 },
      info: { n_hops: 2, id: 'i-3' },
    };
    expect(readResult(row, context)).toMatchObject({
      task: 5,
      instanceId: 'i-3',
      rollout: 2,
      groups: { n_hops: 2 },
      outcome: { reward: 0.5, correct: false, stop: 'max_turns', metrics: { correct: 0, reads: 4 } },
      usage: { input: 50, output: 6 },
      events: [{ text: 'one' }, { text: 'two', toolCalls: [{ name: 'f' }] }],
    });
  });

  it('in the older form, with metrics as columns and a task that is a name', () => {
    const row = {
      example_id: 3,
      task: 'default',
      prompt,
      completion,
      reward: 1,
      generation_ms: 10,
      scoring_ms: 1,
      total_ms: 11,
      exact_match: 1,
      info: '{"n_hops": 4}',
    };
    expect(readResult(row, context)).toMatchObject({
      task: 5,
      instanceId: '3',
      groups: { n_hops: 4 },
      outcome: { reward: 1, correct: true, metrics: { exact_match: 1 } },
    });
  });

  it.each([
    ['a text', 'the server is gone', 'the server is gone'],
    [
      'an object',
      { error: 'ModelError', message: 'm', error_chain_repr: 'r', error_chain_str: 's' },
      'ModelError: m',
    ],
  ])('an error as %s', (_, error, message) => {
    expect(readResult({ example_id: 0, completion: [], reward: 0, error }, context)).toMatchObject({
      outcome: null,
      cause: 'provider-error',
      error: { message },
    });
  });

  it('a completion that is a text', () => {
    expect(readResult({ example_id: 'a', completion: 'hello', reward: 0 }, context)?.events).toEqual([
      { kind: 'reply', text: 'hello' },
    ]);
  });

  it('lines that are none', () => {
    expect(readResult({ completion: [] }, context)).toBeNull();
    expect(readTrace({ id: 'x' }, context)).toBeNull();
  });

  it('what the run is', () => {
    const metadata = {
      env_id: 'e',
      env_args: { a: 1 },
      model: 'm',
      base_url: 'http://x/v1',
      num_examples: 5,
      rollouts_per_example: 3,
      shuffle: true,
      shuffle_seed: 0,
      sampling_args: { temperature: 1, max_tokens: null },
    };
    expect(infoOfResults(metadata, 4, { folder: '/f', name: 'f' })).toMatchObject({
      environment: 'e',
      options: { a: 1 },
      rollouts: 3,
      shuffleSeed: 0,
      requested: 15,
      agent: { model: 'm', baseUrl: 'http://x/v1', sampling: { temperature: 1 } },
    });
    expect(infoOfResults(null, 4, { folder: '/f', name: 'f' })).toMatchObject({ label: 'f', requested: 4 });
  });
});

it('whatever JSON a line holds, reading it does not throw', () => {
  const keys = [
    'traces',
    'nodes',
    'task',
    'data',
    'errors',
    'rewards',
    'example_id',
    'completion',
    'info',
    'error',
  ];
  const shaped = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue());
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), shaped, fc.record({ traces: fc.array(shaped) })), (value) => {
      readTrace(value, context);
      readResult(value, context);
      infoOfTraces(value, value, 0, 1, { folder: '', name: '' });
      infoOfResults(value, 0, { folder: '', name: '' });
    }),
  );
});
