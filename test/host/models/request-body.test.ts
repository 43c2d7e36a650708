/** What is sent: the messages and the sampling as they are, and nothing that was not asked for. */
import { expect, test } from 'vitest';
import type { ModelConfig, ModelRequest } from '../../../server/src/engine/evals/model.ts';
import { bodyOf } from '../../../server/src/host/models/open-model.ts';
import { asker, question, saying } from './kit.ts';

async function check(
  request: Partial<ModelRequest>,
  config: Partial<ModelConfig>,
  expected: Readonly<Record<string, unknown>>,
): Promise<void> {
  const server = await saying('x');
  await asker(server.baseUrl, config).ask(request);
  expect(server.requests.map(({ body }) => body)).toEqual([expected]);
}

const plain = { model: 'test-model', messages: [{ role: 'user', content: 'Which one?' }] };

test('a plain request', () => check({}, {}, plain));

test('sampling goes as it is', () => {
  const sampling = {
    temperature: 0.8,
    top_p: 0.95,
    max_tokens: 512,
    seed: 7,
    stop: ['\n\n'],
    reasoning_effort: 'low',
  };
  return check({ sampling, rollout: 3 }, {}, { ...plain, ...sampling });
});

test('the extra body comes last, and a null leaves a key out', () =>
  check(
    { sampling: { temperature: 0.8, max_tokens: 512 } },
    { extraBody: { temperature: 1, max_tokens: null, max_completion_tokens: 512, think: { deep: null } } },
    { ...plain, temperature: 1, max_completion_tokens: 512, think: { deep: null } },
  ));

test('a dialogue with tools', () => {
  const parameters = { type: 'object' };
  const call = { id: 'a', name: 'read', arguments: '{"id": 1}' };
  const dialogue: ModelRequest['messages'] = [
    question,
    { role: 'assistant', content: '', reasoning: 'It asks for one.', toolCalls: [call] },
    { role: 'tool', toolCallId: 'a', content: '…' },
  ];
  return check(
    { messages: dialogue, tools: [{ name: 'read', description: 'Reads.', parameters }] },
    {},
    {
      model: 'test-model',
      messages: [
        { role: 'user', content: 'Which one?' },
        {
          role: 'assistant',
          content: '',
          // A model that thinks between its calls goes on from what it thought.
          reasoning_content: 'It asks for one.',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"id": 1}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: '…' },
      ],
      tools: [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters } }],
    },
  );
});

test('a stream asks for its usage too', () =>
  check({ stream: () => {} }, {}, { ...plain, stream: true, stream_options: { include_usage: true } }));

test('OpenAI gets the new name of the output limit', () => {
  const endpoint = { model: 'm', baseUrl: 'https://api.openai.com/v1' };
  const body = bodyOf(endpoint, { messages: [], sampling: { max_tokens: 5, temperature: 1 } });
  expect(body).toEqual({ model: 'm', messages: [], temperature: 1, max_completion_tokens: 5 });
});
