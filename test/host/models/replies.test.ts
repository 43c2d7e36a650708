/** What replies are read from answers of every shape, in one piece and streamed. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Reply } from '../../../server/src/engine/environments/chat.ts';
import { replyKind } from '../../../server/src/engine/evals/model.ts';
import type { ReasoningPlace, Said } from '../../support/model-answers.ts';
import type { Delivery } from '../../support/model-server.ts';
import { asker, serve } from './kit.ts';

const usage = { input: 10, output: 5 };

/** Asks in one piece and streamed, sent at once and byte by byte: the reply must be the same each time. */
async function check(said: Said, expected: Omit<Reply, 'kind' | 'usage'>): Promise<void> {
  for (const delivery of ['whole', 'chunked'] satisfies Delivery[]) {
    const server = await serve(() => ({ said: { usage, ...said }, delivery }));
    const reply = { kind: 'reply', usage, ...expected };
    const { ask } = asker(server.baseUrl);
    const result = { ok: true, reply, attempts: 1, cached: false, waitedMs: 0 };
    expect(await ask()).toEqual(result);
    expect(await ask({ stream: () => {} })).toEqual(result);
  }
}

const texts = ['ACTION: READ 3', '', ' \n', 'ä \u2028 \u{1F600} \0 <b>', 'long '.repeat(60)];

test.each(texts)('text %j comes as it was said', (text) => check({ text }, { text, finish: 'stop' }));

const places: readonly ReasoningPlace[] = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'parts',
  'think',
  'think-without-opening',
];

test.each(places)('reasoning in %s is kept apart from the text', (reasoningIn) =>
  check(
    { text: 'ACTION: ANSWER 4107', reasoning: 'First the lead,\nthen the desk.', reasoningIn },
    { text: 'ACTION: ANSWER 4107', reasoning: 'First the lead,\nthen the desk.', finish: 'stop' },
  ),
);

test('reasoning that was cut off leaves no text and counts as truncated', async () => {
  await check(
    { text: '<think>\nso far', finish: 'length' },
    { text: '', reasoning: 'so far', finish: 'length' },
  );
  expect(replyKind({ kind: 'reply', text: '', reasoning: 'so far', finish: 'length' })).toBe('truncated');
});

test('tags further on are text', () =>
  check(
    { text: 'ACTION: ANSWER <think>no</think>' },
    { text: 'ACTION: ANSWER <think>no</think>', finish: 'stop' },
  ));

test('a refusal is told apart', async () => {
  await check({ text: '', refusal: 'I cannot.' }, { text: 'I cannot.', finish: 'refusal' });
  await check({ text: '', finish: 'content_filter' }, { text: '', finish: 'refusal' });
  expect(replyKind({ kind: 'reply', text: 'I cannot.', finish: 'refusal' })).toBe('refusal');
});

test('empty replies are told apart', () => {
  expect(replyKind({ kind: 'reply', text: ' \n', finish: 'stop' })).toBe('empty');
  expect(replyKind({ kind: 'reply', text: '', toolCalls: [{ id: 'a', name: 'f', arguments: '' }] })).toBe(
    'reply',
  );
  expect(replyKind({ kind: 'reply', text: 'x' })).toBe('reply');
});

test.each([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['end_turn', 'stop'],
  ['abort', 'other'],
  ['constructor', 'other'],
] as const)('the reason %s is %s', (finish, expected) =>
  check({ text: 'x', finish }, { text: 'x', finish: expected }),
);

test('an endpoint need not give a reason', async () => {
  const server = await serve(() => ({ said: { text: 'x', finish: null, usage: null } }));
  const { ask } = asker(server.baseUrl);
  const reply = { kind: 'reply', text: 'x' };
  expect(await ask()).toMatchObject({ ok: true, reply });
  expect(await ask({ stream: () => {} })).toMatchObject({ ok: true, reply });
});

test('tool calls come whole', () => {
  const toolCalls = [
    { id: 'call_a', name: 'read', arguments: '{"id": 3}' },
    { id: 'call_b', name: 'drop', arguments: 'not json {' },
  ];
  return check({ text: '', toolCalls }, { text: '', toolCalls, finish: 'tool_calls' });
});

test('tool calls of careless endpoints are mended', async () => {
  const calls = [{ function: { name: 'read', arguments: { id: 3 } } }, { function: {} }, 5];
  const message = { content: null, tool_calls: calls };
  const server = await serve(() => ({ body: { choices: [{ message, finish_reason: 'tool_calls' }] } }));
  const toolCalls = [{ id: 'call_0', name: 'read', arguments: '{"id":3}' }];
  expect(await asker(server.baseUrl).ask()).toMatchObject({ ok: true, reply: { text: '', toolCalls } });
});

test('usage is read in full', async () => {
  const said = { text: 'x', usage: { input: 9, output: 8, cachedInput: 7, reasoning: 6 } };
  const server = await serve(() => ({ said }));
  const { ask } = asker(server.baseUrl);
  expect(await ask()).toMatchObject({ reply: { usage: said.usage } });
  expect(await ask({ stream: () => {} })).toMatchObject({ reply: { usage: said.usage } });
});

test('pieces are shown as they come', async () => {
  const said = { text: 'ACTION: READ 3', reasoning: 'It is there.', piece: 5 };
  const server = await serve(() => ({ said }));
  const shown: unknown[] = [];
  await asker(server.baseUrl).ask({ stream: (delta) => shown.push(delta) });
  const reasoning = [{ reasoning: 'It is' }, { reasoning: ' ther' }, { reasoning: 'e.' }];
  expect(shown).toEqual([...reasoning, { text: 'ACTIO' }, { text: 'N: RE' }, { text: 'AD 3' }]);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('an answer that was packed by %s on its way is unpacked', async (encoding, pack) => {
  const completion = JSON.stringify({ choices: [{ message: { content: 'x'.repeat(50_000) } }] });
  const headers = { 'content-encoding': encoding };
  const server = await serve(() => ({ headers, body: pack(completion) }));
  expect(await asker(server.baseUrl).ask()).toMatchObject({ ok: true, reply: { text: 'x'.repeat(50_000) } });
  const broken = await serve(() => ({ headers, body: 'not packed' }));
  expect(await asker(broken.baseUrl).ask()).toMatchObject({ failure: { code: 'connection' } });
  const cut = await serve(() => ({ headers, body: pack(completion), delivery: 'cut' }));
  expect(await asker(cut.baseUrl).ask()).toMatchObject({ failure: { code: 'connection', attempts: 5 } });
});

test('the fetch of the platform can be used in the place of ours', async () => {
  const server = await serve(() => ({ said: { text: 'x' } }));
  const { ask } = asker(server.baseUrl, {}, { fetch });
  expect(await ask()).toMatchObject({ ok: true, reply: { text: 'x' } });
  expect(await ask({ stream: () => {} })).toMatchObject({ ok: true, reply: { text: 'x' } });
});

test('an endpoint that cannot stream is understood all the same', async () => {
  const body = { choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] };
  const server = await serve(() => ({ body }));
  const shown: unknown[] = [];
  const result = await asker(server.baseUrl).ask({ stream: (delta) => shown.push(delta) });
  expect(result).toMatchObject({ ok: true, reply: { text: 'x' } });
  expect(shown).toEqual([{ text: 'x' }]);
});
