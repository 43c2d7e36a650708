/** The parsers of what endpoints send: whatever comes, in whatever pieces. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tidy } from '../../../server/src/host/models/attempt.ts';
import { readText } from '../../../server/src/host/models/body.ts';
import { readCompletion } from '../../../server/src/host/models/completion.ts';
import { readCompletionStream } from '../../../server/src/host/models/completion-stream.ts';
import { readEvents } from '../../../server/src/host/models/events.ts';
import { httpFailure } from '../../../server/src/host/models/http-failure.ts';
import { splitReasoning } from '../../../server/src/host/models/reasoning.ts';

async function* inPieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });
/** Text that one data line can hold: line ends begin a new one. */
const line = fc.string({ unit: 'binary' }).map((text) => text.replace(/[\r\n]/g, ''));

test('events come whole, however they are cut and whatever ends their lines', async () => {
  const end = fc.constantFrom('\n', '\r\n', '\r');
  const event = fc.array(line, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(event), end, sizes, async (events, eol, cuts) => {
      const written = events.map((lines) => {
        const data = lines.map((text) => `data: ${text}${eol}`).join('');
        return `: comment${eol}event: x${eol}${data}${eol}`;
      });
      const bytes = new TextEncoder().encode(written.join(''));
      const expected = events.map((lines) =>
        new TextDecoder().decode(new TextEncoder().encode(lines.join('\n'))),
      );
      expect(await collect(readEvents(inPieces(bytes, cuts), Number.POSITIVE_INFINITY))).toEqual(expected);
    }),
  );
});

test('events of one huge line are read in one go', async () => {
  const text = 'x'.repeat(4_000_000);
  const bytes = new TextEncoder().encode(`data: ${text}\n\n`);
  const events = await collect(readEvents(inPieces(bytes, [1000]), Number.POSITIVE_INFINITY));
  expect(events.map((event) => event.length)).toEqual([text.length]);
});

test('bodies are read up to their limit', async () => {
  const bytes = new TextEncoder().encode('ä'.repeat(50));
  expect(await readText(inPieces(bytes, [3]), 100)).toBe('ä'.repeat(50));
  expect(await readText(inPieces(bytes, [3]), 99)).toBeNull();
  expect(await readText(null, 0)).toBe('');
});

test('nothing that an endpoint can send makes a parser throw', async () => {
  const words = fc.constantFrom(
    'error',
    'message',
    'choices',
    'delta',
    'content',
    'tool_calls',
    'function',
    'name',
    'arguments',
    'finish_reason',
    'usage',
    'prompt_tokens',
    'refusal',
    'reasoning',
    'detail',
    'code',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.jsonValue(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(words, tie('value'), { maxKeys: 4 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(value, async (json) => {
      const text = JSON.stringify(json);
      const read = readCompletion(text);
      expect('reply' in read || 'failure' in read).toBe(true);
      const headers = { get: () => null };
      expect(httpFailure({ status: 400, headers }, text, 0).message).not.toBe('');
      const choices = JSON.stringify({ choices: [{ delta: json, message: json }] });
      expect(typeof readCompletion(choices)).toBe('object');
      await readCompletionStream(pieces([text, choices, '[DONE]']), () => {});
    }),
  );
});

test('arguments that nest without end are read, as no object, whole or in pieces', async () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  const calls = `[{"id": "c", "function": {"name": "look", "arguments": ${deep}}}]`;
  const whole = readCompletion(`{"choices": [{"message": {"tool_calls": ${calls}}}]}`);
  expect(whole).toMatchObject({ reply: { toolCalls: [{ name: 'look', arguments: 'null' }] } });
  const piece = `{"choices": [{"delta": {"tool_calls": ${calls}}}]}`;
  const read = await readCompletionStream(pieces([piece, '[DONE]']), () => {});
  expect(read).toMatchObject({ reply: { toolCalls: [{ name: 'look', arguments: 'null' }] } });
});

async function* pieces(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

test('reasoning and text are all that was said', () => {
  const untagged = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('<', '('));
  fc.assert(
    fc.property(untagged, untagged, fc.constantFrom('think', 'thinking'), (reasoning, text, tag) => {
      const expected = { text: text.replace(/^\s+/, ''), reasoning: reasoning.trim() };
      expect(splitReasoning(`<${tag}>${reasoning}</${tag}>${text}`)).toEqual(expected);
      expect(splitReasoning(text)).toEqual({ text, reasoning: '' });
    }),
  );
});

test('words of a provider fit on one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
      const words = tidy(text);
      expect(words).not.toMatch(/\p{Cc}|\s\s/u);
      expect(words.length).toBeLessThanOrEqual(501);
    }),
  );
});
