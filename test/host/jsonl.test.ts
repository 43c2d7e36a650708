import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../server/src/host/failure.ts';
import { type Line, parseObject, readLineAt, readLines, splitLines } from '../../server/src/host/jsonl.ts';

async function* pieces(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

async function collect(lines: AsyncIterable<Line>): Promise<Line[]> {
  const all: Line[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

/** Lines as `number:text`, or `number!error`. */
async function check(chunks: readonly (string | Uint8Array)[], expected: readonly string[], limit?: number) {
  const lines = await collect(splitLines(pieces(...chunks), limit));
  expect(
    lines.map((line) => (line.ok ? `${line.number}:${line.text}` : `${line.number}!${line.error}`)),
  ).toEqual(expected);
}

describe('splitLines', () => {
  const cases: [string, (string | Uint8Array)[], string[], number?][] = [
    ['nothing', [], []],
    ['an empty piece', [''], []],
    ['line feeds only', ['\n\n\n'], []],
    ['blank lines keep their numbers', ['{}\n \t\n\n[]'], ['1:{}', '4:[]']],
    ['no line feed at the end', ['a\nb'], ['1:a', '2:b']],
    ['a line over several pieces', ['a', 'b', 'c\nd', 'e\n'], ['1:abc', '2:de']],
    ['a character cut in two', [Uint8Array.of(0xe2, 0x80), Uint8Array.of(0x94, 0x0a)], ['1:—']],
    ['CRLF', ['a\r\nb\r\n'], ['1:a', '2:b']],
    ['CR inside a line', ['a\rb\n'], ['1:a\rb']],
    ['other line separators', ['a\u2028b\u0085c\u2029d\ve\ff\n'], ['1:a\u2028b\u0085c\u2029d\ve\ff']],
    ['a byte order mark', ['\ufeff{}\n\ufeff{}\n'], ['1:{}', '2:\ufeff{}']],
    ['only a byte order mark', ['\ufeff'], []],
    ['UTF-16', [Uint8Array.of(0xff, 0xfe, 0x7b, 0x00)], ['1!looks like UTF-16; save the file as UTF-8']],
    ['not UTF-8', [Uint8Array.of(0x61, 0xff, 0x0a, 0x62)], ['1!is not UTF-8 text', '2:b']],
    ['NUL', ['a\0b\nc'], ['1:a\0b', '2:c']],
    ['as long as allowed', ['12345678\n1'], ['1:12345678', '2:1'], 8],
    ['too long', ['123456789\n1'], ['1!is longer than 0 MB (0 MB), so it was not read', '2:1'], 8],
    [
      'too long at the end',
      ['1\n12345', '6789'],
      ['1:1', '2!is longer than 0 MB (0 MB), so it was not read'],
      8,
    ],
  ];
  it.each(cases)('%s', (_, chunks, expected, limit) => check(chunks, expected, limit));

  it('gives the same lines however the bytes are cut', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', '—', '\n', '\r', '\u2028', '😀', ' ') });
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(60)), async (whole, cuts) => {
        const bytes = Buffer.from(whole);
        const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const parts = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
        expect(await collect(splitLines(pieces(...parts)))).toEqual(await collect(splitLines(pieces(bytes))));
      }),
    );
  });

  it('keeps a line of several hundred megabytes out of memory', async () => {
    const piece = new Uint8Array(2 ** 20).fill(0x61);
    async function* endless() {
      for (let i = 0; i < 400; i++) yield piece;
      yield Buffer.from('\nb\n');
    }
    const before = process.memoryUsage().arrayBuffers;
    const lines = await collect(splitLines(endless()));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 2 ** 20);
    expect(lines.map((line) => line.ok || line.error)).toEqual([
      'is longer than 64 MB (400 MB), so it was not read',
      true,
    ]);
  });

  it('gives up on a stream that never ends its line', async () => {
    let taken = 0;
    async function* zeros() {
      for (;;) {
        taken++;
        yield new Uint8Array(16);
      }
    }
    const lines = await collect(splitLines(zeros(), 8, 100));
    expect(lines.map((line) => line.ok)).toEqual([false]);
    expect(taken).toBe(7);
  });
});

describe('readLines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hopscope-'));

  it('finds its lines again by their place', async () => {
    const path = join(folder, 'lines.jsonl');
    writeFileSync(path, '\ufeff{"a":"—"}\r\n\n{"b":1}\n{"c":2}');
    const lines = await collect(readLines(path));
    const again = await Promise.all(lines.map((line) => readLineAt(path, line)));
    expect(again.map((text) => JSON.parse(text))).toEqual([{ a: '—' }, { b: 1 }, { c: 2 }]);
  });

  it.each([
    [join(folder, 'none.jsonl'), 'there is no such file or folder; check the path'],
    [folder, 'it is a folder; name a file'],
    [join(folder, 'lines.jsonl', 'x'), 'a part of the path is not a folder'],
    ['a\0b', 'the path holds a NUL character'],
    ['x'.repeat(5000), 'the name is too long'],
  ])('says why it cannot read %s', async (path, why) => {
    writeFileSync(join(folder, 'lines.jsonl'), '');
    const failure = await collect(readLines(path)).catch((error) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure.message).toBe(`Cannot read ${path.replace('\0', '\\u0000')}: ${why}.`);
  });

  it('stops with the reason of its signal', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    controller.abort(reason);
    await expect(collect(readLines('/dev/zero', controller.signal))).rejects.toBe(reason);
  });
});

describe('parseObject', () => {
  it.each([
    ['{"a":1}', null],
    ['{"__proto__":1}', null],
    ['{"a":"x', 'is cut off after 7 characters'],
    ['{"a":1', 'is cut off after 6 characters'],
    ['{"a":1}}', 'is not valid JSON at character 8, "}"'],
    ['{"a":1} x}', 'is not valid JSON at character 9, "x"'],
    ["{'a':1", 'is not valid JSON at character 2, "\'"'],
    ['id,question', 'is not valid JSON at character 1, "i"'],
    ['{"a":"\u001b', 'is not valid JSON at character 7, "\\u001b"'],
    ['{"a":"\0"}', 'holds NUL characters, so it is not JSON text'],
    ['[1]', 'holds JSON, but not an object'],
    ['null', 'holds JSON, but not an object'],
    ['"a"', 'holds JSON, but not an object'],
    ['['.repeat(1_000_000), 'is cut off after 1,000,000 characters'],
  ])('%.20s', (text, error) => {
    const parsed = parseObject(text);
    expect(parsed.ok ? null : parsed.error).toBe(error);
  });
});
