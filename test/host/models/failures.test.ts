/** What is made of endpoints that fail: the kind, the provider's own words, what to do, and whether to try again. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { ModelFailure } from '../../../server/src/engine/evals/model.ts';
import { type Answer, type Delivery, wrong } from '../../support/model-server.ts';
import { asker, serve } from './kit.ts';

/** Asks an endpoint that always answers so, with five tries, in one piece and streamed. */
async function check(answer: Answer, expected: Partial<ModelFailure>): Promise<void> {
  const server = await serve(() => answer);
  for (const request of [{}, { stream: () => {} }]) {
    const before = server.count;
    const result = await asker(server.baseUrl).ask(request);
    if (result.ok) throw new Error('It succeeded.');
    expect(result.failure).toMatchObject(expected);
    expect(result.failure.advice).toMatch(/^[A-Z"].*[.]$/);
    expect(result.failure.attempts).toBe(server.count - before);
    expect(server.count - before).toBe(expected.retriable ? 5 : 1);
  }
}

test.each<[number, ModelFailure['code'], boolean]>([
  [400, 'bad-request', false],
  [401, 'auth', false],
  [402, 'rate-limit', false],
  [403, 'auth', false],
  [404, 'not-found', false],
  [408, 'timeout', true],
  [409, 'bad-request', false],
  [413, 'too-large', false],
  [422, 'bad-request', false],
  [429, 'rate-limit', true],
  [500, 'server', true],
  [501, 'server', false],
  [502, 'server', true],
  [503, 'server', true],
  [504, 'server', true],
  [529, 'server', true],
])('status %i is %s', (status, code, retriable) =>
  check(wrong(status, 'Their words.'), { code, retriable, status, message: 'Their words.' }),
);

test('some failures say that waiting does not help', async () => {
  await check(wrong(429, 'You exceeded your quota.', 'insufficient_quota'), {
    code: 'rate-limit',
    retriable: false,
    advice: "Check the account's credit and quota, then resume the run.",
  });
  await check(wrong(400, 'Too long.', 'context_length_exceeded'), { code: 'too-large', retriable: false });
  await check(wrong(503, 'Gone for good.', null, { 'x-should-retry': 'false' }), { retriable: false });
  await check(wrong(400, "Use 'max_completion_tokens' instead."), {
    code: 'bad-request',
    advice: expect.stringContaining('max_completion_tokens'),
  });
});

/** One sentence of a provider, in the shapes in which they come. */
const shapes: readonly (readonly [string, string | object])[] = [
  ['OpenAI', { error: { message: 'No such thing.', type: 'x', code: 'y' } }],
  ['Ollama', { error: 'No such thing.' }],
  ['vLLM', { object: 'error', message: 'No such thing.', code: 400 }],
  ['FastAPI', { detail: [{ loc: ['body'], msg: 'No such thing.' }] }],
  ['Google', [{ error: { code: 400, message: 'No such thing.' } }]],
  ['a page', '<html><head><title>No such thing.</title></head><body>…</body></html>'],
  ['text', '  No\r\n such \u001b\tthing.\n'],
];

test.each(shapes)('the words of %s are found', (_, body) =>
  check({ status: 400, body }, { message: 'No such thing.' }),
);

test('long words are cut, none are replaced by the status', async () => {
  await check({ status: 400, body: 'x'.repeat(200_000) }, { message: `${'x'.repeat(500)}…` });
  await check({ status: 500, body: '' }, { message: 'HTTP status 500', retriable: true });
  await check({ status: 400, body: '['.repeat(50_000) }, { code: 'bad-request', retriable: false });
});

test.each([
  ['cut', 'connection'],
  ['cut-chunked', 'connection'],
  ['reset', 'connection'],
] as const satisfies [Delivery, string][])('a connection that is %s is worth another try', (delivery, code) =>
  check({ said: { text: 'ACTION: READ 1' }, delivery }, { code, retriable: true }),
);

test('an answer that stops short is worth another try', async () => {
  const server = await serve(() => ({ said: { text: 'ACTION: READ 1' }, delivery: 'cut-quietly' }));
  const plain = await asker(server.baseUrl).ask();
  expect(plain).toMatchObject({ failure: { code: 'invalid-response', attempts: 5, retriable: true } });
  const streamed = await asker(server.baseUrl).ask({ stream: () => {} });
  expect(streamed).toMatchObject({ ok: false, failure: { attempts: 5, retriable: true } });
});

test.each([
  '<html>Welcome</html>',
  'null',
  '[]',
  '"text"',
  '{}',
  '{"choices": []}',
  '{"choices": [{}]}',
  '{"choices": [{"message": "text"}]}',
])('%s is no answer', (body) => check({ body }, { code: 'invalid-response', retriable: false }));

test('gateways put failures into good answers', async () => {
  const limited = { code: 'rate-limit', retriable: true, message: 'Slower.' } as const;
  await check({ body: { error: { code: 429, message: 'Slower.' } } }, limited);
  await check({ body: { choices: [{ error: { code: 429, message: 'Slower.' }, message: {} }] } }, limited);
  await check({ body: { error: 'Broken.' } }, { code: 'server', retriable: true, message: 'Broken.' });
  await check({ said: { text: 'half', finish: 'error' } }, { code: 'server', retriable: true });
});

test('an answer without end is given up', async () => {
  await check({ endless: 2 ** 40 }, { code: 'too-large', retriable: false });
  const bomb = gzipSync(Buffer.alloc(80 * 2 ** 20));
  await check(
    { headers: { 'content-encoding': 'gzip' }, body: bomb },
    { code: 'too-large', retriable: false },
  );
  const headers = { 'content-length': String(2 ** 40) };
  await check({ headers, body: '{', delivery: 'stall-body' }, { code: 'too-large', retriable: false });
});

test('nobody listens', async () => {
  const server = await serve(() => ({}));
  await server.close();
  const { ask, clock } = asker(server.baseUrl);
  expect(await ask()).toMatchObject({
    failure: {
      code: 'connection',
      message: expect.stringContaining('ECONNREFUSED'),
      advice: `Nothing listens at ${server.baseUrl}. Start the server or check the port.`,
      attempts: 5,
      retriable: true,
    },
    waitedMs: 7500,
  });
  expect(clock.slept).toEqual([500, 1000, 2000, 4000]);
});

test.each<Delivery>(['stall-headers', 'stall-body'])('%s is timed out', async (delivery) => {
  const server = await serve(() => ({ said: { text: 'ACTION: READ 1' }, delivery }));
  for (const request of [{}, { stream: () => {} }]) {
    const { ask, clock } = asker(server.baseUrl, { timeoutMs: 60_000, attempts: 2 });
    const asked = ask(request);
    for (const round of [1, 2]) {
      await clock.untilTimers(1);
      clock.advance(59_999);
      expect([round, clock.timers]).toEqual([round, 1]);
      clock.advance(1);
    }
    const message = 'No complete answer after 60 s.';
    expect(await asked).toMatchObject({
      failure: { code: 'timeout', message, attempts: 2, retriable: true },
    });
  }
});
